#include "scheduler/hosts/fleet_executor.h"

#include <algorithm>
#include <utility>

#include "scheduler/clock.h"
#include "scheduler/hosts/local_host.h"
#include "scheduler/hosts/slurm_host.h"
#include "scheduler/hosts/slurm_pilot_host.h"
#include "scheduler/hosts/steady_now.h"
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

constexpr Span kConnectPatience{30'000};
constexpr Span kFarewell{120'000}, kLookAgain{100};

// Connected to when it is taken up: an instance of an elastic host that an earlier session left.
bool there(const FleetHost& host) {
  const HostState state = host.seen.state;
  const bool given_up = state == HostState::releasing || state == HostState::lost || state == HostState::refused;
  return host.standing() && !host.seen.address.empty() && !given_up;
}

// The study's best trials, as many as have their checkpoints kept.
std::vector<int> best_trials(const Study& study) {
  std::vector<int> best;
  for (const Trial& trial : study.trials())
    if (study.ranks(trial)) best.push_back(trial.number);
  const auto before = [&](int a, int b) { return study.ranks_before(study.trial(a), study.trial(b)); };
  const auto kept = std::min<std::size_t>(best.size(), std::max(1, study.spec().trial.keep_checkpoints));
  std::partial_sort(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(kept), best.end(), before);
  best.resize(kept);
  return best;
}

// Null where the study has none of this number.
const Attempt* find_attempt(const Study& study, int trial, int attempt) {
  if (trial < 1 || trial > static_cast<int>(study.trials().size())) return nullptr;
  const std::vector<Attempt>& attempts = study.trial(trial).attempts;
  return attempt < 1 || attempt > static_cast<int>(attempts.size()) ? nullptr : &attempts[attempt - 1];
}

}  // namespace

FleetExecutor::FleetExecutor(const fs::path& study_folder, fs::path program, RemoteHost::Role role)
    : folder_(fs::absolute(study_folder)), program_(std::move(program)), role_(role) {}

FleetExecutor::~FleetExecutor() = default;

// ---- Hosts -------------------------------------------------------------------------------------------------------

std::vector<HostSeen> FleetExecutor::open(const Study& study) {
  std::vector<HostSeen> known;
  for (const HostSpec& spec : session_hosts(study.spec())) {
    hosts_[spec.name] = make(study, spec);
    const auto* local = dynamic_cast<const LocalHost*>(hosts_[spec.name].get());
    if (const auto seen = local ? local->seen() : std::nullopt) known.push_back(*seen);
  }
  return known;
}

std::unique_ptr<Host> FleetExecutor::make(const Study& study, const HostSpec& spec) {
  if (spec.elastic) {
    const FleetHost* known = study.fleet().find(spec.name);
    return std::make_unique<ElasticHost>(io_, facts_, spec, study, folder_, program_, &home_, role_, known ? known->seen.address : "",
                                         known && there(*known));
  }
  switch (spec.kind) {
    case HostKind::local: return std::make_unique<LocalHost>(io_, facts_, spec, study, folder_, program_);
    case HostKind::slurm:
      if (spec.slurm.pilot) return std::make_unique<SlurmPilotHost>(io_, facts_, spec, study, folder_, program_);
      return std::make_unique<SlurmHost>(io_, facts_, spec, study, folder_, program_);
    case HostKind::ssh:
    case HostKind::command: return std::make_unique<RemoteHost>(io_, facts_, spec, study, program_, &home_, role_);
  }
  return nullptr;
}

// Hosts that have left the space file are taken up for the sake of the trials they still run.
Host* FleetExecutor::host(const Study& study, const std::string& name) {
  if (const auto found = hosts_.find(name); found != hosts_.end()) return found->second.get();
  const FleetHost* known = study.fleet().find(name);
  if (!known) return nullptr;
  return (hosts_[name] = make(study, known->spec)).get();
}

RemoteHost* FleetExecutor::remote(const Study& study, const std::string& name) {
  const FleetHost* known = study.fleet().find(name);
  const bool far = known && (known->spec.kind == HostKind::ssh || known->spec.kind == HostKind::command);
  if (far && known->spec.elastic) return elastic(study, name)->remote();
  return far ? dynamic_cast<RemoteHost*>(host(study, name)) : nullptr;
}

ElasticHost* FleetExecutor::elastic(const Study& study, const std::string& name) { return dynamic_cast<ElasticHost*>(host(study, name)); }

// ---- Elastic hosts -------------------------------------------------------------------------------------------------

void FleetExecutor::carry_out(const Study& study, const HostOrdered& order) {
  ElasticHost* const instance = elastic(study, order.host);
  if (!instance) return;
  if (order.order == HostOrder::launch) return instance->launch();
  auto& farewell = farewells_[order.host];
  farewell = std::make_unique<Farewell>(Farewell{order.host, order.reason, steady_now() + kFarewell, 0, {}, boost::asio::steady_timer(io_)});
  const auto done = [&left = farewell->left](const std::string&, const FileTree&) { --left; };
  for (int number : best_trials(study)) {
    for (const Attempt& attempt : study.trial(number).attempts) {
      const bool here = attempt.slot.host == order.host && attempt.started && !study.fleet().replaced(order.host, attempt.planned_at);
      if (!here || !instance->remote() || !instance->remote()->up()) continue;
      farewell->left += 2;
      copy_home(*instance->remote(), study.trial(number), attempt, done, farewell->copies);
    }
  }
  bid_farewell(study, *farewell);
}

// What is gone with an instance is gone: its last checkpoints, and what the best trials made, are waited for.
void FleetExecutor::bid_farewell(const Study& study, Farewell& farewell) {
  const auto from_there = [&](const auto& move) {
    const Attempt* from = find_attempt(study, move.second.plan.trial, move.second.plan.resume_attempt);
    return from && from->slot.host == farewell.host;
  };
  const auto mirror = mirrors_.find(farewell.host);
  const RemoteHost* const there = remote(study, farewell.host);
  const bool busy = farewell.left > 0 || (mirror != mirrors_.end() && mirror->second->busy()) ||
                    std::any_of(moves_.begin(), moves_.end(), from_there);
  if (busy && there && there->up() && steady_now() < farewell.until) {
    farewell.timer.expires_after(kLookAgain);
    farewell.timer.async_wait([this, &study, &farewell](const auto& error) {
      if (!error) bid_farewell(study, farewell);
    });
    return;
  }
  mirrors_.erase(farewell.host);
  elastic(study, farewell.host)->release(farewell.reason);
}

std::string FleetExecutor::release_instances(const Study& study, const std::function<void(Fact)>& note) {
  std::vector<std::string> left;
  for (const FleetHost& host : study.fleet().hosts())
    if (host.standing()) left.push_back(host.spec.name);
  for (const std::string& name : left) {
    const std::string address = study.fleet().find(name)->seen.address;
    note(HostSeen{name, HostState::releasing, "", 0, 0, {}, address});
    farewells_.erase(name);
    mirrors_.erase(name);
    elastic(study, name)->release("the session ended");
  }
  const auto releasing = [&](const std::string& name) { return elastic(study, name)->releasing(); };
  for (int interruptions = 0; interruptions < 2 && (!facts_.empty() || std::any_of(left.begin(), left.end(), releasing));) {
    const auto news = wait(SystemClock().now() + kLookAgain);
    const Fact* fact = std::get_if<Fact>(&news);
    if (fact && std::holds_alternative<HostSeen>(*fact)) note(*fact);
    if (fact && std::holds_alternative<Interrupted>(*fact)) ++interruptions;
  }
  std::string faults;
  for (const std::string& name : left) {
    const FleetHost& host = *study.fleet().find(name);
    if (host.standing()) faults += "host " + name + ": " + study.fleet().why_not(host) + "\n";
  }
  return faults;
}

// ---- Attempts ----------------------------------------------------------------------------------------------------

void FleetExecutor::start(const Study& study, const AttemptPlanned& plan) {
  const Attempt* from = find_attempt(study, plan.trial, plan.resume_attempt);
  // What lies there may be torn, or there is another machine by now.
  const bool given_up = from && from->saved && ((from->end && from->end->kind == EndKind::lost) || study.fleet().replaced(from->slot.host, from->planned_at));
  if (!from || (from->slot.host == plan.slot.host && !given_up)) return host(study, plan.slot.host)->start(study, plan);
  if (remote(study, from->slot.host) && !given_up && !from->latest_is_saved()) return bring_home(study, plan);
  send_on(study, plan);
}

void FleetExecutor::tell(const Study& study, const std::variant<Judged, EndOrdered>& word) {
  const auto pass_on = [&](int trial, int attempt, const SchedulerWord& text) {
    const Attempt* told = find_attempt(study, trial, attempt);
    if (Host* where = told ? host(study, told->slot.host) : nullptr) where->tell({trial, attempt}, text);
  };
  if (const auto* judged = std::get_if<Judged>(&word)) {
    pass_on(judged->trial, judged->attempt, VerdictWord{judged->verdict, judged->milestone});
  } else if (const auto* ordered = std::get_if<EndOrdered>(&word)) {
    if (moves_.erase(ordered->trial) > 0)
      return facts_.push(ended_fact({ordered->trial, ordered->attempt}, {{EndKind::lost, 0, true, "ended before it started", ""}, SystemClock().now()}));
    pass_on(ordered->trial, ordered->attempt, OrderWord{ordered->order});
  }
}

void FleetExecutor::adopt(const Study& study, const Trial& trial, const Attempt& attempt) {
  if (Host* where = host(study, attempt.slot.host)) return where->adopt(adoption_of(study, trial, attempt));
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

// ---- Checkpoints on the move ---------------------------------------------------------------------------------------

std::string FleetExecutor::path_there(const RemoteHost& host, AttemptName name) const {
  return attempt_folder(host.study_path(), name.trial, name.attempt).checkpoint();
}

std::string FleetExecutor::path_here(AttemptName name) const {
  return attempt_folder(folder_, name.trial, name.attempt).checkpoint();
}

// From the host that has it to this machine, then on.
void FleetExecutor::bring_home(const Study& study, const AttemptPlanned& plan) {
  const AttemptName name{plan.trial, plan.resume_attempt};
  RemoteHost& from = *remote(study, study.trial(plan.trial).attempts[plan.resume_attempt - 1].slot.host);
  const std::uint64_t seq = study.trial(plan.trial).attempts[plan.resume_attempt - 1].checkpoint_seq;
  copy(study, plan, from, home_, checkpoint_order(path_there(from, name), plan.resume_checkpoint, path_here(name)), [this, &study, plan, name, seq] {
    facts_.push(CheckpointSaved{name.trial, name.attempt, plan.resume_checkpoint, seq});
    send_on(study, plan);
  });
}

void FleetExecutor::send_on(const Study& study, const AttemptPlanned& plan) {
  const AttemptName name{plan.trial, plan.resume_attempt};
  RemoteHost* const to = remote(study, plan.slot.host);
  if (!to) return moved(plan.trial), host(study, plan.slot.host)->start(study, plan);
  copy(study, plan, home_, *to, checkpoint_order(path_here(name), plan.resume_checkpoint, path_there(*to, name)), [this, &study, plan] {
    moved(plan.trial);
    host(study, plan.slot.host)->start(study, plan);
  });
}

// The copy that has just been made is still at work.
void FleetExecutor::moved(int trial) {
  if (auto move = moves_.extract(trial)) copied_.push_back(std::move(move.mapped().copy));
}

void FleetExecutor::copy(const Study& study, const AttemptPlanned& plan, FileDesk& from, FileDesk& to, TreeCopy::Order order,
                         std::function<void()> then) {
  moved(plan.trial);
  moves_[plan.trial] = {plan, nullptr};
  moves_[plan.trial].copy = std::make_unique<TreeCopy>(from, to, std::move(order),
      [this, &study, plan, then = std::move(then)](const std::string& fault, const FileTree&) {
        if (!moves_.contains(plan.trial)) return;  // Told to end meanwhile.
        if (fault.empty()) return then();
        moved(plan.trial);
        const bool away = fault.find("unreachable") != std::string::npos;  // Else it would fail again at once.
        facts_.push(ended_fact({plan.trial, plan.attempt}, {{away ? EndKind::lost : EndKind::launch_failed, 0, false,
                                                             "its checkpoint can't be moved: " + fault, ""}, SystemClock().now()}));
      });
}

void FleetExecutor::committed(const Study& study, const std::vector<Event>& events) {
  copied_.clear();
  for (const Event& event : events) {
    if (const auto* order = event_as<HostOrdered>(event)) carry_out(study, *order);
    if (const auto* report = event_as<Reported>(event)) mirror(study, *report);
    if (const auto* end = event_as<AttemptEnded>(event)) mirror_last(study, *end);
    if (const auto* seen = event_as<HostSeen>(event)) mirror_missed(study, *seen);
  }
  if (std::exchange(hungry_, study.wants_room()) != study.wants_room())
    for (const auto& [name, host] : hosts_)
      if (RemoteHost* far = remote(study, name)) far->tell_hunger();
  tidy(study, events);
}

void FleetExecutor::mirror(const Study& study, const Reported& report) {
  const Attempt* attempt = study.trial(report.trial).current();
  if (!report.checkpoint.empty() && attempt && attempt->number == report.attempt && !attempt->ended)
    want(study, *attempt, {report.trial, report.attempt}, false);
}

void FleetExecutor::mirror_last(const Study& study, const AttemptEnded& end) {
  const Attempt* attempt = find_attempt(study, end.trial, end.attempt);
  if (attempt && !attempt->latest_is_saved() && attempt->reported_step > 0) want(study, *attempt, {end.trial, end.attempt}, true);
}

// What could not come home while the host was away.
void FleetExecutor::mirror_missed(const Study& study, const HostSeen& seen) {
  if (seen.state != HostState::up) return void(up_.erase(seen.host));
  if (!up_.insert(seen.host).second || !remote(study, seen.host)) return;
  for (const Trial& trial : study.trials()) {
    const Attempt* attempt = trial.finished() ? nullptr : trial.checkpointed();
    if (attempt && attempt->ended && attempt->slot.host == seen.host && !attempt->latest_is_saved())
      want(study, *attempt, {trial.number, attempt->number}, true);
  }
}

void FleetExecutor::want(const Study& study, const Attempt& attempt, AttemptName name, bool last) {
  if (!study.spec().trial.checkpoint || study.trial(name.trial).finished()) return;
  RemoteHost* const there = remote(study, attempt.slot.host);
  if (!there || !there->up() || study.fleet().replaced(attempt.slot.host, attempt.planned_at)) return;
  auto& mirror = mirrors_[attempt.slot.host];
  if (!mirror)
    mirror = std::make_unique<CheckpointMirror>(io_, *there, home_, [this](const CheckpointMirror::Wanted& wanted) {
      facts_.push(CheckpointSaved{wanted.name.trial, wanted.name.attempt, wanted.checkpoint, wanted.attempt_seq});
    });
  mirror->want({name, attempt.checkpoint, path_there(*there, name), path_here(name), attempt.checkpoint_seq, last});
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
    if (Host* const where = host(study, place)) where->discard({trial, attempt.number});
  if (attempt.saved) delete_checkpoint(folder_, trial, attempt.number);
}

std::vector<Fact> FleetExecutor::last_checkpoints(Span patience) {
  const Span until = steady_now() + patience;
  const auto busy = [](const auto& mirror) { return mirror.second->busy(); };
  while (std::any_of(mirrors_.begin(), mirrors_.end(), busy) && steady_now() < until) io_.run_one_for(Span(50));
  std::vector<Fact> saved;
  while (auto fact = facts_.pop())
    if (std::holds_alternative<CheckpointSaved>(*fact)) saved.push_back(std::move(*fact));
  return saved;
}

// Everything of an attempt, and what its trial made.
void FleetExecutor::copy_home(RemoteHost& from, const Trial& trial, const Attempt& attempt, const TreeCopy::Done& done,
                              std::vector<std::unique_ptr<TreeCopy>>& copies) {
  const std::string there = attempt_folder(from.study_path(), trial.number, attempt.number).root.string();
  const std::string here = attempt_folder(folder_, trial.number, attempt.number).root.string();
  const std::string made_there = artifact_folder(from.study_path(), trial.number), made = artifact_folder(folder_, trial.number);
  copies.push_back(std::make_unique<TreeCopy>(from, home_, TreeCopy::Order{{{"do", "tree"}, {"path", there}}, here + ".contents",
                                                                           {{"do", "replace"}, {"path", here}}, false}, done));
  copies.push_back(std::make_unique<TreeCopy>(from, home_, TreeCopy::Order{{{"do", "tree"}, {"path", made_there}}, made + ".contents",
                                                                           {{"do", "merge"}, {"path", made}}, false}, done));
}

// ---- What a trial left --------------------------------------------------------------------------------------------

std::string FleetExecutor::fetch(const Study& study, const Trial& trial, Span patience) {
  std::string faults;
  for (const Attempt& attempt : trial.attempts) {
    if (!attempt.started) continue;
    const FleetHost* const known = study.fleet().find(attempt.slot.host);
    RemoteHost* const there = remote(study, attempt.slot.host);
    if (known && known->spec.elastic && (!there || study.fleet().replaced(attempt.slot.host, attempt.planned_at))) {
      if (!fs::exists(attempt_folder(folder_, trial.number, attempt.number).launch()))
        faults += (faults.empty() ? "" : "; ") + ("attempt " + std::to_string(attempt.number) + " went with its instance of " + known->spec.entry);
      continue;
    }
    if (!there) continue;
    const Span until = steady_now() + patience, connected = steady_now() + kConnectPatience;
    const bool waits = role_ == RemoteHost::Role::visitor;  // A scheduler has done so all the time.
    while (waits && !there->up() && !there->refused() && steady_now() < connected) io_.run_one_for(Span(100));
    if (!there->up()) {
      faults += (faults.empty() ? "" : "; ") + ("host " + attempt.slot.host + " can't be reached");
      continue;
    }
    int left = 2;
    const auto done = [&](const std::string& fault, const FileTree&) {
      --left;
      if (!fault.empty()) faults += (faults.empty() ? "" : "; ") + ("attempt " + std::to_string(attempt.number) + ": " + fault);
    };
    std::vector<std::unique_ptr<TreeCopy>> copies;
    copy_home(*there, trial, attempt, done, copies);
    while (left > 0 && steady_now() < until) io_.run_one_for(Span(100));
    if (left > 0) return faults + "host " + attempt.slot.host + " takes too long";
  }
  return faults;
}

}  // namespace hpsearch
