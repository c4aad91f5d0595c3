#include "scheduler/hosts/device_pool.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <set>

#include "gpu_lab.h"
#include "scheduler/hosts/unit_lock.h"

namespace hpsearch::testing {
namespace {

const std::string kFour = "gpu GPU-a memory=80000\ngpu GPU-b memory=80000\ngpu GPU-c memory=80000\ngpu GPU-d memory=80000\n";

class DevicePoolTest : public ::testing::Test {
 protected:
  // GPU-a and GPU-b, on which programs register.
  std::string two() const {
    return "gpu GPU-a memory=80000" + lab_.programs("GPU-a") + "\ngpu GPU-b memory=80000" + lab_.programs("GPU-b") + "\n";
  }

  GpuLab lab_;
  boost::asio::io_context io_;
};

TEST_F(DevicePoolTest, WithoutTheLibraryThereIsNothing) {
  std::optional<SeenDevices> seen;
  std::string fault;
  DevicePool pool(io_, {}, nullptr, [&](const SeenDevices& devices) { seen = devices; }, {});
  pool.acquire({}, [&](std::vector<FileDescriptor> locks, const std::string& why) { EXPECT_TRUE(locks.empty() && why.empty()); });
  pool.acquire({"GPU-a"}, [&](std::vector<FileDescriptor>, const std::string& why) { fault = why; });
  EXPECT_FALSE(seen) << "never from inside a call";
  io_.run();
  EXPECT_EQ(seen, SeenDevices{});
  EXPECT_EQ(fault, "GPU-a is no GPU that this study may use here");
}

TEST_F(DevicePoolTest, TellsOnceAllHaveBeenLookedAt) {
  lab_.driver("gpu GPU-a memory=80000 bridge=x\ngpu GPU-b memory=40000 used=9000 bridge=y\ngpu GPU-c memory=80000 bridge=x\n");
  PoolLab lab(io_, "fashion");
  lab.until([&] { return lab.told > 0; });
  const std::int64_t mib = 1 << 20;
  EXPECT_EQ(lab.seen.units, (std::vector<Unit>{{"GPU-a", "Fake GPU", 80'000 * mib, 0, 0, ""},
                                               {"GPU-b", "Fake GPU", 40'000 * mib, 1, 1, "9.4 GB in use by no program that can be seen"},
                                               {"GPU-c", "Fake GPU", 80'000 * mib, 2, 0, ""}}));
  EXPECT_EQ(unit_holders("GPU-a").size(), 1u);
  EXPECT_TRUE(unit_holders("GPU-b").empty());
}

TEST_F(DevicePoolTest, UsesOnlyWhatIsAllowed) {
  lab_.driver(kFour);
  PoolLab lab(io_, "fashion", 1, [](DeviceOptions& options) { options.allowance = {"3,1,1", {}, {}}; });
  lab.until([&] { return lab.told > 0; });
  ASSERT_EQ(lab.seen.units.size(), 2u);
  EXPECT_TRUE(lab.free("GPU-b") && lab.free("GPU-d"));
  EXPECT_NE(lab.seen.remark, "");
  EXPECT_TRUE(unit_holders("GPU-a").empty());
  EXPECT_TRUE(lab.start({"GPU-a"}, "a1").empty());
  EXPECT_EQ(lab.fault, "GPU-a is no GPU that this study may use here");
  PoolLab none(io_, "digits", 1, [](DeviceOptions& options) { options.allowance = {"7", {}, {}}; });
  none.until([&] { return none.told > 0; });
  EXPECT_EQ(none.seen.fault, "CUDA_VISIBLE_DEVICES=7: this machine has GPUs 0 to 3");
  EXPECT_TRUE(none.seen.refused);
}

TEST_F(DevicePoolTest, ATrialGetsTheLocksOfItsUnitsTogether) {
  lab_.driver(kFour);
  PoolLab lab(io_, "fashion", 1, [](DeviceOptions& options) { options.units = 2; });
  lab.until([&] { return lab.told > 0; });
  auto locks = lab.start({"GPU-c", "GPU-a"}, "a1");
  EXPECT_EQ(locks.size(), 2u);
  EXPECT_EQ(unit_holders("GPU-c").at(0).name.attempt, "a1");
  EXPECT_EQ(unit_holders("GPU-b").at(0).name.attempt, "-");
  lab.pool.reset();
  EXPECT_FALSE(lock_unit("GPU-a", 1)) << "the keeper has it";
  EXPECT_TRUE(lock_unit("GPU-b", 1));
  locks.clear();
  EXPECT_TRUE(lock_unit("GPU-a", 1));
}

TEST_F(DevicePoolTest, AStartWaitsForMemoryToFallAndNotForEver) {
  lab_.driver(two());
  PoolLab lab(io_, "fashion");
  lab.until([&] { return lab.told > 0; });
  auto locks = lab.start({"GPU-a"}, "a1");
  const pid_t first = lab_.program("GPU-a", 9000, "a1");
  locks.clear();
  lab.pool->ended("a1");
  bool started = false;
  lab.pool->acquire({"GPU-a"}, [&](std::vector<FileDescriptor> got, const std::string&) { started = !got.empty(); });
  for (int i = 0; i < 5; ++i) io_.run_one();
  EXPECT_FALSE(started) << "its predecessor is still there";
  GpuLab::end(first);
  lab.until([&] { return started; });
  const pid_t other = lab_.program("GPU-b", 9000, "");
  EXPECT_TRUE(lab.start({"GPU-b"}, "a2").empty()) << "decided before anybody could see that";
  EXPECT_EQ(lab.fault.rfind("GPU 1 is no longer free: 9.4 GB in use by pid " + std::to_string(other), 0), 0u) << lab.fault;
  GpuLab::end(other);
}

TEST_F(DevicePoolTest, GhostMemoryIsPutInQuarantineAndReleased) {
  lab_.driver(two());
  PoolLab lab(io_, "fashion");
  lab.until([&] { return lab.told > 0; });
  lab.start({"GPU-a"}, "a1");
  std::ofstream(lab_.file("GPU-a"), std::ios::app) << "0 8000\n";
  lab.pool->ended("a1");
  lab.until_told([&](const SeenDevices&) { return lab.unit("GPU-a").busy == "8.4 GB still in use 0.3s after its trial ended (quarantine)"; });
  EXPECT_FALSE(lock_unit("GPU-a", 1));
  std::ofstream(lab_.file("GPU-a")) << "";
  lab.until_told([&](const SeenDevices&) { return lab.free("GPU-a"); });
}

TEST_F(DevicePoolTest, ForeignProgramsBesideATrialAreToldOnce) {
  lab_.driver(two());
  PoolLab lab(io_, "fashion");
  lab.until([&] { return lab.told > 0; });
  auto locks = lab.start({"GPU-a"}, "a1");
  // One that clears its environment is known by its parents.
  const pid_t ours = lab_.program("GPU-a", 9000, "a1");
  const pid_t shell = lab_.program("GPU-b", 0, "a1", {"sh", "-c", "env -i sh -c 'echo $$ 100 >> " + lab_.file("GPU-a").string() + "; while [ -e " + lab_.file("gpus").string() + " ]; do sleep 0.1; done'; :"});
  for (int i = 0; i < 20; ++i) io_.run_one();
  EXPECT_TRUE(lab.contended.empty());
  const pid_t foreign = lab_.program("GPU-a", 500, "another");
  lab.until([&] { return !lab.contended.empty(); });
  for (int i = 0; i < 20; ++i) io_.run_one();
  ASSERT_EQ(lab.contended.size(), 1u);
  EXPECT_EQ(lab.contended[0].first, "a1");
  EXPECT_EQ(lab.contended[0].second.rfind("GPU 0 is in use by pid " + std::to_string(foreign) + " of ", 0), 0u) << lab.contended[0].second;
  EXPECT_TRUE(lab.free("GPU-a")) << "the trial is not ended for it";
  for (const pid_t pid : {ours, shell, foreign}) GpuLab::end(pid);
}

// ---- A driver that is not well -----------------------------------------------------------------------------------

TEST_F(DevicePoolTest, ADriverThatHangsMeansNothingFreeAndRunningTrialsStay) {
  lab_.driver(kFour);
  PoolLab lab(io_, "fashion");
  lab.until([&] { return lab.told > 0; });
  const auto locks = lab.start({"GPU-a"}, "a1");
  std::ofstream(lab_.file("stuck")) << "";
  lab_.driver(kFour + "gpu GPU-e memory=1000 hang=" + lab_.file("stuck").string() + "\n");
  lab.until_told([&](const SeenDevices&) { return lab.unit("GPU-b").busy == "can't be read: the driver does not answer"; });
  EXPECT_TRUE(lab.start({"GPU-b"}, "a2").empty());
  EXPECT_EQ(lab.fault, "GPU 1 is no longer free: can't be read: the driver does not answer");
  EXPECT_FALSE(lock_unit("GPU-a", 1));
  std::filesystem::remove(lab_.file("stuck"));
  lab.until_told([&](const SeenDevices&) { return lab.free("GPU-b"); });
  EXPECT_EQ(lab.seen.units.size(), 5u) << "and one has come";
}

TEST_F(DevicePoolTest, ADriverThatCantBeSeenIsNotAMachineWithoutGpus) {
  lab_.driver("init 18\n");
  PoolLab lab(io_, "fashion");
  lab.until([&] { return lab.told > 0; });
  EXPECT_EQ(lab.seen, (SeenDevices{{}, "Driver/library version mismatch", ""}));
  lab_.driver(kFour);
  lab.until_told([&](const SeenDevices& seen) { return seen.fault.empty() && seen.units.size() == 4 && lab.free("GPU-d"); });
  lab_.driver("init 18\n");
  lab.until_told([&](const SeenDevices&) { return lab.unit("GPU-d").busy == "can't be read: Driver/library version mismatch"; });
  EXPECT_EQ(lab.seen.units.size(), 4u);
  lab_.driver("");
  lab.until_told([&](const SeenDevices&) { return lab.unit("GPU-d").busy == "can't be read: the driver no longer lists it"; });
}

TEST_F(DevicePoolTest, OtherIndicesAreTheSameUnits) {
  lab_.driver(kFour);
  PoolLab lab(io_, "fashion", 1, [](DeviceOptions& options) { options.allowance = {"0,1", {}, {}}; });
  lab.until([&] { return lab.told > 0; });
  const auto locks = lab.start({"GPU-b"}, "a1");
  lab_.driver("gpu GPU-d memory=80000\ngpu GPU-b memory=80000 used=9000\ngpu GPU-x memory=1 gone=1\ngpu GPU-a memory=80000\n");
  lab.until_told([&](const SeenDevices&) { return lab.unit("GPU-a").index == 3; });
  EXPECT_EQ(lab.seen.units.size(), 2u) << "index 0 is another GPU now";
  EXPECT_TRUE(lab.free("GPU-a") && lab.free("GPU-b"));
  lab_.driver("gpu GPU-d memory=80000\ngpu GPU-b memory=80000\ngpu GPU-c memory=80000\ngpu GPU-a memory=80000 gone=1\n");
  lab.until_told([&](const SeenDevices&) { return lab.unit("GPU-a").busy == "can't be read: GPU is lost"; });
  EXPECT_TRUE(lab.free("GPU-b"));
}

TEST_F(DevicePoolTest, InstancesAreUnitsAndTheirGpuIsNone) {
  lab_.driver("gpu GPU-p memory=80000\nmig MIG-1 memory=10000\nmig MIG-2 memory=10000 used=5000\ngpu GPU-w memory=80000 mode=2\n");
  PoolLab lab(io_, "fashion");
  lab.until([&] { return lab.told > 0; });
  ASSERT_EQ(lab.seen.units.size(), 3u);
  EXPECT_TRUE(lab.free("MIG-1"));
  EXPECT_EQ(lab.unit("MIG-2").busy, "5.2 GB in use by no program that can be seen");
  EXPECT_EQ(lab.unit("GPU-w").busy, "its compute mode is prohibited");
  EXPECT_EQ(lab.start({"MIG-1"}, "a1").size(), 1u);
}

// ---- Several schedulers ------------------------------------------------------------------------------------------

// Runs trials of a millisecond or so, one after the other on each unit that its pool tells to be free, as many as asked for.
class Scheduler {
 public:
  // `taken`: what all schedulers run on each unit.
  Scheduler(boost::asio::io_context& io, const std::string& study, double share, int trials, std::map<std::string, double>& taken)
      : lab_(io, study, share, [](DeviceOptions& options) { options.times.teardown = Span(20'000); }),
        share_(share), left_(trials), taken_(taken), study_(study) {}

  void place() {
    if (lab_.told == 0) return;
    for (const Unit& unit : lab_.seen.units)
      if (left_ > 0 && unit.busy.empty() && ours_[unit.id] + share_ <= 1) start(unit.id);
  }
  bool done() const { return left_ == 0 && running_ == 0; }
  int faults() const { return faults_; }
  int count() const { return count_; }

 private:
  void start(const std::string& uuid) {
    --left_;
    ++running_;
    ours_[uuid] += share_;
    lab_.pool->acquire({uuid}, [this, uuid](std::vector<FileDescriptor> locks, const std::string& fault) {
      if (locks.empty()) return fail(uuid, fault);
      const std::string attempt = study_ + std::to_string(++count_);
      EXPECT_LE(taken_[uuid] += share_, 1) << uuid;
      lab_.pool->running({uuid}, attempt);
      auto timer = std::make_shared<boost::asio::steady_timer>(lab_.io, Span(1));
      auto held = std::make_shared<std::vector<FileDescriptor>>(std::move(locks));
      timer->async_wait([this, uuid, attempt, timer, held](const auto&) { end(uuid, attempt, *held); });
    });
  }

  void end(const std::string& uuid, const std::string& attempt, std::vector<FileDescriptor>& locks) {
    taken_[uuid] -= share_;
    locks.clear();
    lab_.pool->ended(attempt);
    release(uuid);
  }

  void fail(const std::string& uuid, const std::string& fault) {
    EXPECT_NE(fault, "");
    ++faults_;
    ++left_;
    release(uuid);
  }

  void release(const std::string& uuid) {
    ours_[uuid] -= share_;
    --running_;
  }

  PoolLab lab_;
  double share_;
  int left_, running_ = 0, count_ = 0, faults_ = 0;
  std::map<std::string, double>& taken_;
  std::map<std::string, double> ours_;
  std::string study_;
};

// Until `wanted` of them are done, at most two minutes.
bool run_until_done(boost::asio::io_context& io, const std::vector<Scheduler*>& schedulers, std::ptrdiff_t wanted) {
  const auto end = std::chrono::steady_clock::now() + Span(120'000);
  const auto done = [&] { return std::count_if(schedulers.begin(), schedulers.end(), [](Scheduler* s) { return s->done(); }) >= wanted; };
  while (!done() && std::chrono::steady_clock::now() < end) {
    for (Scheduler* scheduler : schedulers) scheduler->place();
    io.run_one_for(Span(5));
  }
  return done();
}

TEST_F(DevicePoolTest, TwoSchedulersNeverMeetOnAUnitAndBothGetOn) {
  lab_.driver(kFour);
  std::map<std::string, double> taken;
  Scheduler a(io_, "fashion", 1, 200, taken), b(io_, "digits", 1, 200, taken);
  ASSERT_TRUE(run_until_done(io_, {&a, &b}, 1)) << a.count() << ' ' << b.count();
  EXPECT_GE(std::min(a.count(), b.count()), 60) << "by the time that the other has had 200";
  ASSERT_TRUE(run_until_done(io_, {&a, &b}, 2)) << a.count() << ' ' << b.count();
  EXPECT_EQ(a.faults() + b.faults(), 0);
}

TEST_F(DevicePoolTest, HalvesAndWholesNeverMeetAndBothGetOn) {
  lab_.driver("gpu GPU-a memory=80000\ngpu GPU-b memory=80000\n");
  std::map<std::string, double> taken;
  Scheduler halves(io_, "fashion", 0.5, 100, taken), wholes(io_, "digits", 1, 50, taken);
  ASSERT_TRUE(run_until_done(io_, {&halves, &wholes}, 1));
  EXPECT_GE(std::min(halves.count(), 2 * wholes.count()), 20);
  ASSERT_TRUE(run_until_done(io_, {&halves, &wholes}, 2)) << halves.count() << ' ' << wholes.count();
}

TEST_F(DevicePoolTest, OneSchedulerKeepsAllUnitsBusy) {
  lab_.driver(kFour);
  std::map<std::string, double> taken;
  Scheduler a(io_, "fashion", 0.25, 200, taken);
  ASSERT_TRUE(run_until_done(io_, {&a}, 1)) << a.count();
  EXPECT_EQ(a.faults(), 0);
}

// The scheduler is gone, its trial runs on, and the next scheduler takes it over.
TEST_F(DevicePoolTest, AnAdoptedTrialKeepsItsUnit) {
  lab_.driver(two());
  pid_t trial = 0;
  {
    PoolLab first(io_, "fashion");
    first.until([&] { return first.told > 0; });
    const auto locks = first.start({"GPU-a"}, "a1");
    trial = lab_.program("GPU-a", 9000, "a1", {"sleep", "60"}, {{20, locks[0].get()}});
  }
  PoolLab other(io_, "digits"), next(io_, "fashion");
  next.pool->running({"GPU-a"}, "a1");
  next.until([&] { return next.told > 0 && other.told > 0; });
  EXPECT_TRUE(next.free("GPU-a"));
  EXPECT_TRUE(next.contended.empty());
  EXPECT_EQ(other.unit("GPU-a").busy, "used by hpsearch study fashion of alice");
  other.pool.reset();
  GpuLab::end(trial);
  next.pool->ended("a1");
  EXPECT_EQ(next.start({"GPU-a"}, "a2").size(), 1u);
}

}  // namespace
}  // namespace hpsearch::testing
