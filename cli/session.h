#pragma once

#include <filesystem>
#include <functional>

#include "cli/open_study.h"
#include "cli/verb.h"

namespace hpsearch {

// Called once a session is sure to begin: the study is open and every change of it accepted.
using Ready = std::function<void()>;

// One session of a study in this process: slots, executor, signals, control socket, progress; then the summary on
// standard output. Returns the exit status.
int run_session(OpenStudy& opened, const CommonOptions& common, const Ready& ready);

// The study's summary on standard output; nothing when very quiet and `status` is 0.
void print_summary(const CommonOptions& common, const Study& study, const std::filesystem::path& folder, int status);

// Runs `session` in a process of its own that outlives the terminal, its messages in STUDY/scheduler.log from the moment
// it is ready. The parent then prints how to follow it and returns 0; when it ends before, its messages are on the
// terminal and the parent returns its status. In the child: the session's status. No study may be open yet.
int run_detached(const std::filesystem::path& folder, const std::function<int(const Ready&)>& session);

}  // namespace hpsearch
