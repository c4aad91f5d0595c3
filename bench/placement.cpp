// Where the next trial goes, in a fleet: microseconds of one decision with the trial's place taken, as the fleet fills up.
// Usage: placement [HOSTS] [UNITS]

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "trials/fleet.h"

int main(int argc, char** argv) {
  using namespace hpsearch;
  const int hosts = argc > 1 ? std::atoi(argv[1]) : 200, units = argc > 2 ? std::atoi(argv[2]) : 8;
  std::string entries;
  for (int i = 0; i < hosts; ++i) entries += std::string(i > 0 ? "," : "") + R"({"ssh": "gpu)" + std::to_string(i) + R"("})";
  const StudySpec spec = parse_spec(R"({"command": ["true", "{x}"], "metric": {"name": "loss", "goal": "minimize"},
    "params": {"x": {"type": "float", "low": 0, "high": 1}}, "limits": {"trials": 10}, "files": [],
    "trial": {"gpus": 1}, "hosts": [)" + entries + "]}", "bench.json");
  Fleet fleet;
  fleet.begin(spec);
  for (int i = 0; i < hosts; ++i) {
    HostSeen seen{"gpu" + std::to_string(i), HostState::up, "", 64, 512'000'000'000, {}};
    for (int unit = 0; unit < units; ++unit)
      seen.units.push_back({"GPU-" + std::to_string(i) + "-" + std::to_string(unit), "NVIDIA A100", 80'000'000'000, unit, unit / 4, ""});
    fleet.see(seen);
  }
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point begin) { return std::chrono::duration<double, std::micro>(Clock::now() - begin).count(); };
  std::vector<double> decisions, news;
  std::vector<Slot> taken;
  for (int round = 0; round < 3; ++round) {
    for (;;) {
      const auto begin = Clock::now();
      const auto slot = fleet.place("", "");
      if (slot) fleet.occupy(*slot);
      decisions.push_back(since(begin));
      if (!slot) break;
      taken.push_back(*slot);
    }
    for (; !taken.empty(); taken.pop_back()) fleet.release(taken.back());
    const HostSeen seen = fleet.hosts()[static_cast<std::size_t>(round)].seen;
    const auto begin = Clock::now();
    fleet.see(seen);
    news.push_back(since(begin));
  }
  std::sort(decisions.begin(), decisions.end());
  std::printf("{\"placed\": %zu, \"p50_us\": %.1f, \"most_us\": %.1f, \"news_us\": %.1f}\n", decisions.size() - 3, decisions[decisions.size() / 2],
              decisions.back(), *std::max_element(news.begin(), news.end()));
}
