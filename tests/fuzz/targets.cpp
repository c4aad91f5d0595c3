#include "tests/fuzz/targets.h"

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "scheduler/hosts/events_line.h"
#include "trials/report.h"
#include "trials/spec.h"
#include "trials/user_error.h"

namespace hpsearch::fuzz {

namespace {

void require(bool promise) {
  if (!promise) std::abort();
}

}  // namespace

void space_file(std::string_view input) {
  try {
    const StudySpec spec = parse_spec(std::string(input), "fuzz.json");
    const StudySpec again = parse_spec_document(spec.document, spec.name, spec.folder);
    require(again.document == spec.document && again.space.params.size() == spec.space.params.size());
  } catch (const UserError& error) {
    require(error.what()[0] != '\0');
  }
}

void report_line(std::string_view input) {
  for (const auto parse : {parse_report_json, parse_report_words}) {
    try {
      const Report report = parse(input);
      require(!report.metrics.empty());
      require(parse_report_json(report_text(report)) == report);
    } catch (const std::invalid_argument&) {
      // Refused, with a reason.
    }
  }
  try {
    parse_report_line(input);
  } catch (const std::invalid_argument&) {
  }
}

void events_line(std::string_view input) {
  if (const auto line = parse_events_line(input)) require(parse_events_line(events_text(*line)) == line);
}

}  // namespace hpsearch::fuzz
