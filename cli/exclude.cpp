#include <iostream>

#include "cli/change_study.h"

namespace hpsearch {

void add_exclude(CLI::App& app, const CommonOptions& common, Action& action) {
  auto* verb = app.add_subcommand("exclude", "Leave a trial out of best and of what samplers learn from; its data stays");
  auto study = std::make_shared<std::string>();
  auto trial = std::make_shared<int>(0);
  auto undo = std::make_shared<bool>(false);
  verb->add_option("TRIAL", *trial, "Its number")->required()->check(kAtLeastOne);
  verb->add_option("STUDY", *study, "Name or space file (default: the only study here)");
  verb->add_flag("--undo", *undo, "Take it in again");
  verb->callback([=, &common, &action] {
    action = [=, &common] {
      change_study(common, *study, Excluded{*trial, !*undo});
      std::cerr << "trial " << *trial << (*undo ? " counts again\n" : " is excluded\n");
      return 0;
    };
  });
}

}  // namespace hpsearch
