#include "scheduler/hosts/fleet_executor.h"

#include <set>
#include <utility>

#include "scheduler/clock.h"
#include "scheduler/hosts/trial_folders.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

Adoption adoption_of(const Study& study, const Trial& trial, const Attempt& attempt) {
  Adoption adoption{{trial.number, attempt.number}, attempt.id, attempt.last_attempt_seq, study.spec().metric().name, {}};
  adoption.words.push_back(VerdictWord{attempt.verdict.value_or(Verdict::go_on), attempt.milestone});
  if (attempt.order) adoption.words.push_back(OrderWord{attempt.order->order});
  return adoption;
}

constexpr Span kConnectPatience{30'000}, kCopyPatience{60'000}, kLookAgain{100};

void add(std::string& faults, const std::string& fault) {
  if (!fault.empty()) faults += (faults.empty() ? "" : "; ") + fault;
}

}  // namespace

FleetExecutor::FleetExecutor(const fs::path& study_folder, fs::path program, RemoteHost::Role role)
    : folder_(fs::absolute(study_folder)), role_(role), hosts_(io_, facts_, folder_, std::move(program), role) {}

FleetExecutor::~FleetExecutor() = default;

// ---- Attempts ----------------------------------------------------------------------------------------------------

void FleetExecutor::start(const Study& study, const AttemptPlanned& plan) { moves_.start(study, plan); }

void FleetExecutor::tell(const Study& study, const std::variant<Judged, EndOrdered>& word) {
  const auto pass_on = [&](int trial, int attempt, const SchedulerWord& text) {
    const Attempt* told = study.find_attempt(trial, attempt);
    if (Host* where = told ? hosts_.find(study, told->slot.host) : nullptr) where->tell({trial, attempt}, text);
  };
  if (const auto* judged = std::get_if<Judged>(&word)) {
    pass_on(judged->trial, judged->attempt, VerdictWord{judged->verdict, judged->milestone});
  } else if (const auto* ordered = std::get_if<EndOrdered>(&word)) {
    if (moves_.cancel(ordered->trial))
      return facts_.push(ended_fact({ordered->trial, ordered->attempt}, {{EndKind::lost, 0, true, "ended before it started", ""}, SystemClock().now()}));
    pass_on(ordered->trial, ordered->attempt, OrderWord{ordered->order});
  }
}

void FleetExecutor::adopt(const Study& study, const Trial& trial, const Attempt& attempt) {
  if (Host* where = hosts_.find(study, attempt.slot.host)) return where->adopt(adoption_of(study, trial, attempt));
  facts_.push(ended_fact({trial.number, attempt.number},
                         {{EndKind::lost, 0, false, "its host " + attempt.slot.host + " is unknown", ""}, SystemClock().now()}));
}

std::variant<Fact, Tick> FleetExecutor::wait(std::optional<Time> deadline) {
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
  return std::move(*facts_.pop());
}

// ---- What became durable -------------------------------------------------------------------------------------------

void FleetExecutor::committed(const Study& study, const std::vector<Event>& events) {
  moves_.tidy();
  for (const Event& event : events) {
    const auto* order = event_as<HostOrdered>(event);
    ElasticHost* const instance = order ? hosts_.elastic(study, order->host) : nullptr;
    if (!instance) continue;
    if (order->order == HostOrder::launch) instance->launch();
    else farewells_.begin(study, order->host);
  }
  homecoming_.committed(study, events);
  if (std::exchange(hungry_, study.wants_room()) != study.wants_room()) hosts_.tell_hunger(study);
  tidy(study, events);
}

void FleetExecutor::tidy(const Study& study, const std::vector<Event>& events) {
  if (!checkpoints_) {
    checkpoints_ = std::make_unique<CheckpointStore>([this, &study](const Attempt& attempt, int trial) { discard(study, attempt, trial); });
    checkpoints_->tidy_all(study);
  }
  for (const Event& event : events) {
    if (const auto* settled = event_as<TrialSettled>(event); settled && settled->attempt > 0) checkpoints_->tidy(study, settled->trial);
    if (const auto* saved = event_as<CheckpointSaved>(event)) checkpoints_->tidy(study, saved->trial);
  }
}

