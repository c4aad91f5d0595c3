#include <iostream>

#include "cli/assignments.h"
#include "cli/change_study.h"

namespace hpsearch {

void add_enqueue(CLI::App& app, const CommonOptions& common, Action& action) {
  auto* verb = app.add_subcommand("enqueue", "Try a configuration next, as in: hpsearch enqueue lr=0.01 optimizer=sgd");
  auto study = std::make_shared<std::string>();
  auto words = std::make_shared<std::vector<std::string>>();
  verb->add_option("NAME=VALUE", *words, "Parameters; those not given are drawn at random")->required();
  verb->add_option("--study", *study, "Name or space file (default: the only study here)");
  verb->callback([=, &common, &action] {
    action = [=, &common] {
      const std::string follows = change_study(common, *study, Enqueued{parse_assignments(*words)});
      std::cerr << "enqueued" << (follows.empty() ? ": it starts with the next free slot" : follows) << "\n";
      return 0;
    };
  });
}

}  // namespace hpsearch
