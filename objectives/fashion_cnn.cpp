// Trains a small convolutional network on Fashion-MNIST (or MNIST): hpsearch's example of a training program.
// Runs alone as well as under hpsearch; `fashion_cnn --help` lists its options.

#include <torch/nn/functional/loss.h>

#include <iostream>
#include <optional>

#include "objectives/augmentation.h"
#include "objectives/checkpoint.h"
#include "objectives/cnn.h"
#include "objectives/command_line.h"
#include "objectives/device.h"
#include "objectives/images.h"
#include "objectives/ranks.h"
#include "objectives/trainer.h"
#include "objectives/training_options.h"
#include "trials/reporter.h"

namespace hpsearch {
namespace {

struct Options {
  std::filesystem::path data = "/usr/share/datasets/fashion-mnist";
  std::int64_t subset = 0;
  CnnShape shape;
  std::string augmentation = "none";
  TrainingOptions training;
  std::filesystem::path predict;
  std::filesystem::path labels;
  std::filesystem::path checkpoint;
};

void bind(CLI::App& app, Options& options) {
  app.add_option("--data", options.data, "Folder of the four IDX files")->capture_default_str();
  app.add_option("--subset", options.subset, "Train on the first N images only; 0: all 55000")
      ->check(CLI::NonNegativeNumber)->capture_default_str();
  app.add_option("--width", options.shape.width, "Channels of the first convolution")
      ->check(CLI::Range(1, 1024))->capture_default_str();
  app.add_option("--hidden", options.shape.hidden, "Units of the fully connected layer")
      ->check(CLI::Range(1, 65536))->capture_default_str();
  app.add_option("--dropout", options.shape.dropout, "Share of units dropped around that layer")
      ->check(CLI::Range(0.0, 0.95))->capture_default_str();
  app.add_option("--augmentation", options.augmentation, "How training images are varied")
      ->check(CLI::IsMember(augmentation_names()))->capture_default_str();
  bind_training_options(app, options.training);
  app.add_option("--predict", options.predict,
                 "Train nothing: print the class of each image of this IDX file (none given: of the test images)")
      ->expected(0, 1);
  app.add_option("--labels", options.labels, "IDX file of the true labels, for the accuracy of --predict");
  app.add_option("--checkpoint", options.checkpoint, "The trained network for --predict");
}

Metrics validation_metrics(Network& network, const Examples& validation) {
  const Classification result = classification(outputs(network, validation.inputs), validation.targets);
  return {{"val_accuracy", result.accuracy}, {"val_loss", result.loss}};
}

TrainingPlan plan_of(const Options& options, const Reporter& reporter) {
  TrainingPlan plan = training_plan(options.training, reporter);
  plan.augment = augmentation_named(options.augmentation);
  plan.loss = [](const torch::Tensor& logits, const torch::Tensor& labels) {
    return torch::nn::functional::cross_entropy(logits, labels);
  };
  return plan;
}

void train(const Options& options) {
  Reporter reporter;
  const Ranks ranks;
  const torch::Device device = prepare_torch(training_seed(options.training, reporter));
  const TrainingImages images = load_training_images(options.data, options.subset);
  const Examples training = on_device(images.training, device);
  const Examples validation = on_device(images.validation, device);
  Cnn network(options.shape);
  network.to(device);
  Trainer trainer(network, plan_of(options, reporter), device, ranks);
  if (const auto checkpoint = checkpoint_to_resume(options.training, reporter)) trainer.resume(*checkpoint);
  const bool complete = trainer.run(
      reporter, training, [&] { return validation_metrics(network, validation); },
      checkpoint_folder(options.training, reporter));
  if (!complete || !ranks.first()) return;
  const Examples test = on_device(load_test_images(options.data), device);
  reporter.report({{"test_accuracy", classification(outputs(network, test.inputs), test.targets).accuracy}});
}

// Images and, where they are known, labels; without labels the targets are undefined.
Examples examples_to_predict(const Options& options) {
  if (options.predict.empty()) return load_test_images(options.data);
  return {load_images(options.predict), options.labels.empty() ? torch::Tensor() : load_labels(options.labels)};
}

void predict(const Options& options) {
  if (options.checkpoint.empty()) throw std::runtime_error("--predict needs --checkpoint");
  prepare_torch(0);
  const Examples examples = examples_to_predict(options);
  Cnn network(cnn_shape(read_checkpoint_label(options.checkpoint).architecture));
  load_weights(options.checkpoint, network, torch::kCPU);
  const torch::Tensor logits = outputs(network, examples.inputs);
  const torch::Tensor classes = logits.argmax(1);
  for (std::int64_t i = 0; i < classes.size(0); ++i) std::cout << classes[i].item<std::int64_t>() << '\n';
  if (!examples.targets.defined()) return;
  if (examples.targets.size(0) != classes.size(0)) throw std::runtime_error("as many labels as images are needed");
  std::cerr << "accuracy " << classification(logits, examples.targets).accuracy << " of " << classes.size(0)
            << " images\n";
}

}  // namespace
}  // namespace hpsearch

int main(int argc, char** argv) {
  CLI::App app("Trains a convolutional network on Fashion-MNIST and reports val_accuracy, val_loss and, at the end, "
               "test_accuracy.", "fashion_cnn");
  hpsearch::Options options;
  hpsearch::bind(app, options);
  return hpsearch::run_objective(app, argc, argv, [&] {
    app.count("--predict") > 0 ? hpsearch::predict(options) : hpsearch::train(options);
  });
}
