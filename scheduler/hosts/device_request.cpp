#include "scheduler/hosts/device_request.h"

#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "trials/fleet.h"

namespace hpsearch {

namespace {

std::string user_name() {
  const passwd* user = ::getpwuid(::geteuid());
  return user ? user->pw_name : std::to_string(::geteuid());
}

}  // namespace

Json device_request(const TrialSpec& trial, const HostSpec& host) {
  if (trial.gpus == 0) return nullptr;
  Json request{{"gpus", trial.gpus.value_or(1)}, {"model", trial.gpu_model}};
  if (trial.gpu_memory) request["memory"] = *trial.gpu_memory;
  if (host.gpus) request["only"] = *host.gpus;
  if (host.max_gpus) request["most"] = *host.max_gpus;
  return request;
}

std::optional<DeviceOptions> device_options(const Json& request, const std::string& study) {
  if (!request.is_object()) return std::nullopt;
  DeviceOptions options;
  const double gpus = request.at("gpus");
  options.share = std::min(gpus, 1.0);
  options.units = static_cast<int>(std::ceil(gpus));
  TrialSpec needs;
  needs.gpu_model = request.at("model");
  if (request.contains("memory")) needs.gpu_memory = request["memory"].get<std::int64_t>();
  options.fits = [needs](const Unit& unit) { return serves(unit, needs); };
  if (request.contains("only")) options.allowance.gpus = request["only"].get<std::vector<std::string>>();
  if (request.contains("most")) options.allowance.max_gpus = request["most"].get<int>();
  if (const char* visible = std::getenv("CUDA_VISIBLE_DEVICES")) options.allowance.visible = visible;
  options.user = user_name();
  options.study = study;
  return options;
}

HostSeen with_devices(HostSeen host, const SeenDevices& devices) {
  host.units = devices.units;
  host.reason = devices.fault.empty() ? devices.remark : "its GPUs can't be used: " + devices.fault;
  if (!devices.fault.empty()) host.state = devices.refused ? HostState::refused : HostState::unreachable;
  return host;
}

}  // namespace hpsearch
