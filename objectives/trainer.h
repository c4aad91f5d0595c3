#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "objectives/evaluation.h"
#include "objectives/network.h"
#include "objectives/optimizer.h"
#include "objectives/precision.h"
#include "trials/reporter.h"

namespace hpsearch {

struct TrainingPlan {
  OptimizerOptions optimizer;
  int batch_size = 128;
  int epochs = 10;  // The schedule's length, whatever this attempt gets to do of it.
  Precision precision = Precision::kFloat32;
  std::function<torch::Tensor(const torch::Tensor& outputs, const torch::Tensor& targets)> loss;
  std::function<torch::Tensor(const torch::Tensor& inputs)> augment;  // May be empty.
};

// Trains a network epoch by epoch. All randomness (order, augmentation, dropout) comes from torch's generators, whose
// state goes into every checkpoint: a resumed training gives the very numbers of an uninterrupted one.
class Trainer {
 public:
  // The network is already on the device.
  Trainer(Network& network, TrainingPlan plan, torch::Device device);

  // Goes on from a checkpoint of the same architecture; other options may differ from those that wrote it.
  void resume(const std::filesystem::path& checkpoint);

  // Trains to the end or until the reporter says stop. After each epoch writes `epoch-N.pt` into `checkpoints`, then
  // reports `validation()` and train_loss. Returns true when the last epoch of the plan is done.
  bool run(Reporter& reporter, const Examples& training, const std::function<Metrics()>& validation,
           const std::filesystem::path& checkpoints);

 private:
  double train_epoch(const Examples& training);
  torch::Tensor train_batch(const torch::Tensor& inputs, const torch::Tensor& targets);
  std::string save(const std::filesystem::path& folder) const;

  Network& network_;
  TrainingPlan plan_;
  torch::Device device_;
  std::unique_ptr<torch::optim::Optimizer> optimizer_;
  int epoch_ = 0;
};

}  // namespace hpsearch
