#include "objectives/synthetic.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "objectives/counter_noise.h"

namespace hpsearch {
namespace {

using std::numbers::pi;
using Point = std::span<const double>;

double square(double x) { return x * x; }

double branin(Point x) {
  const double valley = x[1] - 5.1 / (4 * pi * pi) * square(x[0]) + 5 / pi * x[0] - 6;
  return square(valley) + 10 * (1 - 1 / (8 * pi)) * std::cos(x[0]) + 10;
}

double hartmann6(Point x) {
  static constexpr std::array<double, 4> kWeight = {1.0, 1.2, 3.0, 3.2};
  static constexpr double kScale[4][6] = {{10, 3, 17, 3.5, 1.7, 8},
                                          {0.05, 10, 17, 0.1, 8, 14},
                                          {3, 3.5, 1.7, 10, 17, 8},
                                          {17, 8, 0.05, 10, 0.1, 14}};
  static constexpr double kCentre[4][6] = {{0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886},
                                           {0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991},
                                           {0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650},
                                           {0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381}};
  double sum = 0.0;
  for (std::size_t i = 0; i < kWeight.size(); ++i) {
    double distance = 0.0;
    for (std::size_t j = 0; j < 6; ++j) distance += kScale[i][j] * square(x[j] - kCentre[i][j]);
    sum += kWeight[i] * std::exp(-distance);
  }
  return -sum;
}

double ackley(Point x) {
  double squares = 0.0, waves = 0.0;
  for (const double xi : x) {
    squares += square(xi);
    waves += std::cos(2 * pi * xi);
  }
  const auto d = static_cast<double>(x.size());
  return -20 * std::exp(-0.2 * std::sqrt(squares / d)) - std::exp(waves / d) + 20 + std::numbers::e;
}

double rosenbrock(Point x) {
  double sum = 0.0;
  for (std::size_t i = 0; i + 1 < x.size(); ++i) sum += 100 * square(x[i + 1] - square(x[i])) + square(1 - x[i]);
  return sum;
}

double levy(Point x) {
  const auto w = [&](std::size_t i) { return 1 + (x[i] - 1) / 4; };
  const std::size_t last = x.size() - 1;
  double sum = square(std::sin(pi * w(0)));
  for (std::size_t i = 0; i < last; ++i) sum += square(w(i) - 1) * (1 + 10 * square(std::sin(pi * w(i) + 1)));
  return sum + square(w(last) - 1) * (1 + square(std::sin(2 * pi * w(last))));
}

SyntheticFunction repeated(const std::string& name, std::size_t dimension, Interval side, double optimum,
                           double (*value)(Point)) {
  return {name, std::vector<Interval>(dimension, side), 0.0, std::vector<double>(dimension, optimum), value};
}

SyntheticFunction unshifted(const std::string& name, std::size_t d) {
  if (name == "branin") return {name, {{-5, 10}, {0, 15}}, 0.39788735772973816, {pi, 2.275}, branin};
  if (name == "hartmann6") {
    return {name, std::vector<Interval>(6), -3.3223680114155147,
            {0.20168952, 0.15001069, 0.47687398, 0.27533243, 0.31165162, 0.65730054}, hartmann6};
  }
  if (name == "ackley") return repeated(name, d, {-32.768, 32.768}, 0.0, ackley);
  if (name == "rosenbrock") return repeated(name, d, {-5, 10}, 1.0, rosenbrock);
  return repeated(name, d, {-10, 10}, 1.0, levy);
}

void check_dimension(const std::string& name, std::size_t dimension) {
  const auto& names = synthetic_names();
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    throw std::invalid_argument("unknown function " + name);
  }
  const std::size_t least = name == "rosenbrock" ? 2 : 1;
  const std::optional<std::size_t> fixed = synthetic_dimension(name);
  if (dimension < least || (fixed && dimension != *fixed)) {
    throw std::invalid_argument(name + " has " + std::to_string(fixed.value_or(least)) + (fixed ? "" : " or more") +
                                " coordinates, not " + std::to_string(dimension));
  }
}

SyntheticFunction shifted(SyntheticFunction function, std::uint64_t seed) {
  std::vector<double> offset;
  for (std::size_t i = 0; i < function.box.size(); ++i) {
    const auto [low, high] = function.box[i];
    const double target = low + (high - low) * (0.1 + 0.8 * counter_uniform(seed, i));
    offset.push_back(target - function.minimizer[i]);
    function.minimizer[i] = target;
  }
  function.value = [value = function.value, offset](Point x) {
    std::vector<double> moved(x.begin(), x.end());
    for (std::size_t i = 0; i < moved.size(); ++i) moved[i] -= offset[i];
    return value(moved);
  };
  return function;
}

// The three numbers that a shift moves.
struct MixedOptimum {
  double adam_log_lr = -3.0;
  double sgd_log_lr = -1.5;
  double momentum = 0.85;
};

MixedOptimum mixed_optimum(std::uint64_t seed) {
  MixedOptimum optimum;
  if (seed == 0) return optimum;
  optimum.adam_log_lr += counter_uniform(seed, 0) - 0.5;
  optimum.sgd_log_lr += counter_uniform(seed, 1) - 0.5;
  optimum.momentum += 0.2 * (counter_uniform(seed, 2) - 0.5);
  return optimum;
}

void check_conditions(const MixedPoint& point) {
  if (point.optimizer != "sgd" && point.optimizer != "adam") {
    throw std::invalid_argument("unknown optimizer " + point.optimizer);
  }
  if (point.momentum.has_value() != (point.optimizer == "sgd")) {
    throw std::invalid_argument("momentum belongs to sgd, and only to sgd");
  }
  if (point.width.has_value() != (point.layers >= 2)) {
    throw std::invalid_argument("width belongs to two or more layers, and only to these");
  }
}

}  // namespace

const std::vector<std::string>& synthetic_names() {
  static const std::vector<std::string> names = {"branin", "hartmann6", "ackley", "rosenbrock", "levy"};
  return names;
}

std::optional<std::size_t> synthetic_dimension(const std::string& name) {
  if (name == "branin") return 2;
  if (name == "hartmann6") return 6;
  return std::nullopt;
}

SyntheticFunction synthetic_function(const std::string& name, std::size_t dimension, std::uint64_t shift_seed) {
  check_dimension(name, dimension);
  SyntheticFunction function = unshifted(name, dimension);
  return shift_seed == 0 ? function : shifted(std::move(function), shift_seed);
}

double mixed_conditional(const MixedPoint& point, std::uint64_t shift_seed) {
  check_conditions(point);
  const MixedOptimum best = mixed_optimum(shift_seed);
  const double log_lr = std::log10(point.lr);
  double value = 0.02 * square(point.layers - 3);
  if (point.width) value += 0.01 * square(std::log2(*point.width) - 6);
  if (point.momentum) return value + 0.1 + 0.1 * square(log_lr - best.sgd_log_lr) + square(*point.momentum - best.momentum);
  return value + kMixedConditionalMinimum + 0.1 * square(log_lr - best.adam_log_lr);
}

MixedPoint mixed_conditional_minimizer(std::uint64_t shift_seed) {
  return {"adam", std::pow(10.0, mixed_optimum(shift_seed).adam_log_lr), std::nullopt, 3, 64};
}

}  // namespace hpsearch
