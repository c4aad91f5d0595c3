#include "cli/output.h"
#include "cli/read_study.h"
#include "cli/study_folder.h"
#include "cli/study_summary_view.h"
#include "dashboard/value_text.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

struct TrialsOptions {
  std::shared_ptr<ReadOptions> read;
  std::optional<int> last;
  std::string state;
};

// With a state asked for, the last ones in that state.
std::vector<TrialView> wanted_trials(const fs::path& file, const TrialsOptions& options) {
  std::vector<TrialView> views;
  for (const TrialRow& row : read_trials(file, options.state.empty() ? options.last : std::nullopt))
    if (options.state.empty() || to_string(row.state) == options.state) views.push_back(view_of(row));
  const auto extra = static_cast<std::ptrdiff_t>(views.size()) - options.last.value_or(static_cast<int>(views.size()));
  if (extra > 0) views.erase(views.begin(), views.begin() + extra);
  return views;
}

Json trials_json(const StudyStatus& status, const std::vector<TrialView>& views) {
  Json rows = Json::array();
  for (const TrialView& view : views) rows.push_back(trial_json(view));
  return {{"study", status.name}, {"metric", status.metric}, {"goal", status.goal}, {"trials", std::move(rows)}};
}

int list_trials(const CommonOptions& common, const TrialsOptions& options) {
  const fs::path folder = study_folder(common, options.read->study);
  const StudyStatus status = read_status(folder);
  const std::vector<TrialView> views = wanted_trials(folder / "study.db", options);
  const std::string resource = status.resource.empty() ? "step" : status.resource;
  print(options.read->json ? json_text(trials_json(status, views)) : trials_table(views, status.metric, resource));
  return 0;
}

std::vector<std::string> state_names() {
  std::vector<std::string> names;
  for (int i = 0; i <= static_cast<int>(TrialState::cancelled); ++i) names.push_back(to_string(static_cast<TrialState>(i)));
  return names;
}

}  // namespace

void add_trials(CLI::App& app, const CommonOptions& common, Action& action) {
  auto* verb = app.add_subcommand("trials", "List a study's trials");
  auto options = std::make_shared<TrialsOptions>();
  options->read = add_read_options(*verb);
  verb->add_option("--last", options->last, "Only the last N")->check(kAtLeastOne);
  verb->add_option("--state", options->state, "Only those in this state")->check(CLI::IsMember(state_names()));
  verb->callback([=, &common, &action] { action = [=, &common] { return list_trials(common, *options); }; });
}

}  // namespace hpsearch