void FleetExecutor::discard(const Study& study, const Attempt& attempt, int trial) {
  std::set<std::string> places{attempt.slot.host};         // And where it was sent for others to go on from.
  for (const Attempt& later : study.trial(trial).attempts)
    if (later.resume_attempt == attempt.number) places.insert(later.slot.host);
  for (const std::string& place : places)
    if (Host* const where = hosts_.find(study, place)) where->discard({trial, attempt.number});
  if (attempt.saved) delete_checkpoint(folder_, trial, attempt.number);
}

// ---- What a trial left ---------------------------------------------------------------------------------------------

// Whether it is, now or within a while: a scheduler has tried all the time, unless it ends at once.
bool FleetExecutor::connected(const RemoteHost& there) {
  const Span until = steady_now() + kConnectPatience;
  while (!there.up() && !there.refused() && !there.ever_up() && steady_now() < until) io_.run_one_for(kLookAgain);
  return there.up();
}

std::string FleetExecutor::ask_for(const Study& study, const Trial& trial, std::set<std::string>& hosts) {
  std::string faults;
  std::set<std::string> away;
  for (const Attempt& attempt : trial.attempts) {
    const std::string& name = attempt.slot.host;
    const FleetHost* const known = study.fleet().find(name);
    RemoteHost* const there = hosts_.remote(study, name);
    const bool gone = known && known->spec.elastic && (!there || study.fleet().replaced(name, attempt.planned_at));
    const bool here = fs::exists(attempt_folder(folder_, trial.number, attempt.number).exit()) && (gone || role_ == RemoteHost::Role::scheduler);
    if (!attempt.started || here || (!there && !gone)) continue;
    if (gone) {
      add(faults, "attempt " + std::to_string(attempt.number) + " went with its instance of " + known->spec.entry);
    } else if (away.contains(name) || !connected(*there)) {
      if (away.insert(name).second) add(faults, "host " + name + " can't be reached");
    } else {
      homecoming_.fetch(study, trial, attempt);
      hosts.insert(name);
    }
  }
  return faults;
}

std::string FleetExecutor::fetch(const Study& study, const Trial& trial) {
  std::set<std::string> hosts;
  std::string faults = ask_for(study, trial, hosts);
  Patience patience(kCopyPatience);
  while (homecoming_.busy() && patience.left(homecoming_.progress(study))) io_.run_one_for(kLookAgain);
  for (const std::string& host : hosts) add(faults, homecoming_.end(host));
  return faults;
}

// ---- The end of a session ------------------------------------------------------------------------------------------

void FleetExecutor::release_instances(const Study& study, const Note& note) {
  for (const FleetHost& host : std::vector<FleetHost>(study.fleet().hosts())) {
    if (!host.standing()) continue;
    if (host.seen.state != HostState::releasing) note(HostSeen{host.spec.name, HostState::releasing, "", 0, 0, {}, host.seen.address});
    farewells_.begin(study, host.spec.name);
  }
}

// While something goes on that is worth waiting for.
void FleetExecutor::linger(const Study& study, Ending& ending, const Note& note) {
  Patience patience(kCopyPatience);
  const auto going = [&] {
    const bool coming = ending == Ending::whole && homecoming_.busy() && patience.left(homecoming_.progress(study));
    return ending != Ending::left && (coming || farewells_.under_way(study));
  };
  while (!facts_.empty() || going()) {
    const auto news = wait(SystemClock().now() + kLookAgain);
    const Fact* const fact = std::get_if<Fact>(&news);
    if (!fact) continue;
    if (std::holds_alternative<HostSeen>(*fact) || std::holds_alternative<CheckpointSaved>(*fact)) note(*fact);
    const auto* const word = std::get_if<Interrupted>(fact);
    if (word) ending = word->level == 0 || ending != Ending::whole ? Ending::left : Ending::hurried;
    if (word) farewells_.hurry();
  }
}

std::string FleetExecutor::close(const Study& study, Ending ending, const Note& note) {
  if (ending == Ending::hurried) farewells_.hurry();
  if (ending != Ending::left) release_instances(study, note);
  linger(study, ending, note);
  if (ending != Ending::whole || !study.ended() || !study.best()) return "";
  std::set<std::string> hosts;
  std::string faults = ask_for(study, study.trial(*study.best()), hosts);
  linger(study, ending, note);
  for (const std::string& host : hosts) add(faults, homecoming_.end(host));
  return faults;
}

}  // namespace hpsearch
