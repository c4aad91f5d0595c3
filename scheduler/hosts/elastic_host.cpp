#include "scheduler/hosts/elastic_host.h"

#include <unistd.h>

#include <array>
#include <utility>

#include "scheduler/clock.h"
#include "scheduler/hosts/instance_lock.h"
#include "scheduler/hosts/instance_words.h"
#include "scheduler/hosts/steady_now.h"
#include "trials/elastic.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

constexpr Span kLaunchPatience{1'800'000}, kReleasePatience{600'000};
constexpr Span kLockAgain{200};                        // Whether a launch command has ended.
constexpr Span kConnectAgain{3'000};                   // To a new instance that does not let us in yet.
constexpr std::array kReleasePauses{Span(1'000), Span(5'000)};

// What the commands find in their environment, beside ours.
std::vector<std::string> instance_environment(const std::string& instance, const std::string& host) {
  std::vector<std::string> env{"HPSEARCH_INSTANCE=" + instance, "HPSEARCH_HOST=" + host};
  for (char** entry = environ; *entry; ++entry) env.emplace_back(*entry);
  return env;
}

}  // namespace

ElasticHost::ElasticHost(boost::asio::io_context& io, FactQueue& facts, HostSpec spec, const Study& study, const fs::path& study_folder,
                         fs::path program, FileDesk* home, RemoteHost::Role role, std::string address, bool there)
    : io_(io),
      facts_(facts),
      news_([this](Fact fact) { take(std::move(fact)); }),
      spec_(std::move(spec)),
      study_(study),
      instance_(instance_name(study.name(), study.id(), spec_.name)),
      lock_file_(study_folder / "instances" / (spec_.name + ".lock")),
      program_(std::move(program)),
      home_(home),
      role_(role),
      address_(std::move(address)),
      timer_(io),
      commands_(io, 1, instance_environment(instance_, spec_.name)) {
  if (!there) return;
  until_ = steady_now() + spec_.lost_after;  // It may still have been starting when the earlier session was killed.
  connect();
}

ElasticHost::~ElasticHost() = default;

// ---- Up ----------------------------------------------------------------------------------------------------------

void ElasticHost::launch() {
  address_.clear();
  proven_ = false;
  launching_ = true;
  lock_ = lock_instance(lock_file_);
  commands_.run({filled(spec_.elastic->launch, "", instance_), "", kLaunchPatience, study_.spec().folder, lock_.get()},
                [this](const CommandResult& result) { launched(result); });
}

void ElasticHost::launched(const CommandResult& result) {
  launching_ = false;
  lock_.close();
  address_ = result.ok() ? address_in(result.output) : "";
  if (releasing_) return;
  if (!result.ok()) return see(HostState::refused, "its launch command failed: " + failure_of(result));
  if (address_.empty()) return see(HostState::refused, "its launch command printed no address");
  see(HostState::launching, "");
  until_ = steady_now() + spec_.lost_after;
  connect();
}

void ElasticHost::connect() {
  leave();
  remote_ = std::make_unique<RemoteHost>(io_, news_, at_address(spec_, address_), study_, program_, home_, role_);
}

void ElasticHost::leave() {
  if (!remote_) return;
  remote_->leave();
  past_.push_back(std::move(remote_));
}

void ElasticHost::take(Fact fact) {
  if (auto* seen = std::get_if<HostSeen>(&fact)) stand(std::move(*seen));
  else facts_.push(std::move(fact));
}

// A new instance may not know our key yet, nor the name server its name: that is told from a refusal by trying for a while.
void ElasticHost::stand(HostSeen seen) {
  if (releasing_) return;
  seen.address = address_;
  proven_ = proven_ || seen.state == HostState::up;
  const bool early = !proven_ && steady_now() < until_;
  if (early && seen.state == HostState::refused) after(kConnectAgain, &ElasticHost::connect);
  if (early && (seen.state == HostState::refused || seen.state == HostState::unreachable)) {
    seen.state = HostState::launching;
    if (std::exchange(reason_, seen.reason) == seen.reason) return;
  }
  facts_.push(std::move(seen));
}

void ElasticHost::see(HostState state, const std::string& reason) {
  facts_.push(HostSeen{spec_.name, state, reason, 0, 0, {}, address_});
}

void ElasticHost::after(Span pause, void (ElasticHost::*then)()) {
  timer_.expires_after(pause);
  timer_.async_wait([this, then](const auto& error) {
    if (!error) (this->*then)();
  });
}

// ---- Down --------------------------------------------------------------------------------------------------------

void ElasticHost::release(const std::string& lost) {
  if (releasing_) return;
  releasing_ = true;
  reason_ = lost;
  tries_ = 0;
  until_ = steady_now() + kLaunchPatience;
  timer_.cancel();
  leave();
  take_down();
}

// What a launch command, be it an earlier scheduler's, is still making can't be taken down yet.
void ElasticHost::take_down() {
  const bool waits = launching_ || (address_.empty() && !proven_ && instance_locked(lock_file_));
  if (waits && steady_now() < until_) return after(kLockAgain, &ElasticHost::take_down);
  commands_.run({filled(spec_.elastic->release, address_, instance_), "", kReleasePatience, study_.spec().folder},
                [this](const CommandResult& result) { taken_down(result); });
}

void ElasticHost::taken_down(const CommandResult& result) {
  if (!result.ok() && tries_ < static_cast<int>(kReleasePauses.size())) return after(kReleasePauses[tries_++], &ElasticHost::take_down);
  releasing_ = false;
  if (!result.ok())
    return see(HostState::releasing, "may still cost money: " + instance_ + (address_.empty() ? "" : " at " + address_) +
                                         "; its release command failed: " + failure_of(result));
  address_.clear();
  see(HostState::off, std::exchange(reason_, ""));
}

// ---- Attempts ----------------------------------------------------------------------------------------------------

void ElasticHost::lose(AttemptName name) {
  facts_.push(ended_fact(name, {{EndKind::lost, 0, false, "host " + spec_.name + " is gone", ""}, SystemClock().now()}));
}

void ElasticHost::start(const Study& study, const AttemptPlanned& plan) {
  if (remote_) remote_->start(study, plan);
  else lose({plan.trial, plan.attempt});
}

void ElasticHost::tell(AttemptName name, const SchedulerWord& word) {
  if (remote_) remote_->tell(name, word);
}

void ElasticHost::adopt(const Adoption& adoption) {
  if (remote_) remote_->adopt(adoption);
  else lose(adoption.name);
}

void ElasticHost::discard(AttemptName name) {
  if (remote_) remote_->discard(name);
}

}  // namespace hpsearch
