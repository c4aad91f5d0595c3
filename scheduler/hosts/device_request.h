#pragma once

#include <functional>
#include <optional>
#include <string>

#include "scheduler/hosts/device_news.h"
#include "scheduler/hosts/device_options.h"
#include "trials/json.h"
#include "trials/spec.h"

namespace hpsearch {

// What a study wants of a host's GPUs, as it is told to an agent; null where its trials take none.
Json device_request(const TrialSpec& trial, const HostSpec& host);

// The same for the pool of the machine this runs on, with what its environment allows.
std::optional<DeviceOptions> device_options(const Json& request, const std::string& study);

// This machine as a host, with the units that a pool sees. Where none can be seen though there may be some, no trial can
// start: it is as good as out of reach.
HostSeen with_devices(HostSeen host, const SeenDevices& devices);

}  // namespace hpsearch
