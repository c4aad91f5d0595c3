#include "objectives/trainer.h"

#include "objectives/checkpoint.h"

namespace hpsearch {

Trainer::Trainer(Network& network, TrainingPlan plan, torch::Device device)
    : network_(network),
      plan_(std::move(plan)),
      device_(device),
      optimizer_(make_optimizer(plan_.optimizer, network.parameters())) {
  check_precision(plan_.precision, device_);
}

void Trainer::resume(const std::filesystem::path& checkpoint) {
  epoch_ = load_checkpoint(checkpoint, network_, plan_.optimizer.name, *optimizer_, device_).epoch;
}

bool Trainer::run(Reporter& reporter, const Examples& training, const std::function<Metrics()>& validation,
                  const std::filesystem::path& checkpoints) {
  while (epoch_ < plan_.epochs) {
    const double train_loss = train_epoch(training);
    ++epoch_;
    const std::string checkpoint = save(checkpoints);
    Metrics metrics = validation();
    metrics["train_loss"] = train_loss;
    if (!reporter.report(epoch_, metrics, checkpoint)) break;
  }
  return epoch_ >= plan_.epochs;
}

double Trainer::train_epoch(const Examples& training) {
  network_.train();
  const torch::Tensor order = torch::randperm(training.size(), torch::kLong).to(device_);
  const std::int64_t batches = (training.size() + plan_.batch_size - 1) / plan_.batch_size;
  torch::Tensor loss = torch::zeros({}, device_);
  std::int64_t batch = 0;
  for (const torch::Tensor& rows : order.split(plan_.batch_size)) {
    const double progress = (epoch_ + static_cast<double>(batch++) / batches) / plan_.epochs;
    apply(plan_.optimizer, scheduled_lr(plan_.optimizer, progress), *optimizer_);
    loss += train_batch(training.inputs.index_select(0, rows), training.targets.index_select(0, rows));
  }
  return loss.item<double>() / static_cast<double>(batches);
}

torch::Tensor Trainer::train_batch(const torch::Tensor& inputs, const torch::Tensor& targets) {
  optimizer_->zero_grad();
  torch::Tensor outputs;
  {
    const AutocastScope autocast(plan_.precision, device_);
    outputs = network_.forward(plan_.augment ? plan_.augment(inputs) : inputs);
  }
  const torch::Tensor loss = plan_.loss(outputs.to(torch::kFloat32), targets);
  loss.backward();
  optimizer_->step();
  return loss.detach();
}

std::string Trainer::save(const std::filesystem::path& folder) const {
  const std::string name = "epoch-" + std::to_string(epoch_) + ".pt";
  save_checkpoint(folder / name, {epoch_, plan_.optimizer.name, network_.architecture()}, network_, *optimizer_,
                  device_);
  return name;
}

}  // namespace hpsearch
