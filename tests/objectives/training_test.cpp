// Runs fashion_cnn and tabular_mlp alone, as a user would.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <random>
#include <string>

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

TEST_P(TrainingProgramTest, SaysWhatIsWrongWithAnOption) {
  const Outcome unknown = run(cnn() + "--learning_rate=1");
  EXPECT_EQ(unknown.exit_status, 2);
  EXPECT_NE(unknown.output.find("--learning_rate"), std::string::npos) << unknown.output;
  EXPECT_EQ(run(cnn() + "--optimizer=rmsprop").exit_status, 2);
  EXPECT_EQ(run(std::string(FASHION_CNN) + " --data=/nonexistent --epochs=1").exit_status, 1);
}

}  // namespace
}  // namespace hpsearch
