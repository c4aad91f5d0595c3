#include "scheduler/hosts/device_news.h"

namespace hpsearch {

namespace {

// With words that only people read made equal. What others take of a unit matters where a trial may be started beside them.
SeenDevices bare(SeenDevices seen) {
  for (Unit& unit : seen.units)
    if (!unit.busy.empty()) unit.busy = "busy", unit.free = 1;
  if (!seen.fault.empty()) seen.fault = "fault";
  return seen;
}

}  // namespace

bool DeviceNews::worth(const SeenDevices& seen, Span now) {
  if (told_ && *told_ == seen) return false;
  if (told_ && bare(*told_) == bare(seen) && now - told_at_ < figures_) return false;
  told_ = seen;
  told_at_ = now;
  return true;
}

}  // namespace hpsearch
