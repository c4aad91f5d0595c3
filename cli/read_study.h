#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "cli/verb.h"
#include "trials/study.h"

namespace hpsearch {

// Called with each event and the fold of those before it.
using EventVisitor = std::function<void(const Study& before, const Event& event)>;

// The study as its log stands now, read without disturbing a scheduler. UserError when it has no first event yet.
Study read_study(const std::filesystem::path& folder, const EventVisitor& visit = {});

// UserError unless a study of `count` trials has this one.
void check_trial(const std::string& study, int number, std::int64_t count);

// UserError naming the trials that there are.
const Trial& find_trial(const Study& study, int number);

// What verbs that read one study take.
struct ReadOptions {
  std::string study;
  bool json = false;
};
std::shared_ptr<ReadOptions> add_read_options(CLI::App& verb);

}  // namespace hpsearch
