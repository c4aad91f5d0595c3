#pragma once

#include <string_view>

namespace hpsearch::fuzz {

// One call a target: reads any bytes and aborts when a promise of the reader does not hold. Run by libFuzzer
// (scripts/fuzz.sh) on inputs it invents and by the normal tests on the stored ones.

void space_file(std::string_view input);   // A space file is a StudySpec or a UserError, and a stored one reads again.
void report_line(std::string_view input);  // A report is refused or survives its own text.
void events_line(std::string_view input);  // The same for a line of events.jsonl.

}  // namespace hpsearch::fuzz
