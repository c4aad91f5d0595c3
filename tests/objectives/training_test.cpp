// Runs fashion_cnn and tabular_mlp alone, as a user would.

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "tests/objectives/idx_writer.h"

namespace hpsearch {
namespace {

struct Outcome {
  int exit_status = -1;
  std::string output;
};

Outcome run(const std::string& command) {
  FILE* pipe = popen(("env -u HPSEARCH_CHANNEL OMP_NUM_THREADS=1 " + command + " 2>&1").c_str(), "r");
  Outcome outcome;
  std::array<char, 4096> part;
  while (const std::size_t got = fread(part.data(), 1, part.size(), pipe)) outcome.output.append(part.data(), got);
  outcome.exit_status = WEXITSTATUS(pclose(pipe));
  return outcome;
}

// Images of noise whose label is the row that is bright.
void write_images(const ScratchFolder& folder, const std::string& part, std::uint32_t count) {
  std::mt19937 random(count);
  Bytes pixels, labels;
  for (std::uint32_t i = 0; i < count; ++i) {
    labels.push_back(static_cast<std::uint8_t>(random() % 10));
    for (unsigned at = 0; at < 28 * 28; ++at) {
      pixels.push_back(static_cast<std::uint8_t>(at / 28 == 2u * labels.back() + 4 ? 255 : random() % 64));
    }
  }
  write_gzip(folder / (part + "-images-idx3-ubyte.gz"), idx_bytes({0x0803, count, 28, 28}, pixels));
  write_gzip(folder / (part + "-labels-idx1-ubyte.gz"), idx_bytes({0x0801, count}, labels));
}

class TrainingTest : public testing::TestWithParam<std::string> {
 protected:
  TrainingTest() {
    write_images(folder_, "train", 480);
    write_images(folder_, "t10k", 50);
  }

  std::string cnn(int hidden = 16) const {
    return FASHION_CNN " --data=" + (folder_ / "").string() + " --checkpoints=" + (folder_ / "").string() +
           " --width=4 --batch_size=32 --lr=0.01 --hidden=" + std::to_string(hidden) + " ";
  }
  std::string mlp() const {
    return TABULAR_MLP " --data=" TABLE " --target=benign --dropout=0.2 --checkpoints=" + (folder_ / "").string() + " ";
  }
  std::string checkpoint(int epoch) const { return (folder_ / ("epoch-" + std::to_string(epoch) + ".pt")).string(); }

  void expect_resumed_equals_uninterrupted(const std::string& command) {
    const Outcome whole = run(command + " --epochs=4 --seed=5");
    ASSERT_EQ(whole.exit_status, 0) << whole.output;
    const Outcome rest = run(command + " --epochs=4 --seed=5 --resume=" + checkpoint(2));
    ASSERT_EQ(rest.exit_status, 0) << rest.output;
    EXPECT_GT(std::count(rest.output.begin(), rest.output.end(), '\n'), 1);
    EXPECT_LT(rest.output.size(), whole.output.size());
    EXPECT_TRUE(whole.output.ends_with(rest.output)) << whole.output << "--- resumed:\n" << rest.output;
  }

  ScratchFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(Optimizers, TrainingTest, testing::Values("sgd", "adam", "adamw"),
                         [](const auto& info) { return info.param; });

TEST_P(TrainingTest, ResumedCnnGivesTheNumbersOfAnUninterruptedOne) {
  expect_resumed_equals_uninterrupted(cnn() + "--dropout=0.3 --augmentation=shift_flip --weight_decay=1e-3 --optimizer=" +
                                      GetParam());
}

TEST_P(TrainingTest, ResumedMlpGivesTheNumbersOfAnUninterruptedOne) {
  expect_resumed_equals_uninterrupted(mlp() + "--optimizer=" + GetParam());
}

using TrainingProgramTest = TrainingTest;
INSTANTIATE_TEST_SUITE_P(All, TrainingProgramTest, testing::Values("sgd"));

TEST_P(TrainingProgramTest, PredictsEveryTestImageFromACheckpoint) {
  ASSERT_EQ(run(cnn() + "--epochs=1").exit_status, 0);
  const Outcome test = run(cnn() + "--predict --checkpoint=" + checkpoint(1));
  ASSERT_EQ(test.exit_status, 0) << test.output;
  EXPECT_EQ(std::count(test.output.begin(), test.output.end(), '\n'), 51);
  EXPECT_NE(test.output.find("of 50 images"), std::string::npos);
  const Outcome unlabelled = run(cnn() + "--predict " + (folder_ / "t10k-images-idx3-ubyte.gz").string() +
                                 " --checkpoint=" + checkpoint(1));
  EXPECT_EQ(std::count(unlabelled.output.begin(), unlabelled.output.end(), '\n'), 50) << unlabelled.output;
}

TEST_P(TrainingProgramTest, RefusesACheckpointOfAnotherShape) {
  ASSERT_EQ(run(cnn() + "--epochs=1").exit_status, 0);
  for (const std::string& other : {cnn(8), mlp()}) {
    const Outcome outcome = run(other + "--epochs=2 --resume=" + checkpoint(1));
    EXPECT_EQ(outcome.exit_status, 1);
    EXPECT_NE(outcome.output.find("epoch-1.pt: it holds the network"), std::string::npos) << outcome.output;
  }
}

TEST_P(TrainingProgramTest, GoesOnFromAnotherOptimizersCheckpoint) {
  ASSERT_EQ(run(cnn() + "--epochs=2 --optimizer=sgd").exit_status, 0);
  const Outcome switched = run(cnn() + "--epochs=2 --optimizer=adam --resume=" + checkpoint(1));
  EXPECT_EQ(switched.exit_status, 0) << switched.output;
}

// Some port that is free now.
std::string free_port() {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  socklen_t size = sizeof address;
  ::bind(socket, reinterpret_cast<sockaddr*>(&address), size);
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  ::close(socket);
  return std::to_string(ntohs(address.sin_port));
}

// What all ranks print; the exit status is that of the first, by number, that failed.
Outcome run_ranks(int count, const std::string& command) {
  std::string others;
  for (int rank = 1; rank < count; ++rank) others += " " + std::to_string(rank);
  const std::string line = "for RANK in" + others + "; do export RANK; " + command + " & pids=\"$pids $!\"; done; RANK=0 " + command +
                           " || exit; for pid in $pids; do wait $pid || exit; done";
  return run("timeout 120 env WORLD_SIZE=" + std::to_string(count) + " MASTER_ADDR=127.0.0.1 MASTER_PORT=" + free_port() + " sh -c '" + line + "'");
}

std::vector<double> numbers_in(const std::string& text) {
  std::vector<double> numbers;
  for (std::size_t at = text.find("\":"); at != std::string::npos; at = text.find("\":", at + 2))
    if (text[at + 2] != '"' && text[at + 2] != '{') numbers.push_back(std::stod(text.substr(at + 2)));
  return numbers;
}

class RanksTest : public TrainingTest {
 protected:
  void SetUp() override {
    if (!WITH_GLOO) GTEST_SKIP() << "this LibTorch has no gloo, or gloo's headers (libgloo-dev) are missing";
  }

