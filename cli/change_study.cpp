#include "cli/change_study.h"

#include "cli/open_study.h"
#include "cli/study_folder.h"
#include "dashboard/status_page.h"
#include "dashboard/study_argument.h"
#include "scheduler/hosts/control.h"
#include "trials/user_error.h"

namespace hpsearch {

namespace {

// A finished study needs room for one more trial: more time where that ran out.
std::string what_follows(const Study& study, const std::string& name) {
  if (!study.ended()) return "; no scheduler runs it: hpsearch resume " + name + " acts on it";
  const std::vector<std::string> steps = next_steps(status_of(study, study.last_at()), name);
  const bool needs_more = steps.back().find(" resume ") != std::string::npos;
  return "; the study is finished: " + (needs_more ? steps.back() : "hpsearch resume " + name) + " acts on it";
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
