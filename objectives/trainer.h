#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "objectives/evaluation.h"
#include "objectives/network.h"
#include "objectives/optimizer.h"
#include "objectives/precision.h"
#include "objectives/ranks.h"
#include "trials/reporter.h"

namespace hpsearch {

struct TrainingPlan {
  OptimizerOptions optimizer;
  int batch_size = 128;
  int epochs = 10;  // The schedule's length, whatever this attempt gets to do of it.
  std::uint64_t seed = 0;  // Of the noise (dropout, augmentation) of all ranks but the first.
  Precision precision = Precision::kFloat32;
  std::function<torch::Tensor(const torch::Tensor& outputs, const torch::Tensor& targets)> loss;
  std::function<torch::Tensor(const torch::Tensor& inputs)> augment;  // May be empty.
};

// Trains a network epoch by epoch. All randomness (order, augmentation, dropout) comes from torch's generators, whose
// state goes into every checkpoint: a resumed training gives the very numbers of an uninterrupted one. Several ranks share
// out each batch and add up their gradients: as one rank alone, up to rounding and up to the noise, which each draws itself.
class Trainer {
 public:
  // The network is already on the device.
  Trainer(Network& network, TrainingPlan plan, torch::Device device, const Ranks& ranks);

  // Goes on from a checkpoint of the same architecture; other options may differ from those that wrote it.
  void resume(const std::filesystem::path& checkpoint);

  // Trains to the end or until the reporter says stop. After each epoch writes `epoch-N.pt` into `checkpoints`, then
  // reports `validation()` and train_loss, on the first rank. Returns true when the last epoch of the plan is done.
  bool run(Reporter& reporter, const Examples& training, const std::function<Metrics()>& validation,
           const std::filesystem::path& checkpoints);

 private:
  double train_epoch(const Examples& training);
  torch::Tensor epoch_order(std::int64_t rows);
  torch::Tensor train_batch(const Examples& batch, double share);
  torch::Tensor batch_loss(const Examples& batch);
  void sum_gradients();
  bool report(Reporter& reporter, double train_loss, const std::function<Metrics()>& validation,
              const std::filesystem::path& checkpoints) const;
  std::string save(const std::filesystem::path& folder) const;

  Network& network_;
  TrainingPlan plan_;
  torch::Device device_;
  const Ranks& ranks_;
  std::unique_ptr<torch::optim::Optimizer> optimizer_;
  int epoch_ = 0;
};

}  // namespace hpsearch