  std::string small_cnn(int batch) const {
    return FASHION_CNN " --data=" + (folder_ / "").string() + " --checkpoints=" + (folder_ / "").string() +
           " --width=4 --hidden=16 --lr=0.002 --seed=5 --optimizer=" + GetParam() + " --batch_size=" + std::to_string(batch) + " ";
  }

  void expect_equal_to_one(int count, const std::string& command) {
    const Outcome one = run(command), several = run_ranks(count, command);
    ASSERT_EQ(one.exit_status, 0) << one.output;
    ASSERT_EQ(several.exit_status, 0) << several.output;
    const std::vector<double> expected = numbers_in(one.output), seen = numbers_in(several.output);
    ASSERT_GE(expected.size(), 8u) << one.output;
    ASSERT_EQ(seen.size(), expected.size()) << one.output << several.output;
    for (std::size_t i = 0; i < seen.size(); ++i)
      EXPECT_NEAR(seen[i], expected[i], 2e-4 * std::max(1.0, expected[i])) << one.output << several.output;
  }
};

INSTANTIATE_TEST_SUITE_P(Optimizers, RanksTest, testing::Values("sgd", "adamw"), [](const auto& info) { return info.param; });

// Up to rounding: sums are taken in another order. The last of the batches of 7 has 4 rows.
TEST_P(RanksTest, TrainAsOneAlone) {
  expect_equal_to_one(2, small_cnn(32) + "--epochs=2");
  expect_equal_to_one(3, small_cnn(7) + "--epochs=2 --subset=32");
}

TEST_P(RanksTest, TrainATableAsOneAlone) {
  expect_equal_to_one(2, TABULAR_MLP " --data=" TABLE " --target=benign --epochs=3 --optimizer=" + GetParam() + " --checkpoints=" +
                             (folder_ / "").string());
}

TEST_P(RanksTest, OneMayHaveNothingOfABatch) { expect_equal_to_one(3, small_cnn(32) + "--epochs=3 --subset=33"); }

TEST_P(RanksTest, ResumedTheyGiveTheNumbersOfAnUninterruptedRun) {
  const std::string command = small_cnn(32) + "--dropout=0.3 --augmentation=shift --epochs=3";
  const Outcome whole = run_ranks(2, command), rest = run_ranks(2, command + " --resume=" + checkpoint(1));
  ASSERT_EQ(whole.exit_status, 0) << whole.output;
  ASSERT_EQ(rest.exit_status, 0) << rest.output;
  EXPECT_EQ(std::count(rest.output.begin(), rest.output.end(), '\n'), 3) << rest.output;
  EXPECT_TRUE(whole.output.ends_with(rest.output)) << whole.output << "--- resumed:\n" << rest.output;
}

TEST_P(TrainingProgramTest, SeveralRanksNeedTheirVariablesAndGloo) {
  const Outcome outcome = run("timeout 60 env -u RANK WORLD_SIZE=2 " + cnn());
  EXPECT_EQ(outcome.exit_status, 1);
  EXPECT_NE(outcome.output.find("WORLD_SIZE is set, but not RANK"), std::string::npos) << outcome.output;
  if (WITH_GLOO) return;
  EXPECT_NE(run("env WORLD_SIZE=2 RANK=0 " + cnn()).output.find("built without gloo"), std::string::npos);
}

TEST_P(TrainingProgramTest, SaysWhatIsWrongWithAnOption) {
  const Outcome unknown = run(cnn() + "--learning_rate=1");
  EXPECT_EQ(unknown.exit_status, 2);
  EXPECT_NE(unknown.output.find("--learning_rate"), std::string::npos) << unknown.output;
  EXPECT_EQ(run(cnn() + "--optimizer=rmsprop").exit_status, 2);
  EXPECT_EQ(run(std::string(FASHION_CNN) + " --data=/nonexistent --epochs=1").exit_status, 1);
}

}  // namespace
}  // namespace hpsearch
