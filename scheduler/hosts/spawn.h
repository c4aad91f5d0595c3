#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

namespace hpsearch {

enum class Lead { group, session };

// A program to start. The child gets exactly the descriptors of `descriptors` (those of the parent are close-on-exec
// everywhere), default signal actions and an empty signal mask, and leads its own process group or session.
struct SpawnRequest {
  std::string program;                             // Path of the executable.
  std::vector<std::string> argv;
  std::vector<std::string> env;                    // "NAME=value".
  std::string cwd;                                 // Empty: the parent's.
  std::vector<std::pair<int, int>> descriptors;    // Number in the child (below 200), number in the parent.
  Lead lead = Lead::group;
};

// Starts it by Boost.Process and returns the pid once the program runs; the caller reaps it. Throws std::system_error with the reason of exec.
pid_t spawn(const SpawnRequest& request);

}  // namespace hpsearch
