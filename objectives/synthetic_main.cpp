// Evaluates a synthetic function as if it were a training: for demonstrations, tests and measurements of hpsearch.
// `synthetic --function=branin --x1=3 --x2=2` reports one closing value; with --steps, a learning curve towards it.

#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <thread>

#include "objectives/command_line.h"
#include "objectives/counter_noise.h"
#include "objectives/learning_curve.h"
#include "objectives/synthetic.h"
#include "trials/reporter.h"

namespace hpsearch {
namespace {

constexpr std::size_t kMostCoordinates = 100;

struct Options {
  std::string function = "branin";
  std::uint64_t shift_seed = 0;
  std::vector<std::optional<double>> x = std::vector<std::optional<double>>(kMostCoordinates);
  MixedPoint mixed;
  std::optional<int> steps;
  double step_seconds = 0.0;
  LearningCurve curve;
  std::optional<std::uint64_t> seed;
  bool checkpoint = false;
};

void bind_function(CLI::App& app, Options& options) {
  std::vector<std::string> names = synthetic_names();
  names.push_back("mixed");
  app.add_option("--function", options.function, "Function")->check(CLI::IsMember(names))->capture_default_str();
  app.add_option("--shift_seed", options.shift_seed, "Moves the optimum; 0: where the literature has it")
      ->capture_default_str();
  for (std::size_t i = 0; i < kMostCoordinates; ++i) {
    const std::string number = std::to_string(i + 1);
    CLI::Option* option = app.add_option("--x" + number, options.x[i], "Coordinate " + number + ", and so on to --x100");
    if (i >= 2) option->group("");
  }
}

void bind_mixed(CLI::App& app, MixedPoint& point) {
  app.add_option("--optimizer", point.optimizer, "Of mixed: sgd or adam")->group("Function mixed");
  app.add_option("--lr", point.lr, "Of mixed")->check(CLI::PositiveNumber)->group("Function mixed");
  app.add_option("--momentum", point.momentum, "Of mixed: with sgd only")->group("Function mixed");
  app.add_option("--layers", point.layers, "Of mixed")->check(CLI::Range(1, 5))->group("Function mixed");
  app.add_option("--width", point.width, "Of mixed: with two or more layers only")
      ->check(CLI::PositiveNumber)->group("Function mixed");
}

void bind_curve(CLI::App& app, Options& options) {
  app.add_option("--steps", options.steps, "Length of a learning curve; 0: none; default: the study's maximum")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--step_seconds", options.step_seconds, "Sleep before each report")->check(CLI::NonNegativeNumber);
  app.add_option("--start", options.curve.start, "Value at step 0")->capture_default_str();
  app.add_option("--rate", options.curve.rate, "Speed of the curve")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--noise", options.curve.noise, "Deviation of the noise at step 0")->check(CLI::NonNegativeNumber);
  app.add_option("--seed", options.seed, "Of the noise; default: the trial's");
  app.add_flag("--checkpoint", options.checkpoint, "Write a checkpoint each step, and go on from one");
}

std::vector<double> coordinates(const Options& options) {
  std::vector<double> point;
  for (const std::optional<double>& x : options.x) {
    if (x) point.push_back(*x);
  }
  for (std::size_t i = 0; i < point.size(); ++i) {
    if (!options.x[i]) throw std::invalid_argument("--x" + std::to_string(i + 1) + " is missing");
  }
  return point;
}

double function_value(const Options& options) {
  if (options.function == "mixed") return mixed_conditional(options.mixed, options.shift_seed);
  const std::vector<double> point = coordinates(options);
  return synthetic_function(options.function, point.size(), options.shift_seed).value(point);
}

void sleep(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

// The step that a checkpoint of ours stands at; 0 for a fresh start.
int first_step(const Options& options, const Reporter& reporter) {
  const auto checkpoint = options.checkpoint ? reporter.resume_from() : std::nullopt;
  if (!checkpoint || std::filesystem::is_directory(*checkpoint)) return 0;
  int step = 0;
  if (!(std::ifstream(*checkpoint) >> step)) throw std::runtime_error(checkpoint->string() + ": not a checkpoint");
  return step;
}

std::string saved(int step, const Options& options, const Reporter& reporter) {
  if (!options.checkpoint) return {};
  const std::string name = "step-" + std::to_string(step);
  const std::filesystem::path path = reporter.checkpoint_dir() / name;
  const std::filesystem::path unfinished = path.string() + ".part";
  std::ofstream file(unfinished);
  file << step << '\n';
  file.close();
  if (!file) throw std::runtime_error(unfinished.string() + ": cannot be written");
  std::filesystem::rename(unfinished, path);
  return name;
}

void run_curve(const Options& options, const LearningCurve& curve, int steps, Reporter& reporter) {
  for (int step = first_step(options, reporter) + 1; step <= steps; ++step) {
    sleep(options.step_seconds);
    const std::string checkpoint = saved(step, options, reporter);
    if (!reporter.report(step, {{"value", curve.value(step)}}, checkpoint)) return;
  }
}

void run(const Options& options) {
  Reporter reporter;
  LearningCurve curve = options.curve;
  curve.asymptote = function_value(options);
  curve.seed = options.seed.value_or(reporter.seed());
  const int steps = options.steps.value_or(static_cast<int>(reporter.resource_max().value_or(0.0)));
  if (steps > 0) return run_curve(options, curve, steps, reporter);
  sleep(options.step_seconds);
  reporter.report({{"value", curve.asymptote + curve.noise * counter_normal(curve.seed, 0)}});
}

}  // namespace
}  // namespace hpsearch

int main(int argc, char** argv) {
  CLI::App app("Evaluates a synthetic function and reports it as `value`, to be minimised.", "synthetic");
  hpsearch::Options options;
  hpsearch::bind_function(app, options);
  hpsearch::bind_mixed(app, options.mixed);
  hpsearch::bind_curve(app, options);
  return hpsearch::run_objective(app, argc, argv, [&] { hpsearch::run(options); });
}
