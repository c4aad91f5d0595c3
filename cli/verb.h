#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

namespace hpsearch {

// What the chosen verb does; returns the exit status. UserError becomes 2, any other exception 1.
using Action = std::function<int()>;

// Options that every verb takes.
struct CommonOptions {
  std::string dir;      // --dir or HPSEARCH_DIR; empty: hpsearch-studies under the working folder.
  bool quiet = false;   // -q: warnings and results only; -qq (very_quiet): nothing on success.
  bool very_quiet = false;
  bool verbose = false;  // -v: each decision with its reason.
  bool no_color = false;
};

// For CLI::Option::check: whole numbers from 1.
inline const CLI::Validator kAtLeastOne(
    [](std::string& word) {
      int number = 0;
      return CLI::detail::lexical_cast(word, number) && number >= 1 ? std::string() : "must be a whole number of at least 1, not " + word;
    },
    "N>=1");

// One function a verb, in cli/<verb>.cpp: adds the subcommand and, when it is chosen, sets `action`.
// The references live until the program ends.
#define HPSEARCH_VERB(name) void add_##name(CLI::App& app, const CommonOptions& common, Action& action)
HPSEARCH_VERB(validate);
HPSEARCH_VERB(try);
HPSEARCH_VERB(run);
HPSEARCH_VERB(resume);
HPSEARCH_VERB(status);
HPSEARCH_VERB(trials);
HPSEARCH_VERB(show);
HPSEARCH_VERB(logs);
HPSEARCH_VERB(best);
HPSEARCH_VERB(why);
HPSEARCH_VERB(stop);
HPSEARCH_VERB(enqueue);
HPSEARCH_VERB(exclude);
HPSEARCH_VERB(export);
HPSEARCH_VERB(replay);
HPSEARCH_VERB(ps);
HPSEARCH_VERB(reap);
HPSEARCH_VERB(report);
HPSEARCH_VERB(rescue);
HPSEARCH_VERB(hosts);
HPSEARCH_VERB(fetch);
#undef HPSEARCH_VERB

}  // namespace hpsearch
