#pragma once

#include <filesystem>
#include <string>

namespace hpsearch {

// Files of one attempt: STUDY/trials/0007/attempts/2/...
struct AttemptFolder {
  std::filesystem::path root;

  std::filesystem::path launch() const { return root / "launch.json"; }
  std::filesystem::path params() const { return root / "params.json"; }
  std::filesystem::path output(int rank = 0) const { return log("stdout", rank); }
  std::filesystem::path errors(int rank = 0) const { return log("stderr", rank); }
  std::filesystem::path events() const { return root / "events.jsonl"; }
  std::filesystem::path exit() const { return root / "exit.json"; }
  std::filesystem::path checkpoint() const { return root / "checkpoint"; }
  std::filesystem::path words() const { return root / "words.jsonl"; }     // The scheduler's, where no socket is.
  std::filesystem::path started() const { return root / "started.json"; }  // That the program runs, there too.
  std::filesystem::path lock() const { return root / "keeper.lock"; }  // Held while the keeper lives.

 private:
  // "stdout.log" of the program or of its rank 0, "stdout.1.log" of rank 1.
  std::filesystem::path log(const std::string& stream, int rank) const {
    return root / (stream + (rank > 0 ? "." + std::to_string(rank) : "") + ".log");
  }
};

std::filesystem::path trial_folder(const std::filesystem::path& study, int trial);
std::filesystem::path artifact_folder(const std::filesystem::path& study, int trial);
AttemptFolder attempt_folder(const std::filesystem::path& study, int trial, int attempt);
// What can't be deleted now stays.
void delete_checkpoint(const std::filesystem::path& study, int trial, int attempt);

}  // namespace hpsearch
