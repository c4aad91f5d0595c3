#include "trials/reporter.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <thread>
#include <vector>

namespace hpsearch {
namespace {

// A keeper that gives canned answers to one trial and keeps what it heard.
class CannedKeeper {
 public:
  explicit CannedKeeper(std::vector<std::string> answers)
      : path_("/tmp/hpsearch-reporter-" + std::to_string(::getpid()) + ".sock"), answers_(std::move(answers)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strcpy(address.sun_path, path_.c_str());
    listener_ = ::socket(AF_UNIX, SOCK_STREAM, 0);
    ::unlink(path_.c_str());
    EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(::listen(listener_, 1), 0);
    ::setenv("HPSEARCH_CHANNEL", path_.c_str(), 1);
    thread_ = std::thread([this] { serve(); });
  }
  ~CannedKeeper() {
    join();
    ::close(listener_);
    ::unlink(path_.c_str());
    for (const char* name : {"HPSEARCH_CHANNEL", "RANK"}) ::unsetenv(name);
  }
  void join() {
    if (thread_.joinable()) thread_.join();
  }

  std::vector<std::string> heard;

 private:
  void serve() {
    const int client = ::accept(listener_, nullptr, nullptr);
    for (const std::string& answer : answers_) {
      std::string line;
      for (char c; ::read(client, &c, 1) == 1 && c != '\n';) line += c;
      heard.push_back(line);
      EXPECT_EQ(::write(client, answer.data(), answer.size()), static_cast<ssize_t>(answer.size()));
    }
    ::close(client);
  }

  std::string path_;
  std::vector<std::string> answers_;
  int listener_ = -1;
  std::thread thread_;
};

TEST(Reporter, SendsALineAndHearsTheVerdict) {
  CannedKeeper keeper({"{\"verdict\":\"continue\"}\n", "{\"verdict\":\"pause\"}\n", "{\"verdict\":\"stop\"}\n"});
  Reporter reporter;
  EXPECT_TRUE(reporter.report(1, {{"loss", 0.5}}, "e1"));
  EXPECT_FALSE(reporter.report(2, {{"loss", NAN}}));
  reporter.report({{"test", 3}});
  keeper.join();
  ASSERT_EQ(keeper.heard.size(), 3u);
  EXPECT_EQ(keeper.heard[0], R"({"step":1,"metrics":{"loss":0.5},"checkpoint":"e1"})");
  EXPECT_EQ(keeper.heard[1].substr(0, 28), R"({"step":2,"metrics":{"loss":)");
  EXPECT_EQ(keeper.heard[2], R"({"metrics":{"test":3}})");
}

TEST(Reporter, ARefusalThrowsItsReason) {
  CannedKeeper keeper({"{\"error\":\"step went back from 2 to 1\"}\n"});
  Reporter reporter;
  try {
    reporter.report(1, {{"loss", 1}});
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("went back"), std::string::npos);
  }
}

TEST(Reporter, GoesOnWhenTheChannelGoes) {
  CannedKeeper keeper({"{\"verdict\":\"continue\"}\n"});
  Reporter reporter;
  EXPECT_TRUE(reporter.report(1, {{"loss", 1}}));
  keeper.join();
  ::testing::internal::CaptureStderr();
  EXPECT_TRUE(reporter.report(2, {{"loss", 1}}));
  EXPECT_TRUE(reporter.report(3, {{"loss", 1}}));
  const std::string warning = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(warning.begin(), warning.end(), '\n'), 1) << warning;
}

TEST(Reporter, OtherRanksAskAndRecordNothing) {
  CannedKeeper keeper({"{\"verdict\":\"stop\"}\n"});
  ::setenv("RANK", "3", 1);
  Reporter reporter;
  EXPECT_FALSE(reporter.report(4, {{"loss", 1}}));
  keeper.join();
  EXPECT_EQ(keeper.heard[0], R"({"rank":3,"query":true,"step":4})");
}

TEST(Reporter, AlonePrintsAndGoesOn) {
  ::unsetenv("HPSEARCH_CHANNEL");
  ::testing::internal::CaptureStdout();
  Reporter reporter;
  EXPECT_TRUE(reporter.report(1, {{"loss", 0.5}}));
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "hpsearch: {\"step\":1,\"metrics\":{\"loss\":0.5}}\n");
  EXPECT_EQ(reporter.seed(), 0u);
  EXPECT_FALSE(reporter.resume_from());
  EXPECT_FALSE(reporter.resource());
  EXPECT_EQ(reporter.checkpoint_dir(), std::filesystem::current_path());
}

TEST(Reporter, KnowsWhatItsEnvironmentSays) {
  ::setenv("HPSEARCH_RESUME_DIR", "/r", 1);
  ::setenv("HPSEARCH_SEED", "17", 1);
  ::setenv("HPSEARCH_RESOURCE", "3", 1);
  const Reporter reporter;
  EXPECT_EQ(reporter.resume_from(), std::filesystem::path("/r"));
  ::setenv("HPSEARCH_RESUME_CHECKPOINT", "e3", 1);
  EXPECT_EQ(reporter.resume_from(), std::filesystem::path("/r/e3"));
  EXPECT_EQ(reporter.seed(), 17u);
  EXPECT_EQ(reporter.resource(), 3.0);
  for (const char* name : {"HPSEARCH_RESUME_DIR", "HPSEARCH_RESUME_CHECKPOINT", "HPSEARCH_SEED", "HPSEARCH_RESOURCE"}) ::unsetenv(name);
}

}  // namespace
}  // namespace hpsearch
