#include "scheduler/hosts/local_host.h"

#include "scheduler/hosts/device_request.h"
#include "scheduler/hosts/launch_plan.h"
#include "scheduler/hosts/local_view.h"

namespace hpsearch {

LocalHost::LocalHost(boost::asio::io_context& io, FactQueue& facts, HostSpec spec, const Study& study,
                     const std::filesystem::path& study_folder, std::filesystem::path program)
    : spec_(std::move(spec)), keepers_(io, facts, study_folder, std::move(program)) {
  auto options = device_options(device_request(study.spec().trial, spec_), study.name());
  if (!options) return;
  options->hungry = [&study] { return study.wants_room(); };
  has_devices_ = keepers_.open_devices(*options, [&facts, name = spec_.name](const SeenDevices& seen) {
    facts.push(with_devices(local_view(name), seen));
  });
}

std::optional<HostSeen> LocalHost::seen() const {
  return has_devices_ ? std::nullopt : std::optional(local_view(spec_.name));
}

void LocalHost::start(const Study& study, const AttemptPlanned& plan) {
  keepers_.start(launch_of(study, plan, local_place(study.spec(), spec_, keepers_.folder())));
}

}  // namespace hpsearch
