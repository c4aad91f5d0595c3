#pragma once

#include <filesystem>
#include <functional>

#include "cli/open_study.h"
#include "cli/verb.h"

namespace hpsearch {

// One session of a study in this process: slots, executor, signals, control socket, progress; then the summary on
// standard output. Returns the exit status.
int run_session(OpenStudy& opened, const CommonOptions& common);

// The study's summary on standard output; nothing when very quiet and `status` is 0.
void print_summary(const CommonOptions& common, const Study& study, const std::filesystem::path& folder, int status);

// Runs `session` in a process of its own that outlives the terminal, its messages in STUDY/scheduler.log. Returns 0 in
// the parent, which prints how to follow it, and the session's status in the child. No study may be open yet.
int run_detached(const std::filesystem::path& folder, const std::function<int()>& session);

}  // namespace hpsearch
