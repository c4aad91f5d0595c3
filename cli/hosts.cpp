#include <chrono>

#include "cli/output.h"
#include "cli/read_study.h"
#include "cli/study_folder.h"
#include "dashboard/fleet_view.h"
#include "dashboard/value_text.h"
#include "scheduler/clock.h"

namespace hpsearch {

void add_hosts(CLI::App& app, const CommonOptions& common, Action& action) {
  auto* verb = app.add_subcommand("hosts", "A study's hosts: what runs on them, why nothing does, and what was spent where");
  const auto options = add_read_options(*verb);
  verb->callback([=, &common, &action] {
    action = [=, &common] {
      const Study study = read_study(study_folder(common, options->study));
      const Time now = study.in_session() ? SystemClock().now() : study.last_at();
      print(options->json ? json_text(fleet_json(study, now)) : fleet_text(study, now));
      return 0;
    };
  });
}

}  // namespace hpsearch
