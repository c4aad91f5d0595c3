#include "scheduler/hosts/local_view.h"

#include <unistd.h>

#include <algorithm>
#include <thread>

namespace hpsearch {

HostSeen local_view(const std::string& host) {
  HostSeen seen;
  seen.host = host;
  seen.cores = std::max(1u, std::thread::hardware_concurrency());
  seen.memory = static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGE_SIZE);
  return seen;
}

}  // namespace hpsearch
