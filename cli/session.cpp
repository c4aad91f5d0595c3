#include "cli/session.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <iostream>

#include "cli/program_mark.h"
#include "dashboard/final_summary.h"
#include "dashboard/progress.h"
#include "scheduler/hosts/control.h"
#include "scheduler/hosts/find_program.h"
#include "scheduler/hosts/local_executor.h"
#include "scheduler/hosts/local_slots.h"
#include "scheduler/runner.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

std::string host_name() {
  char name[256] = "localhost";
  ::gethostname(name, sizeof name - 1);
  return name;
}

// Ctrl-C asks three times, harder each time; TERM and HUP end this process and leave the trials to the next one.
class Signals {
 public:
  Signals(boost::asio::io_context& io, std::function<void(Fact)> push)
      : set_(io, SIGINT, SIGTERM, SIGHUP), push_(std::move(push)) {
    wait();
  }

 private:
  void wait() {
    set_.async_wait([this](const auto& error, int signal) {
      if (error) return;
      push_(Interrupted{signal == SIGINT ? ++level_ : 0});
      wait();
    });
  }

  boost::asio::signal_set set_;
  std::function<void(Fact)> push_;
  int level_ = 0;
};

std::string start_line(const Study& study, std::size_t slots, const fs::path& folder) {
  const StudySpec& spec = study.spec();
  std::string text = "study " + study.name() + ": " + std::to_string(slots) + (slots == 1 ? " slot" : " slots");
  if (spec.limits.trials) text += ", " + std::to_string(*spec.limits.trials) + (*spec.limits.trials == 1 ? " trial" : " trials");
  text += ", sampler " + spec.search.sampler.type + ", pruner " + spec.search.pruner.type;
  return text + ", seed " + std::to_string(study.seed()) + ", in " + folder.string();
}

}  // namespace

int run_session(OpenStudy& opened, const CommonOptions& common) {
  for (const std::string& warning : opened.store->warnings()) std::cerr << "warning: " << warning << "\n";
  LocalExecutor executor(opened.folder, self_program());
  auto push = [&executor](Fact fact) { executor.push(std::move(fact)); };
  Signals signals(executor.io(), push);
  ControlServer control(executor.io(), opened.folder, opened.study, push);
  SessionStarted session{host_name(), ::getpid(), local_slots(opened.study.spec()), program_mark(opened.study.spec())};
  if (!common.quiet) std::cerr << start_line(opened.study, session.slots.size(), opened.folder) << "\n";
  auto progress = make_progress({common.quiet, common.very_quiet, common.verbose, common.no_color, STDERR_FILENO});
  SystemClock clock;
  Runner runner(opened.study, opened.policy.view(), *opened.store, executor, clock,
                [&](const Study& study, const std::vector<Event>& events) {
                  control.committed(events);
                  executor.tidy(study);
                  progress(study, events);
                });
  const int status = runner.run(std::move(session));
  print_summary(common, opened.study, opened.folder, status);
  return status;
}

void print_summary(const CommonOptions& common, const Study& study, const fs::path& folder, int status) {
  if (!common.very_quiet || status != 0) std::cout << final_summary(study, folder.string()) << std::flush;
}

int run_detached(const fs::path& folder, const std::function<int()>& session) {
  fs::create_directories(folder);
  const fs::path log = folder / "scheduler.log";
  std::cout << std::flush;
  const pid_t child = ::fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child > 0) {
    std::cerr << "the scheduler runs in the background, pid " << child << "; messages in " << log.string()
              << "\nfollow it: hpsearch status " << folder.filename().string()
              << " --watch\nstop it: hpsearch stop " << folder.filename().string() << "\n";
    return 0;
  }
  ::setsid();
  const int in = ::open("/dev/null", O_RDONLY), out = ::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  ::dup2(in, STDIN_FILENO);
  ::dup2(out, STDOUT_FILENO);
  ::dup2(out, STDERR_FILENO);
  return session();
}

}  // namespace hpsearch
