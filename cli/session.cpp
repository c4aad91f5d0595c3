#include "cli/session.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iostream>

#include "cli/program_mark.h"
#include "cli/signals.h"
#include "dashboard/final_summary.h"
#include "dashboard/progress.h"
#include "dashboard/study_argument.h"
#include "scheduler/hosts/control.h"
#include "scheduler/hosts/file_descriptor.h"
#include "scheduler/hosts/find_program.h"
#include "scheduler/hosts/fleet_executor.h"
#include "scheduler/runner.h"
#include "store/study_lock.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

std::string slots_text(const StudySpec& spec, const std::vector<HostSeen>& known) {
  Fleet fleet;
  fleet.begin(spec);
  for (const HostSeen& host : known) fleet.see(host);
  std::string text = std::to_string(fleet.capacity()) + (fleet.capacity() == 1 ? " slot" : " slots");
  std::string others;
  for (const FleetHost& host : fleet.hosts())
    if (host.seen.state == HostState::connecting) others += (others.empty() ? "" : ", ") + host.spec.name;
  const auto elastic = std::count_if(fleet.hosts().begin(), fleet.hosts().end(), [](const FleetHost& host) { return host.spec.elastic.has_value(); });
  if (elastic > 0) text += " and up to " + std::to_string(elastic) + (elastic == 1 ? " elastic host" : " elastic hosts");
  return text + (others.empty() ? "" : " here, connecting to " + others);
}

std::string start_line(const Study& study, const std::vector<HostSeen>& known, const fs::path& folder) {
  const StudySpec& spec = study.spec();
  std::string text = "study " + study.name() + ": " + slots_text(spec, known);
  if (spec.limits.trials) text += ", " + std::to_string(*spec.limits.trials) + (*spec.limits.trials == 1 ? " trial" : " trials");
  text += ", sampler " + spec.search.sampler.type + ", pruner " + spec.search.pruner.type;
  return text + ", seed " + std::to_string(study.seed()) + ", in " + folder.string();
}

// The session ended because no host is left that a trial could run on.
int no_host_left(const Study& study) {
  std::cerr << "hpsearch: no host can run a trial of study " << study.name() << ":\n";
  for (const FleetHost& host : study.fleet().hosts())
    std::cerr << "  " << host.spec.name << ": " << study.fleet().why_not(host) << "\n";
  return study.trials().empty() ? 2 : 1;
}

// What is up costs money, with a session or without.
void tell_what_stands(const Study& study) {
  std::string standing;
  for (const FleetHost& host : study.fleet().hosts())
    if (host.standing()) standing += "  " + host.spec.name + (host.seen.address.empty() ? "" : " at " + host.seen.address) + ": " + study.fleet().why_not(host) + "\n";
  if (!standing.empty())
    std::cerr << "hpsearch: elastic hosts are still there (hpsearch resume " << study.name() << " takes them up, and down at its end):\n" << standing;
}

// After the runner: what is on its way home comes, and elastic hosts go.
void close_session(FleetExecutor& executor, const Study& study, Runner& runner) {
  using Ending = FleetExecutor::Ending;
  const Ending ending = runner.detached() || !study.live().empty() ? Ending::left : study.interruption() >= 2 ? Ending::hurried : Ending::whole;
  const std::string fault = executor.close(study, ending, [&](Fact fact) { runner.note(std::move(fact)); });
  if (!fault.empty())
    std::cerr << "warning: what trial " << *study.best() << " made did not come home: " << fault << " (hpsearch fetch "
              << *study.best() << " tries again)\n";
}

// ---- In the background ---------------------------------------------------------------------------------------------

void leave_terminal(const fs::path& log) {
  const FileDescriptor in(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const FileDescriptor out(::open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (!out.open()) throw std::system_error(errno, std::generic_category(), log.string());
  ::dup2(in.get(), STDIN_FILENO);
  ::dup2(out.get(), STDOUT_FILENO);
  ::dup2(out.get(), STDERR_FILENO);
}

// Whether the child says that its session is ready; it closes the pipe in any case.
bool began(int pipe) {
  char byte;
  ssize_t n;
  while ((n = ::read(pipe, &byte, 1)) < 0 && errno == EINTR) {
  }
  return n == 1;
}

int tell_where(const fs::path& folder, pid_t child) {
  const std::string study = study_argument(folder);
  std::cerr << "the scheduler runs in the background, pid " << child << "; messages in "
            << (folder / "scheduler.log").string() << "\nfollow it: hpsearch status " << study
            << " --watch\nstop it: hpsearch stop " << study << "\n";
  return 0;
}

int status_of(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace

int run_session(OpenStudy& opened, const CommonOptions& common, const Ready& ready) {
  ready();
  for (const std::string& warning : opened.store->warnings()) std::cerr << "warning: " << warning << "\n";
  FleetExecutor executor(opened.folder, self_program());
  auto push = [&executor](Fact fact) { executor.push(std::move(fact)); };
  const auto interrupt = [&](int signal, int count) { push(Interrupted{signal == SIGINT ? count : 0}); };
  Signals signals(executor.io(), interrupt);  // TERM and HUP end this process and leave the trials to the next one.
  ControlServer control(executor.io(), opened.folder, opened.study, push);
  SessionStarted session{host_name(), ::getpid(), executor.open(opened.study), program_mark(opened.study.spec())};
  if (!common.quiet) std::cerr << start_line(opened.study, session.hosts, opened.folder) << "\n";
  auto progress = make_progress({common.quiet, common.very_quiet, common.verbose, common.no_color, STDERR_FILENO});
  SystemClock clock;
  Runner runner(opened.study, opened.policy.view(), *opened.store, executor, clock,
                [&](const Study& study, const std::vector<Event>& events) {
                  control.committed(events);
                  executor.committed(study, events);
                  progress(study, events);
                });
  int status = 1;
  try {
    status = runner.run(std::move(session));
    if (!opened.study.ended() && opened.study.fleet().hopeless()) status = no_host_left(opened.study);
    close_session(executor, opened.study, runner);
  } catch (...) {
    tell_what_stands(opened.study);
    throw;
  }
  tell_what_stands(opened.study);
  print_summary(common, opened.study, opened.folder, status);
  return status;
}

void print_summary(const CommonOptions& common, const Study& study, const fs::path& folder, int status) {
  if (!common.very_quiet || status != 0) std::cout << final_summary(study, folder.string()) << std::flush;
}

int run_detached(const fs::path& folder, const std::function<int(const Ready&)>& session) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  FileDescriptor read_end(ends[0]), write_end(ends[1]);
  std::cout << std::flush;
  const pid_t child = ::fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child > 0) {
    write_end = FileDescriptor();
    return began(read_end.get()) ? tell_where(folder, child) : status_of(child);
  }
  ::setsid();
  read_end = FileDescriptor();
  return session([&] {
    leave_terminal(folder / "scheduler.log");
    [[maybe_unused]] const auto told = ::write(write_end.get(), "", 1);
    write_end = FileDescriptor();
  });
}

}  // namespace hpsearch
