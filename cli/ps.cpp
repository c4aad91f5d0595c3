#include "cli/keepers.h"
#include "cli/output.h"
#include "cli/study_folder.h"
#include "dashboard/text_table.h"
#include "dashboard/value_text.h"
#include "trials/number.h"

namespace hpsearch {

namespace {

const char* scheduler_text(Keeper::Scheduler scheduler) {
  switch (scheduler) {
    case Keeper::Scheduler::here: return "yes";
    case Keeper::Scheduler::none: return "none";
    case Keeper::Scheduler::elsewhere: return "elsewhere";
  }
  return "";
}

std::string keepers_text(const std::vector<Keeper>& found) {
  if (found.empty()) return "no trial of yours runs on this machine\n";
  TextTable table({{"pid", Align::right}, {"study"}, {"trial", Align::right}, {"attempt", Align::right},
                   {"age", Align::right}, {"scheduler"}, {"folder"}});
  for (const Keeper& keeper : found)
    table.add({std::to_string(keeper.pid), keeper.study.filename().string(), std::to_string(keeper.trial),
               std::to_string(keeper.attempt), format_span_ms(keeper.age_s * 1000), scheduler_text(keeper.scheduler),
               keeper.study.string()});
  return table.text();
}

Json keepers_json(const std::vector<Keeper>& found) {
  Json rows = Json::array();
  for (const Keeper& keeper : found)
    rows.push_back({{"pid", keeper.pid},
                    {"study", keeper.study.filename().string()},
                    {"trial", keeper.trial},
                    {"attempt", keeper.attempt},
                    {"age_s", keeper.age_s},
                    {"scheduled", keeper.scheduler == Keeper::Scheduler::elsewhere ? Json() : Json(keeper.scheduler == Keeper::Scheduler::here)},
                    {"folder", keeper.study.string()}});
  return {{"keepers", std::move(rows)}};
}

}  // namespace

void add_ps(CLI::App& app, const CommonOptions& common, Action& action) {
  auto* verb = app.add_subcommand("ps", "Trials of yours that run on this machine");
  auto json = std::make_shared<bool>(false);
  auto study = std::make_shared<std::string>();
  verb->add_option("STUDY", *study, "Only of this study (default: all)");
  verb->add_flag("--json", *json, "Answer in JSON");
  verb->callback([=, &common, &action] {
    action = [=, &common] {
      const std::vector<Keeper> found = study->empty() ? keepers() : keepers(study_folder(common, *study));
      print(*json ? json_text(keepers_json(found)) : keepers_text(found));
      return 0;
    };
  });
}

}  // namespace hpsearch
