#include "cli/change_study.h"

#include "cli/open_study.h"
#include "cli/study_folder.h"
#include "dashboard/study_argument.h"
#include "scheduler/hosts/control.h"
#include "trials/user_error.h"

namespace hpsearch {

namespace {

std::string what_follows(const Study& study, const std::string& name) {
  const bool finished = study.ended().has_value();
  return std::string(finished ? "; the study is finished" : "; no scheduler runs it") + ": hpsearch resume " + name +
         (finished ? " --more-trials 1" : "") + " acts on it";
}

}  // namespace

std::string change_study(const CommonOptions& common, const std::string& study, const Fact& fact) {
  const auto folder = study_folder(common, study);
  if (ask_scheduler(folder, fact)) return "";
  const auto opened = OpenStudy::open(folder);
  if (auto fault = control_fault(opened->study, fact)) throw UserError(*fault);
  opened->note({fact});
  return what_follows(opened->study, study_argument(folder));
}

}  // namespace hpsearch
