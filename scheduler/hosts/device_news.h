#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trials/event.h"
#include "trials/time.h"

namespace hpsearch {

// What a machine has to give of GPUs.
struct SeenDevices {
  std::vector<Unit> units;
  std::string fault;                         // Why none can be seen or used, though there may be some: no trial can start.
  std::string remark;                        // Worth a line: what CUDA_VISIBLE_DEVICES or "gpus" left out.
  bool refused = false;                      // The fault is the user's: no second look changes it.
  bool operator==(const SeenDevices&) const = default;
};

// Decides whether a change is worth telling: at once where it decides if a trial can start, else (memory in use, say) only
// when the last telling is `figures` ago.
class DeviceNews {
 public:
  explicit DeviceNews(Span figures) : figures_(figures) {}
  bool worth(const SeenDevices& seen, Span now);

 private:
  Span figures_;
  std::optional<SeenDevices> told_;
  Span told_at_{};
};

}  // namespace hpsearch
