#include "objectives/trainer.h"

#include <ATen/Context.h>

#include "objectives/checkpoint.h"
#include "objectives/counter_noise.h"

namespace hpsearch {

Trainer::Trainer(Network& network, TrainingPlan plan, torch::Device device, const Ranks& ranks)
    : network_(network),
      plan_(std::move(plan)),
      device_(device),
      ranks_(ranks),
      optimizer_(make_optimizer(plan_.optimizer, network.parameters())) {
  check_precision(plan_.precision, device_);
}

void Trainer::resume(const std::filesystem::path& checkpoint) {
  epoch_ = load_checkpoint(checkpoint, network_, plan_.optimizer.name, *optimizer_, device_).epoch;
}

bool Trainer::run(Reporter& reporter, const Examples& training, const std::function<Metrics()>& validation,
                  const std::filesystem::path& checkpoints) {
  ranks_.spread(network_.parameters());
  while (epoch_ < plan_.epochs) {
    const double train_loss = train_epoch(training);
    ++epoch_;
    const bool go_on = !ranks_.first() || report(reporter, train_loss, validation, checkpoints);
    if (!ranks_.spread(go_on)) break;
  }
  return epoch_ >= plan_.epochs;
}

bool Trainer::report(Reporter& reporter, double train_loss, const std::function<Metrics()>& validation,
                     const std::filesystem::path& checkpoints) const {
  const std::string checkpoint = save(checkpoints);
  Metrics metrics = validation();
  metrics["train_loss"] = train_loss;
  return reporter.report(epoch_, metrics, checkpoint);
}

double Trainer::train_epoch(const Examples& training) {
  network_.train();
  const torch::Tensor order = epoch_order(training.size());
  const std::int64_t batches = (training.size() + plan_.batch_size - 1) / plan_.batch_size;
  torch::Tensor loss = torch::zeros({1}, device_);
  std::int64_t batch = 0;
  for (const torch::Tensor& rows : order.split(plan_.batch_size)) {
    const double progress = (epoch_ + static_cast<double>(batch++) / batches) / plan_.epochs;
    apply(plan_.optimizer, scheduled_lr(plan_.optimizer, progress), *optimizer_);
    const torch::Tensor own = ranks_.share(rows);
    loss += train_batch({training.inputs.index_select(0, own), training.targets.index_select(0, own)},
                        static_cast<double>(own.size(0)) / static_cast<double>(rows.size(0)));
  }
  ranks_.sum({loss});
  return loss.item<double>() / static_cast<double>(batches);
}

// The same on all ranks. Checkpoints keep the first one's random state only: the others draw theirs anew for each epoch.
torch::Tensor Trainer::epoch_order(std::int64_t rows) {
  const torch::Tensor order = torch::randperm(rows, torch::kLong);
  ranks_.spread({order});
  if (!ranks_.first()) at::manual_seed(counter_bits(plan_.seed + ranks_.rank(), epoch_));
  return order.to(device_);
}

// The batch's own loss and gradients count by its `share` of the batch of all ranks, of which it may have nothing.
torch::Tensor Trainer::train_batch(const Examples& batch, double share) {
  optimizer_->zero_grad();
  torch::Tensor loss = torch::zeros({}, device_);
  if (batch.size() > 0) {
    loss = batch_loss(batch) * share;
    loss.backward();
  }
  sum_gradients();
  optimizer_->step();
  return loss.detach();
}

torch::Tensor Trainer::batch_loss(const Examples& batch) {
  torch::Tensor outputs;
  {
    const AutocastScope autocast(plan_.precision, device_);
    outputs = network_.forward(plan_.augment ? plan_.augment(batch.inputs) : batch.inputs);
  }
  return plan_.loss(outputs.to(torch::kFloat32), batch.targets);
}

void Trainer::sum_gradients() {
  std::vector<torch::Tensor> gradients;
  for (torch::Tensor parameter : network_.parameters()) {
    if (!parameter.grad().defined()) parameter.mutable_grad() = torch::zeros_like(parameter);
    gradients.push_back(parameter.grad());
  }
  ranks_.sum(gradients);
}

std::string Trainer::save(const std::filesystem::path& folder) const {
  const std::string name = "epoch-" + std::to_string(epoch_) + ".pt";
  save_checkpoint(folder / name, {epoch_, plan_.optimizer.name, network_.architecture()}, network_, *optimizer_,
                  device_);
  return name;
}

}  // namespace hpsearch
