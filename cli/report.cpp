#include <sstream>

#include "cli/verb.h"

namespace hpsearch {

// Only for --help: main hands the verb itself to report_main before the command line is parsed.
void add_report(CLI::App& app, const CommonOptions&, Action& action) {
  auto* verb = app.add_subcommand("report", "From inside a trial: report metrics, as in: hpsearch report 3 loss=0.2");
  verb->footer("hpsearch report STEP name=value... [--checkpoint=NAME]\n"
               "hpsearch report name=value...            a closing value, or a program without steps\n"
               "Exit status 0: go on; 3: end now (pause or stop); 2: the report was refused.");
  verb->callback([&action] { action = [] { return 0; }; });
}

}  // namespace hpsearch
