#include <gtest/gtest.h>

#include <boost/asio/steady_timer.hpp>
#include <functional>

#include "gpu_lab.h"
#include "scheduler/hosts/steady_now.h"
#include "scheduler/hosts/unit_lock.h"

namespace hpsearch::testing {
namespace {

constexpr const char* kFourUnits = "gpu GPU-a memory=80000\ngpu GPU-b memory=80000\ngpu GPU-c memory=80000\ngpu GPU-d memory=80000\n";

// A scheduler whose trials take so many units each, one after the other for ever, a trial as long as `length` says.
class Stream {
 public:
  Stream(boost::asio::io_context& io, const std::string& study, int units, std::function<Span()> length)
      : lab_(io, study, 1, [&](DeviceOptions& options) {
          options.units = units;
          options.times.teardown = Span(20'000);
          options.hungry = [this] { return hungry; };
        }),
        units_(units), length_(std::move(length)), study_(study) {}

  void place() {
    if (lab_.told == 0 || !hungry) return;
    std::vector<std::string> free;
    for (const Unit& unit : lab_.seen.units)
      if (unit.busy.empty() && !ours_.contains(unit.id)) free.push_back(unit.id);
    for (; static_cast<int>(free.size()) >= units_; free.erase(free.begin(), free.begin() + units_))
      start({free.begin(), free.begin() + units_});
  }

  bool hungry = true;
  int started = 0;
  const PoolLab& lab() const { return lab_; }

 private:
  void start(const std::vector<std::string>& uuids) {
    ours_.insert(uuids.begin(), uuids.end());
    lab_.pool->acquire(uuids, [this, uuids](std::vector<FileDescriptor> locks, const std::string&) {
      if (locks.empty()) return release(uuids);
      const std::string attempt = study_ + std::to_string(++started);
      lab_.pool->running(uuids, attempt);
      auto timer = std::make_shared<boost::asio::steady_timer>(lab_.io, length_());
      auto held = std::make_shared<std::vector<FileDescriptor>>(std::move(locks));
      timer->async_wait([this, uuids, attempt, timer, held](const auto& error) {
        if (error) return;
        held->clear();
        lab_.pool->ended(attempt);
        release(uuids);
      });
    });
  }

  void release(const std::vector<std::string>& uuids) {
    for (const std::string& uuid : uuids) ours_.erase(uuid);
  }

  PoolLab lab_;
  int units_;
  std::function<Span()> length_;
  std::string study_;
  std::set<std::string> ours_;
};

class DevicePoolCollecting : public ::testing::Test {
 protected:
  void SetUp() override { lab_.driver(kFourUnits); }

  // Runs them all; how long it took until it held.
  Span until(const std::vector<Stream*>& streams, const std::function<bool()>& holds, Span at_most) {
    const Span begin = steady_now();
    while (!holds() && steady_now() - begin < at_most) {
      for (Stream* stream : streams) stream->place();
      io_.run_one_for(Span(5));
    }
    return steady_now() - begin;
  }

  GpuLab lab_;
  boost::asio::io_context io_;
};

// Its trials are longer than the time for which an incomplete set was once kept, and end one after the other.
TEST_F(DevicePoolCollecting, AWideTrialStartsWhenTheLongestOfTheNarrowOnesHasEnded) {
  int n = 0;
  const Span longest(3'000);
  Stream narrow(io_, "narrow", 1, [&] { return ++n <= 4 ? longest * n / 4 : longest; });
  until({&narrow}, [&] { return narrow.started >= 4; }, Span(10'000));
  ASSERT_EQ(narrow.started, 4);
  Stream wide(io_, "wide", 4, [] { return Span(50); });
  const Span took = until({&narrow, &wide}, [&] { return wide.started > 0; }, 4 * longest);
  EXPECT_EQ(wide.started, 1);
  EXPECT_LT(took, longest + Span(1'500));
  const int before = narrow.started;
  until({&narrow, &wide}, [&] { return narrow.started > before; }, Span(10'000));
  EXPECT_GT(narrow.started, before) << "and then it is the others' turn";
}

TEST_F(DevicePoolCollecting, TwoWideOnesTakeTurns) {
  Stream one(io_, "one", 4, [] { return Span(20); }), two(io_, "two", 4, [] { return Span(20); });
  const auto both = [&](int trials) { return [&one, &two, trials] { return one.started >= trials && two.started >= trials; }; };
  until({&one, &two}, both(5), Span(30'000));
  EXPECT_GE(std::min(one.started, two.started), 5) << one.started << ' ' << two.started;
}

TEST_F(DevicePoolCollecting, TwoAndThreeOfFourNeverWaitForEachOther) {
  Stream two(io_, "two", 2, [] { return Span(20); }), three(io_, "three", 3, [] { return Span(20); });
  until({&two, &three}, [&] { return two.started >= 5 && three.started >= 5; }, Span(30'000));
  EXPECT_GE(std::min(two.started, three.started), 5) << two.started << ' ' << three.started;
}

TEST_F(DevicePoolCollecting, OneThatNeverCanStartKeepsNothing) {
  lab_.driver("gpu GPU-a memory=80000\ngpu GPU-b memory=80000\ngpu GPU-c memory=80000\ngpu GPU-d memory=80000 used=9000\n");
  Stream wide(io_, "wide", 4, [] { return Span(20); });
  until({&wide}, [&] { return wide.lab().told > 0; }, Span(10'000));
  until({&wide}, [] { return false; }, Span(300));
  for (const char* uuid : {"GPU-a", "GPU-b", "GPU-c"}) EXPECT_TRUE(unit_holders(uuid).empty()) << uuid;
  Stream narrow(io_, "narrow", 1, [] { return Span(20); });
  until({&narrow, &wide}, [&] { return narrow.started >= 30; }, Span(20'000));
  EXPECT_GE(narrow.started, 30);
  EXPECT_EQ(wide.started, 0);
}

TEST_F(DevicePoolCollecting, OneWithoutTrialsToStartCollectsNothing) {
  Stream narrow(io_, "narrow", 1, [] { return Span(20); });
  Stream wide(io_, "wide", 4, [] { return Span(20); });
  wide.hungry = false;
  until({&narrow, &wide}, [&] { return narrow.started >= 30; }, Span(20'000));
  EXPECT_GE(narrow.started, 30);
  EXPECT_EQ(wide.started, 0);
  wide.hungry = true;
  until({&narrow, &wide}, [&] { return wide.started > 0; }, Span(20'000));
  EXPECT_GT(wide.started, 0);
}

}  // namespace
}  // namespace hpsearch::testing
