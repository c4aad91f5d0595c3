#include "dashboard/progress.h"

#include "dashboard/live_view.h"
#include "dashboard/notices.h"
#include "dashboard/plain_lines.h"
#include "dashboard/terminal.h"
#include "dashboard/trial_story.h"

namespace hpsearch {

namespace {

void print(int fd, const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  write_text(fd, text);
}

struct QuietProgress {
  int fd;
  Notices notices;

  void operator()(const Study& study, const std::vector<Event>& events) { print(fd, notices.lines(study, events)); }
};

struct PlainProgress {
  int fd;
  bool verbose;
  Notices notices;
  PlainLines plain;

  void operator()(const Study& study, const std::vector<Event>& events) {
    print(fd, notices.lines(study, events));
    if (verbose) print(fd, story_lines(events));
    print(fd, plain.lines(study, events));
  }
};

struct LiveProgress {
  std::shared_ptr<LiveView> view;              // Shared because std::function wants copies; there is one owner.
  bool verbose;
  Notices notices;

  void operator()(const Study& study, const std::vector<Event>& events) {
    if (events.empty()) return;
    for (std::string& line : notices.lines(study, events)) view->say(std::move(line));
    if (verbose)
      for (std::string& line : story_lines(events)) view->say(std::move(line));
    if (study.created()) view->show(live_snapshot(study, events.back().at));
    if (event_as<SessionEnded>(events.back())) view->finish();
  }
};

}  // namespace

Progress make_progress(const ProgressOptions& options) {
  if (options.very_quiet) return [](const Study&, const std::vector<Event>&) {};
  if (options.quiet) return QuietProgress{options.err_fd, {}};
  if (!is_live_terminal(options.err_fd)) return PlainProgress{options.err_fd, options.verbose, {}, {}};
  return LiveProgress{std::make_shared<LiveView>(options.err_fd, colour_wanted(options.no_color)), options.verbose, {}};
}

}  // namespace hpsearch
