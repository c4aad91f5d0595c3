#include "scheduler/hosts/trial_folders.h"

#include <string>
#include <system_error>

namespace hpsearch {

namespace fs = std::filesystem;

fs::path trial_folder(const fs::path& study, int trial) {
  const std::string number = std::to_string(trial);
  return study / "trials" / (std::string(number.size() < 4 ? 4 - number.size() : 0, '0') + number);
}

fs::path artifact_folder(const fs::path& study, int trial) { return trial_folder(study, trial) / "artifacts"; }

AttemptFolder attempt_folder(const fs::path& study, int trial, int attempt) {
  return {trial_folder(study, trial) / "attempts" / std::to_string(attempt)};
}

void delete_checkpoint(const fs::path& study, int trial, int attempt) {
  std::error_code ignored;
  fs::remove_all(attempt_folder(study, trial, attempt).checkpoint(), ignored);
}

}  // namespace hpsearch
