#include <filesystem>
#include <iostream>

#include "cli/verb.h"
#include "store/rescue.h"
#include "trials/user_error.h"

namespace hpsearch {

void add_rescue(CLI::App& app, const CommonOptions&, Action& action) {
  auto* verb = app.add_subcommand("rescue", "Copy what can be read of a damaged study.db into a new one");
  auto from = std::make_shared<std::string>(), to = std::make_shared<std::string>();
  verb->add_option("FILE", *from, "The damaged study.db; it is not changed")->required();
  verb->add_option("TO", *to, "The new file (default: FILE.rescued)");
  verb->callback([=, &action] {
    action = [=] {
      const std::string target = to->empty() ? *from + ".rescued" : *to;
      const RescueReport result = rescue(*from, target);
      std::cout << "rescued " << result.events << " events and " << result.reports << " reports of " << result.trials
                << " trials into " << target << "; " << result.unreadable + result.missing + result.dropped << " rows and "
                << result.lost_trials << " trials could not be\n";
      return 0;
    };
  });
}

}  // namespace hpsearch
