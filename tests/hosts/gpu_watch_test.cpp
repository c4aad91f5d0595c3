#include "scheduler/hosts/gpu_watch.h"

#include <gtest/gtest.h>

#include <atomic>
#include <fstream>

#include "gpu_lab.h"

namespace hpsearch::testing {
namespace {

class GpuWatchTest : public ::testing::Test {
 protected:
  std::unique_ptr<GpuWatch> watch() {
    return std::make_unique<GpuWatch>(Nvml::load(), [this] { ++told_; });
  }
  static std::uint64_t number(const GpuWatch& watch) {
    const auto news = watch.latest();
    return news ? news->number : 0;
  }

  GpuLab lab_;
  std::atomic<int> told_ = 0;
};

TEST_F(GpuWatchTest, ReadsWhenAskedOnly) {
  lab_.driver("gpu GPU-a memory=1000 used=7\n");
  const auto watch = this->watch();
  EXPECT_FALSE(watch->latest());
  EXPECT_EQ(watch->ask(), 1u);
  ASSERT_TRUE(eventually([&] { return number(*watch) == 1; }));
  EXPECT_EQ(watch->latest()->readings.units.at(0).memory_used, 7 << 20);
  EXPECT_EQ(told_, 1);
  EXPECT_EQ(watch->silent(), Span(0));
  EXPECT_EQ(watch->ask(), 2u);
  EXPECT_TRUE(eventually([&] { return number(*watch) == 2; }));
}

TEST_F(GpuWatchTest, AReadingUnderWayIsNoAnswerToALaterQuestion) {
  lab_.driver("gpu GPU-a memory=1000 hang=" + lab_.file("stuck").string() + "\n");
  std::ofstream(lab_.file("stuck")) << "";
  const auto watch = this->watch();
  watch->ask();
  ASSERT_TRUE(eventually([&] { return watch->silent() > Span(10); }));
  EXPECT_EQ(watch->ask(), 2u);
  EXPECT_EQ(watch->ask(), 2u);
  EXPECT_FALSE(watch->latest());
  std::filesystem::remove(lab_.file("stuck"));
  EXPECT_TRUE(eventually([&] { return number(*watch) == 2; }));
  EXPECT_EQ(told_, 2);
}

TEST_F(GpuWatchTest, ADriverThatHangsHoldsNobodyUp) {
  lab_.driver("gpu GPU-a memory=1000 hang=" + lab_.file("stuck").string() + "\n");
  std::ofstream(lab_.file("stuck")) << "";
  auto watch = this->watch();
  watch->ask();
  ASSERT_TRUE(eventually([&] { return watch->silent() > Span(50); }));
  watch.reset();
  std::filesystem::remove(lab_.file("stuck"));
  EXPECT_EQ(told_, 0);
}

}  // namespace
}  // namespace hpsearch::testing
