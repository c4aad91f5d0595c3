#include "scheduler/hosts/launch.h"

#include <gtest/gtest.h>

namespace hpsearch {
namespace {

TEST(Launch, ReadsWhatItWrites) {
  Launch launch;
  launch.id = "00ff";
  launch.trial = 3;
  launch.attempt = 2;
  launch.seed = 42;
  launch.argv = {"a b", "", "é\n"};
  launch.env = {{"K", "v"}};
  launch.params = Json::parse(R"({"z":9007199254740993,"a":null})");
  launch.devices = {"GPU-1"};
  launch.share = 0.5;
  launch.visible_devices = "3";
  launch.locks = 1;
  launch.per_gpu = true;
  launch.milestone = 3;
  launch.resource_max = 9;
  launch.silence = Span(1500);
  launch.on_no_answer = NoAnswer::pause;
  launch.collect = {{"stderr", "a (\\d+)", {"step"}}};
  launch.socket = "/tmp/s";
  const std::string text = launch_json(launch).dump();
  EXPECT_EQ(launch_json(parse_launch(text)).dump(), text);
  EXPECT_EQ(parse_launch(text).params.dump(), launch.params.dump());
  EXPECT_TRUE(parse_launch(text).per_gpu);
  EXPECT_EQ(parse_launch(text).silence, Span(1500));
  EXPECT_FALSE(parse_launch(text).trial_time);
  EXPECT_EQ(parse_launch(text).collect.at(0).pattern, "a (\\d+)");
}

TEST(Launch, ATornFileThrows) { EXPECT_ANY_THROW(parse_launch("{\"id\":\"0")); }

}  // namespace
}  // namespace hpsearch
