#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "scheduler/hosts/host_set.h"
#include "scheduler/hosts/tree_copy.h"

namespace hpsearch {

// Attempts start where the checkpoint is that they continue from: one that lies on another machine is taken there first, by
// way of this one.
class CheckpointMoves {
 public:
  CheckpointMoves(FactQueue& facts, HostSet& hosts, std::filesystem::path study_folder)
      : facts_(facts), hosts_(hosts), folder_(std::move(study_folder)) {}

  // Now, or when the checkpoint is there. Throws std::system_error when this machine's disk fails.
  void start(const Study& study, const AttemptPlanned& plan);
  // Whether the trial's checkpoint was on its way; it goes no further.
  bool cancel(int trial) { return moves_.erase(trial) > 0; }
  // Whether a checkpoint is still coming from this host.
  bool from(const Study& study, const std::string& host) const;
  // Forgets moves that are done. Not to be called by what a copy calls.
  void tidy() { copied_.clear(); }

 private:
  struct Move {
    AttemptPlanned plan;
    std::unique_ptr<TreeCopy> copy;
  };

  void bring_home(const Study& study, const AttemptPlanned& plan, const Attempt& from);
  void send_on(const Study& study, const AttemptPlanned& plan);
  void copy(const AttemptPlanned& plan, FileDesk& from, FileDesk& to, TreeCopy::Order order, std::function<void()> then);
  void moved(int trial);
  std::string path_there(const RemoteHost& host, const AttemptPlanned& plan) const;
  std::string path_here(const AttemptPlanned& plan) const;

  FactQueue& facts_;
  HostSet& hosts_;
  std::filesystem::path folder_;
  std::map<int, Move> moves_;                              // By trial.
  std::vector<std::unique_ptr<TreeCopy>> copied_;          // Done, and still on the stack of a reply.
};

}  // namespace hpsearch
