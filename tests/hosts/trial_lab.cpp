#include "trial_lab.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "scheduler/clock.h"
#include "scheduler/hosts/process_tree.h"
#include "scheduler/hosts/text_file.h"
#include "scheduler/hosts/unix_socket.h"
#include "tests/support/here.h"
#include "trials/random.h"

namespace hpsearch::testing {

namespace fs = std::filesystem;

namespace {

constexpr Span kPatience{10'000};

Json space(const Json& keys) {
  Json json = {{"study", "lab"},
               {"command", {"sh", "t.sh", "{x}"}},
               {"metric", {{"name", "loss"}, {"goal", "minimize"}}},
               {"params", {{"x", {{"type", "int"}, {"low", 1}, {"high", 9}}}}},
               {"limits", {{"trials", 1}}}};
  for (const auto& [key, value] : keys.items()) json[key] = value;
  return json;
}

// Attempt ids are random, as a runner's: sockets of parallel tests must not meet.
std::string new_id(int attempt) {
  RandomStream random(std::chrono::steady_clock::now().time_since_epoch().count(), "lab", attempt);
  char text[33];
  std::snprintf(text, sizeof text, "%016lx%016lx", random(), random());
  return text;
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "hpsearch-hosts-XXXXXX").string();
  if (!::mkdtemp(name.data())) throw std::runtime_error(name);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

TrialLab::TrialLab(const std::string& script, const Json& keys) {
  std::ofstream(home.path() / "t.sh") << script;
  apply(Fact(StudyCreated{"0123456789abcdef0123456789abcdef", 7, "lab", home.path(), space(keys)}));
  apply(Fact(SessionStarted{"here", 1, {here(1)}, "p"}));
  Suggestion suggestion;
  suggestion.params = {{"x", 5}};
  apply(Decision(TrialSuggested{1, suggestion, 0, std::nullopt}));
  new_executor();
}

TrialLab::~TrialLab() {
  executor_.reset();
  if (study.trial(1).attempts.empty()) return;
  for (const Attempt& attempt : study.trial(1).attempts) {
    const auto left = processes_of_attempt(attempt.id);
    signal_all(left, SIGKILL);
    if (!left.empty()) fs::remove(attempt_socket_path(attempt.id));
  }
}

void TrialLab::apply(std::variant<Fact, Decision> body) {
  study.apply({study.last_seq() + 1, SystemClock().now(), std::move(body)});
}

void TrialLab::new_executor() { executor_ = std::make_unique<FleetExecutor>(home.path() / "study", HOSTS_PROGRAM); }

void TrialLab::start(std::optional<double> milestone, int resume_attempt, const std::string& checkpoint) {
  const int number = static_cast<int>(study.trial(1).attempts.size()) + 1;
  Slot slot;
  slot.devices = devices;
  const AttemptPlanned plan{1, number, new_id(number), slot, milestone, resume_attempt, checkpoint};
  apply(Decision(plan));
  executor_->start(study, plan);
}

Fact TrialLab::next() {
  auto news = executor_->wait(SystemClock().now() + kPatience);
  if (!std::holds_alternative<Fact>(news)) {
    ADD_FAILURE() << "no fact within 10 s";
    throw std::runtime_error("no fact");
  }
  Fact fact = std::get<Fact>(std::move(news));
  apply(fact);
  if (const auto* report = std::get_if<Reported>(&fact)) reports.push_back(*report);
  if (const auto* rejected = std::get_if<ReportRejected>(&fact)) rejections.push_back(*rejected);
  return fact;
}

AttemptEnd TrialLab::end() { return next_of<AttemptEnded>().end; }

void TrialLab::judge(const Reported& report, Verdict verdict, std::optional<double> milestone) {
  const Judged judged{1, report.attempt, report.attempt_seq, verdict, milestone, {}, ""};
  apply(Decision(judged));
  executor_->tell(study, judged);
}

void TrialLab::order(OrderKind kind) {
  const EndOrdered order{1, attempt().number, kind, "", false};
  apply(Decision(order));
  executor_->tell(study, order);
}

void TrialLab::settle(TrialState state) {
  TrialSettled settled;
  settled.trial = 1;
  settled.attempt = attempt().number;
  settled.state = state;
  apply(Decision(settled));
}

void TrialLab::adopt() {
  new_executor();
  executor_->adopt(study, study.trial(1), attempt());
}

std::string TrialLab::file(const fs::path& path) const { return read_file(path).value_or("(no file)"); }

bool eventually(const std::function<bool()>& holds) {
  for (int i = 0; i < 500; ++i) {
    if (holds()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return holds();
}

bool alive(pid_t pid) {
  const auto stat = read_file("/proc/" + std::to_string(pid) + "/stat");
  return stat && stat->find(") Z ") == std::string::npos && !stat->empty();
}

}  // namespace hpsearch::testing
