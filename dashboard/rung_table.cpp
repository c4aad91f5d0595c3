#include "dashboard/rung_table.h"

#include <map>

#include "dashboard/text_table.h"
#include "dashboard/value_text.h"
#include "trials/number.h"

namespace hpsearch {

namespace {

using Key = std::pair<int, double>;
using Lines = std::map<Key, RungLine>;

RungLine& line_at(Lines& lines, int bracket, double level) {
  RungLine& line = lines[{bracket, level}];
  line.bracket = bracket;
  line.level = level;
  return line;
}

void take_best(const Study& study, RungLine& line, double value) {
  if (std::isfinite(value) && (!line.best || study.better(value, *line.best))) line.best = value;
}

// What became of a trial at the last level that it entered.
void leave(RungLine& line, const Trial& trial) {
  if (trial.milestone && *trial.milestone > line.level) {
    ++line.went_on;
    return;
  }
  switch (trial.state) {
    case TrialState::queued:
    case TrialState::starting:
    case TrialState::running:
    case TrialState::paused: ++line.waiting; return;
    case TrialState::completed: ++line.went_on; return;
    case TrialState::stopped: ++line.stopped; return;
    case TrialState::failed: ++line.failed; return;
    case TrialState::cancelled: ++line.cancelled; return;
  }
}

void enter_rungs(const Study& study, Lines& lines, const Trial& trial) {
  for (const RungEntry& entry : trial.rungs) {
    RungLine& line = line_at(lines, entry.bracket, entry.level);
    ++line.entered;
    take_best(study, line, entry.value);
    if (&entry == &trial.rungs.back()) leave(line, trial);
    else ++line.went_on;
  }
}

void enter_top(const Study& study, Lines& lines, const Trial& trial, double top) {
  RungLine& line = line_at(lines, trial.bracket, top);
  if (trial.resource < top) return;
  ++line.entered;
  if (trial.value) take_best(study, line, trial.value->number);
  leave(line, trial);
}

bool several_brackets(const std::vector<RungLine>& lines) {
  return !lines.empty() && lines.front().bracket != lines.back().bracket;
}

std::string best_text(const RungLine& line) { return line.best ? short_number(*line.best) : "-"; }

std::vector<std::string> cells(const RungLine& line, bool with_bracket, double top) {
  std::vector<std::string> row;
  if (with_bracket) row.push_back(std::to_string(line.bracket));
  row.push_back(format_number(line.level) + (line.level == top ? " (end)" : ""));
  for (std::int64_t count : {line.entered, line.went_on, line.waiting, line.stopped, line.failed, line.cancelled})
    row.push_back(std::to_string(count));
  row.push_back(best_text(line));
  return row;
}

}  // namespace

std::vector<RungLine> rung_lines(const Study& study) {
  Lines lines;
  for (const Trial& trial : study.trials()) enter_rungs(study, lines, trial);
  if (lines.empty()) return {};
  const double top = study.spec().resource->max;
  for (const Trial& trial : study.trials()) enter_top(study, lines, trial, top);
  std::vector<RungLine> result;
  for (const auto& [key, line] : lines) result.push_back(line);
  return result;
}

std::string rung_table(const Study& study) {
  const std::vector<RungLine> lines = rung_lines(study);
  if (lines.empty()) return "";
  const bool brackets = several_brackets(lines);
  std::vector<TextTable::Column> columns;
  if (brackets) columns.push_back({"bracket", Align::right});
  for (const char* title : {"rung", "entered", "went on", "waiting", "stopped", "failed", "cancelled", "best"})
    columns.push_back({title, Align::right});
  TextTable table(columns);
  for (const RungLine& line : lines) table.add(cells(line, brackets, study.spec().resource->max));
  return table.text();
}

Json rungs_json(const Study& study) {
  Json result = Json::array();
  for (const RungLine& line : rung_lines(study))
    result.push_back({{"bracket", line.bracket},
                      {"level", number_json(line.level)},
                      {"entered", line.entered},
                      {"went_on", line.went_on},
                      {"waiting", line.waiting},
                      {"stopped", line.stopped},
                      {"failed", line.failed},
                      {"cancelled", line.cancelled},
                      {"best", line.best ? Json(*line.best) : Json(nullptr)}});
  return result;
}

}  // namespace hpsearch
