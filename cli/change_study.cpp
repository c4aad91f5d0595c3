#include "cli/change_study.h"

#include "cli/open_study.h"
#include "cli/study_folder.h"
#include "scheduler/hosts/control.h"
#include "trials/user_error.h"

namespace hpsearch {

void change_study(const CommonOptions& common, const std::string& study, const Fact& fact) {
  const auto folder = study_folder(common, study);
  if (ask_scheduler(folder, fact)) return;
  const auto opened = OpenStudy::open(folder);
  if (auto fault = control_fault(opened->study, fact)) throw UserError(*fault);
  opened->note({fact});
}

}  // namespace hpsearch
