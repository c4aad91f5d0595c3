#include <unistd.h>

#include <thread>
#include <utility>

#include "cli/output.h"
#include "cli/read_study.h"
#include "cli/study_folder.h"
#include "cli/study_summary_view.h"
#include "dashboard/rung_table.h"
#include "dashboard/rung_visits.h"
#include "dashboard/spending_view.h"
#include "dashboard/status_page.h"
#include "dashboard/study_argument.h"
#include "dashboard/terminal.h"
#include "dashboard/text_width.h"
#include "dashboard/value_text.h"
#include "scheduler/clock.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds kWatchEvery{1};

struct StatusOptions {
  std::shared_ptr<ReadOptions> read;
  bool watch = false, rungs = false, entries = false;
};

std::string section(const std::string& text) { return text.empty() ? "" : "\n" + text; }

std::string rungs_text(const Study& study, const RungVisits& visits, const StatusOptions& options) {
  std::string text = section(rung_table(study));
  if (options.entries && study.spec().resource)
    text += section(visits_table(visits.all(), study.spec().resource->name, study.spec().metric().name));
  return text.empty() ? "\nno rungs\n" : text;
}

// What can only be told from the whole log: what was spent, and rungs where they are asked for.
void show_log(const fs::path& folder, const StatusOptions& options, std::string& text, Json& json) {
  RungVisits visits;
  const Study study = read_study(folder, [&](const Study& before, const Event& event) { visits.apply(before, event); });
  const Time now = study.in_session() ? SystemClock().now() : study.last_at();
  if (spends(study.spec())) {
    text += spending_text(study, now);
    json["spent"] = spending_json(study, now);
  }
  if (!options.rungs && !options.entries) return;
  text += rungs_text(study, visits, options);
  json["rungs"] = rungs_json(study);
  if (options.entries) json["rung_entries"] = visits_json(visits.all());
}

int show_once(const fs::path& folder, const StatusOptions& options) {
  const StudyStatus status = read_status(folder);
  std::string text = status_text(status, study_argument(folder));
  Json json = status_json(status, study_argument(folder));
  if (status.spends || options.rungs || options.entries) show_log(folder, options, text, json);
  print(options.read->json ? json_text(json) : text);
  return 0;
}

std::vector<std::string> fitted_lines(const std::string& text, const TerminalSize& size) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size() && lines.size() + 1 < size.rows;) {
    const std::size_t end = text.find('\n', begin);
    lines.push_back(cut_to_width(text.substr(begin, end - begin), size.columns - 1));
    begin = end + 1;
  }
  return lines;
}

// On a terminal the text is drawn over in place; elsewhere it is printed again when it has changed.
class Watch {
 public:
  explicit Watch(bool json) : live_(!json && is_live_terminal(STDOUT_FILENO)) {}

  bool show(const std::string& text) {
    if (!live_) return text == std::exchange(shown_, text) || print(text);
    const TerminalSize size = terminal_size(STDOUT_FILENO);
    return print(block_.redraw(fitted_lines(text, size), {}, size.columns));
  }

 private:
  bool live_;
  std::string shown_;
  RedrawnBlock block_;
};

int watch(const fs::path& folder, const StatusOptions& options) {
  Watch view(options.read->json);
  for (;;) {
    const StudyStatus status = read_status(folder);
    const std::string name = study_argument(folder);
    const bool go_on = view.show(options.read->json ? compact(status_json(status, name)) + "\n" : status_text(status, name));
    if (!go_on || status.phase != StudyPhase::running) return 0;
    std::this_thread::sleep_for(kWatchEvery);
  }
}

}  // namespace

void add_status(CLI::App& app, const CommonOptions& common, Action& action) {
  auto* verb = app.add_subcommand("status", "How a study stands: trials by state, the best so far, slots, what is left");
  StatusOptions options{add_read_options(*verb)};
  auto shared = std::make_shared<StatusOptions>(options);
  verb->add_flag("--watch", shared->watch, "Go on showing it until the study rests");
  verb->add_flag("--rungs", shared->rungs, "Also how many trials came to each rung and left it (reads the whole log)");
  verb->add_flag("--rung-entries", shared->entries, "Also each entry into a rung, with its step, time and verdict");
  verb->callback([=, &common, &action] {
    action = [=, &common] {
      const fs::path folder = study_folder(common, shared->read->study);
      return shared->watch ? watch(folder, *shared) : show_once(folder, *shared);
    };
  });
}

}  // namespace hpsearch
