#include "scheduler/hosts/visible_devices.h"

namespace hpsearch {

std::string visible_devices(const std::vector<Unit>& units, DeviceNames names) {
  std::string text;
  for (const Unit& unit : units) {
    const bool by_index = names == DeviceNames::index && !unit.id.starts_with("MIG-");
    text += (text.empty() ? "" : ",") + (by_index ? std::to_string(unit.index) : unit.id);
  }
  return text;
}

}  // namespace hpsearch
