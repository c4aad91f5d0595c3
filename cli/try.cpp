#include <fcntl.h>
#include <sys/file.h>

#include <boost/asio/steady_timer.hpp>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <list>

#include "cli/assignments.h"
#include "cli/check_space.h"
#include "cli/keepers.h"
#include "cli/signals.h"
#include "cli/verb.h"
#include "dashboard/try_report.h"
#include "scheduler/hosts/file_descriptor.h"
#include "scheduler/hosts/find_program.h"
#include "scheduler/hosts/fleet_executor.h"
#include "scheduler/hosts/trial_folders.h"
#include "scheduler/policy.h"
#include "scheduler/runner.h"
#include "search/user_point.h"
#include "trials/user_error.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

constexpr int kShortRun = 2;  // Units of resource: enough to see a second step and whether the program then stops.

// A folder that is gone when the trial is. Its lock tells `ps` and `reap` that somebody waits for the trial.
struct ScratchFolder {
  ScratchFolder() {
    std::string pattern = (fs::temp_directory_path() / "hpsearch-try-XXXXXX").string();
    if (!::mkdtemp(pattern.data())) throw std::system_error(errno, std::generic_category(), pattern);
    path = pattern;
    lock = FileDescriptor(::open((path / kTryLock).c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    ::flock(lock.get(), LOCK_EX);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  fs::path path;
  FileDescriptor lock;
};

// Copies what a growing log gains to a stream, every 50 ms.
class Echo {
 public:
  Echo(boost::asio::io_context& io, fs::path file, std::ostream& out) : timer_(io), file_(std::move(file)), out_(out) { wait(); }

  void copy() {
    std::ifstream in(file_, std::ios::binary);
    in.seekg(at_);
    char buffer[8192];
    while (in.read(buffer, sizeof buffer) || in.gcount() > 0) {
      out_.write(buffer, in.gcount());
      at_ += in.gcount();
    }
    out_.flush();
  }

 private:
  void wait() {
    timer_.expires_after(std::chrono::milliseconds(50));
    timer_.async_wait([this](const auto& error) {
      if (error) return;
      copy();
      wait();
    });
  }

  boost::asio::steady_timer timer_;
  fs::path file_;
  std::ostream& out_;
  std::streamoff at_ = 0;
};

// One trial, a short one, that tests the program and not the search.
StudySpec trial_spec(const StudySpec& spec, const Json& given) {
  Json document = spec.document;
  document["limits"]["trials"] = 1;
  document["hosts"] = Json::array({{{"local", true}, {"slots", 1}}});
  document["trial"]["retries"] = 0;
  document["search"] = {{"sampler", "random"}, {"pruner", "none"}};
  if (spec.search.seed) document["search"]["seed"] = *spec.search.seed;
  if (given.empty()) document.erase("enqueue");
  else document["enqueue"] = Json::array({given});
  if (spec.resource && !spec.resource->measured()) {
    document["resource"]["min"] = 1;
    document["resource"]["max"] = std::min<int>(kShortRun, static_cast<int>(spec.resource->max));
  }
  return parse_spec_document(document, spec.name, spec.folder);
}

// Processes whose output is to be shown.
int most_ranks(const StudySpec& spec) {
  return spec.trial.launch == LaunchRule::per_gpu ? static_cast<int>(spec.trial.gpus.value_or(1)) : 1;
}

int try_space(const std::string& file, const std::vector<std::string>& set, bool json) {
  const StudySpec given = checked_space(file);
  const Json wanted = parse_assignments(set);
  if (auto fault = user_point_fault(given.space, wanted)) throw UserError("--set: " + *fault);
  const StudySpec spec = trial_spec(given, wanted);
  for (const std::string& warning : spec.warnings) std::cerr << "warning: " << warning << "\n";
  const ScratchFolder scratch;
  MemoryStore store;
  Study study;
  FleetExecutor executor(scratch.path, self_program());
  const AttemptFolder attempt = attempt_folder(scratch.path, 1, 1);
  std::list<Echo> echoes;
  for (int rank = 0; rank < most_ranks(spec); ++rank)
    for (const fs::path& log : {attempt.output(rank), attempt.errors(rank)}) echoes.emplace_back(executor.io(), log, std::cerr);
  SystemClock clock;
  const std::uint64_t seed = spec.search.seed.value_or(1);
  const OwnedPolicy policy{make_sampler(spec, seed), make_pruner(spec)};
  Runner runner(study, policy.view(), store, executor, clock);
  // One Ctrl-C ends a trial that is thrown away anyway; TERM and HUP leave no time to ask.
  Signals signals(executor.io(), [&](int signal, int interrupts) {
    executor.push(Interrupted{signal == SIGINT ? 1 + interrupts : 3});
  });
  runner.note(StudyCreated{"try", seed, spec.name, spec.folder, spec.document});
  const int status = runner.run({"local", ::getpid(), executor.open(study), ""});
  for (Echo& echo : echoes) echo.copy();
  std::vector<Event> events;
  store.read([&](const Event& event) { events.push_back(event); });
  const TryReport report = observe_try(study, events);
  std::cout << (json ? try_json(report).dump(2) + "\n" : try_text(report));
  if (status == 130) return status;
  return study.any_value() ? 0 : 3;
}

}  // namespace

void add_try(CLI::App& app, const CommonOptions&, Action& action) {
  auto* verb = app.add_subcommand("try", "Run one short trial in the foreground and say what was seen of it; keep nothing");
  auto file = std::make_shared<std::string>();
  auto set = std::make_shared<std::vector<std::string>>();
  auto json = std::make_shared<bool>(false);
  verb->add_option("SPACE", *file, "The space file")->required();
  verb->add_option("--set", *set, "NAME=VALUE: a parameter's value instead of a drawn one; may be repeated");
  verb->add_flag("--json", *json, "Say what was seen in JSON");
  verb->callback([=, &action] { action = [=] { return try_space(*file, *set, *json); }; });
}

}  // namespace hpsearch
