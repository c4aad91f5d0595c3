#include "dashboard/rung_visits.h"

#include "dashboard/text_table.h"
#include "dashboard/value_text.h"
#include "trials/number.h"

namespace hpsearch {

namespace {

std::string verdict_text(const RungVisit& visit) {
  if (visit.entry.skipped) return "passed by";
  switch (visit.verdict) {
    case Verdict::go_on: return "goes on";
    case Verdict::pause: return "paused";
    case Verdict::stop: return "stopped";
    case Verdict::complete: return "complete";
  }
  return "";
}

}  // namespace

void RungVisits::apply(const Study& before, const Event& event) {
  const auto* judged = event_as<Judged>(event);
  if (!judged) return;
  const Unjudged* report = before.unjudged();
  for (const RungEntry& entry : judged->entries)
    visits_.push_back({judged->trial, judged->attempt, entry, report ? report->report.step : std::nullopt, event.at,
                       judged->verdict, judged->reason});
}

std::string visits_table(const std::vector<RungVisit>& visits, const std::string& resource, const std::string& metric) {
  if (visits.empty()) return "";
  TextTable table({{"time"},
                   {"trial", Align::right},
                   {"rung", Align::right},
                   {"at " + resource, Align::right},
                   {metric, Align::right},
                   {"place", Align::right},
                   {"of", Align::right},
                   {"kept", Align::right},
                   {"verdict"}});
  for (const RungVisit& visit : visits)
    table.add({local_time(visit.at), std::to_string(visit.trial), format_number(visit.entry.level),
               visit.step ? short_number(*visit.step) : "-", short_number(visit.entry.value),
               std::to_string(visit.entry.rank), std::to_string(visit.entry.n), std::to_string(visit.entry.k),
               verdict_text(visit)});
  return table.text();
}

Json visits_json(const std::vector<RungVisit>& visits) {
  Json result = Json::array();
  for (const RungVisit& visit : visits)
    result.push_back({{"at", iso_time(visit.at)},
                      {"trial", visit.trial},
                      {"attempt", visit.attempt},
                      {"bracket", visit.entry.bracket},
                      {"level", number_json(visit.entry.level)},
                      {"step", visit.step ? Json(*visit.step) : Json(nullptr)},
                      {"value", number_json(visit.entry.value)},
                      {"rank", visit.entry.rank},
                      {"n", visit.entry.n},
                      {"k", visit.entry.k},
                      {"approximate", visit.entry.approximate},
                      {"skipped", visit.entry.skipped},
                      {"verdict", to_string(visit.verdict)},
                      {"reason", visit.reason}});
  return result;
}

}  // namespace hpsearch
