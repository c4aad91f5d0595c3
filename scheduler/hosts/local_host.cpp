#include "scheduler/hosts/local_host.h"

#include "scheduler/hosts/launch_plan.h"

namespace hpsearch {

void LocalHost::start(const Study& study, const AttemptPlanned& plan) {
  keepers_.start(launch_of(study, plan, local_place(study.spec(), spec_, keepers_.folder())));
}

}  // namespace hpsearch
