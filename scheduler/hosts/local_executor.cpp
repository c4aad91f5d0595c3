#include "scheduler/hosts/local_executor.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>
#include <system_error>

#include "scheduler/clock.h"
#include "scheduler/hosts/launch_plan.h"
#include "scheduler/hosts/spawn.h"
#include "scheduler/hosts/text_file.h"
#include "scheduler/hosts/unix_socket.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

constexpr int kChannelDescriptor = 3;

bool disk_fault(const std::error_code& code) {
  for (int error : {ENOSPC, EDQUOT, EROFS, EIO})
    if (code.value() == error) return true;
  return false;
}

std::vector<std::string> keeper_environment(const std::string& id) {
  std::vector<std::string> env{"HPSEARCH_ATTEMPT_ID=" + id};
  for (char** entry = environ; *entry; ++entry)
    if (!std::string_view(*entry).starts_with("HPSEARCH_ATTEMPT_ID=")) env.emplace_back(*entry);
  return env;
}

// What the keeper itself has to complain about goes to the attempt's stderr.log.
pid_t spawn_keeper(const fs::path& program, const AttemptFolder& folder, const std::string& id, int listener) {
  const FileDescriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  const FileDescriptor errors(::open(folder.errors().c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (!errors.open()) throw std::system_error(errno, std::generic_category(), folder.errors().string());
  return spawn({program,
                {"hpsearch", "keeper", folder.root},
                keeper_environment(id),
                "",
                {{0, nothing.get()}, {1, nothing.get()}, {2, errors.get()}, {kChannelDescriptor, listener}},
                Lead::session});
}

std::string socket_of(const AttemptFolder& folder) {
  const auto text = read_file(folder.launch());
  const Json launch = Json::parse(text.value_or(""), nullptr, false);
  return launch.is_object() ? launch.value("socket", "") : "";
}

}  // namespace

LocalExecutor::LocalExecutor(const fs::path& study_folder, fs::path program)
    : folder_(fs::absolute(study_folder)), program_(std::move(program)), checkpoints_(folder_) {}

LocalExecutor::~LocalExecutor() { reap_keepers(); }

void LocalExecutor::start(const Study& study, const AttemptPlanned& plan) {
  sweep();
  try {
    launch(study, plan);
  } catch (const std::system_error& fault) {
    if (disk_fault(fault.code())) throw;
    facts_.push(AttemptEnded{plan.trial, plan.attempt, {EndKind::launch_failed, 0, false, fault.what(), ""}, SystemClock().now()});
  } catch (const std::exception& fault) {
    facts_.push(AttemptEnded{plan.trial, plan.attempt, {EndKind::launch_failed, 0, false, fault.what(), ""}, SystemClock().now()});
  }
}

void LocalExecutor::launch(const Study& study, const AttemptPlanned& plan) {
  Launch launch = launch_of(study, plan, folder_);
  const AttemptFolder folder = attempt_folder(folder_, plan.trial, plan.attempt);
  launch.socket = attempt_socket_path(plan.id);
  fs::create_directories(folder.root);
  write_atomically(folder.launch(), launch_json(launch).dump() + '\n', Durability::none);
  const FileDescriptor listener = listen_at(launch.socket);
  try {
    keepers_.push_back(spawn_keeper(program_, folder, plan.id, listener.get()));
  } catch (const std::system_error&) {
    ::unlink(launch.socket.c_str());
    throw;
  }
  add({plan.trial, plan.attempt}, plan.id, 0, launch.metric).attach(launch.socket);
}

LocalAttempt& LocalExecutor::add(AttemptName name, const std::string& id, std::uint64_t seen, const std::string& metric) {
  auto& slot = attempts_[name.trial];
  slot = std::make_unique<LocalAttempt>(io_, facts_, attempt_folder(folder_, name.trial, name.attempt), name, id, seen,
                                        metric);
  return *slot;
}

LocalAttempt* LocalExecutor::find(int trial, int attempt) {
  const auto found = attempts_.find(trial);
  return found != attempts_.end() && found->second->name().attempt == attempt ? found->second.get() : nullptr;
}

void LocalExecutor::tell(const Study&, const std::variant<Judged, EndOrdered>& word) {
  struct Telling {
    LocalExecutor& executor;
    void operator()(const Judged& judged) const {
      if (auto* attempt = executor.find(judged.trial, judged.attempt))
        attempt->tell(VerdictWord{judged.verdict, judged.milestone});
    }
    void operator()(const EndOrdered& ordered) const {
      if (auto* attempt = executor.find(ordered.trial, ordered.attempt)) attempt->tell(OrderWord{ordered.order});
    }
  };
  std::visit(Telling{*this}, word);
}

void LocalExecutor::adopt(const Study& study, const Trial& trial, const Attempt& attempt) {
  const AttemptFolder folder = attempt_folder(folder_, trial.number, attempt.number);
  LocalAttempt& adopted = add({trial.number, attempt.number}, attempt.id, attempt.last_attempt_seq, study.spec().metric().name);
  adopted.tell(VerdictWord{attempt.verdict.value_or(Verdict::go_on), attempt.milestone});
  if (attempt.order) adopted.tell(OrderWord{attempt.order->order});
  adopted.attach(socket_of(folder));
}

std::variant<Fact, Tick> LocalExecutor::wait(std::optional<Time> deadline) {
  if (facts_.empty()) io_.poll();
  while (facts_.empty()) {
    if (!deadline) {
      io_.run_one();
      continue;
    }
    const Span left = *deadline - SystemClock().now();
    if (left <= Span(0)) return Tick{};
    io_.run_one_for(left);
  }
  Fact fact = std::move(*facts_.pop());
  if (const auto* ended = std::get_if<AttemptEnded>(&fact)) {
    to_tidy_.push_back({ended->trial, ended->attempt});
    sweep();
  }
  return fact;
}

// Attempts that are over let go of their keeper, which then leaves.
void LocalExecutor::sweep() {
  std::erase_if(attempts_, [](const auto& entry) { return entry.second->over(); });
  reap_keepers();
}

void LocalExecutor::reap_keepers() {
  std::erase_if(keepers_, [](pid_t keeper) { return ::waitpid(keeper, nullptr, WNOHANG) != 0; });
}

void LocalExecutor::tidy(const Study& study) {
  if (!std::exchange(tidied_, true)) checkpoints_.tidy_all(study);
  std::erase_if(to_tidy_, [&](const AttemptName& name) {
    const Attempt& attempt = study.trial(name.trial).attempts[name.attempt - 1];
    if (attempt.settled) checkpoints_.tidy(study, name.trial);
    return attempt.settled;
  });
}

}  // namespace hpsearch
