#include "scheduler/hosts/farewells.h"

#include <algorithm>
#include <vector>

namespace hpsearch {

namespace {

constexpr Span kPatience{120'000}, kPause{100};

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

}  // namespace

void Farewells::begin(const Study& study, const std::string& host) {
  if (farewells_.contains(host) || hosts_.elastic(study, host)->releasing()) return;
  farewells_.emplace(host, Farewell{Patience(kPatience), false, boost::asio::steady_timer(io_)});
  look(study, host);
}

void Farewells::look(const Study& study, const std::string& host) {
  Farewell& farewell = farewells_.at(host);
  if (wait(study, host, farewell)) {
    farewell.timer.expires_after(kPause);
    farewell.timer.async_wait([this, &study, host](const auto& error) {
      if (!error) look(study, host);
    });
    return;
  }
  const std::string faults = homecoming_.end(host);
  hosts_.elastic(study, host)->release(faults.empty() ? "" : "not all came home: " + faults);
  farewells_.erase(host);
}

bool Farewells::wait(const Study& study, const std::string& host, Farewell& farewell) {
  const RemoteHost* const there = hosts_.remote(study, host);
  if (hurried_ || !there || !there->up() || !farewell.patience.left(there->asked())) return false;
  if (homecoming_.busy(host) || moves_.from(study, host)) return true;
  if (std::exchange(farewell.fetching, true)) return false;
  fetch_best(study, host);
  return true;
}

void Farewells::fetch_best(const Study& study, const std::string& host) {
  for (int number : best_trials(study))
    for (const Attempt& attempt : study.trial(number).attempts)
      if (attempt.slot.host == host && attempt.started && !study.fleet().replaced(host, attempt.planned_at))
        homecoming_.fetch(study, study.trial(number), attempt);
}

bool Farewells::under_way(const Study& study) {
  if (!farewells_.empty()) return true;
  const auto& hosts = study.fleet().hosts();
  return std::any_of(hosts.begin(), hosts.end(), [&](const FleetHost& host) {
    return host.standing() && hosts_.elastic(study, host.spec.name)->releasing();
  });
}

}  // namespace hpsearch
