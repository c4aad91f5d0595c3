#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hpsearch {

struct Interval {
  double low = 0.0;
  double high = 1.0;
};

// A function to minimise on a box, with its answer. Formulas and optima: S. Surjanovic and D. Bingham, Virtual Library
// of Simulation Experiments, https://www.sfu.ca/~ssurjano/optimization.html.
//
// name        dimension  box                    minimum     at (unshifted)
// branin      2          [-5, 10] x [0, 15]     0.397887    (pi, 2.275) and two more
// hartmann6   6          [0, 1]^6               -3.322368   (0.20169, 0.150011, 0.476874, 0.275332, 0.311652, 0.6573)
// ackley      any        [-32.768, 32.768]^d    0           (0, ..., 0)
// rosenbrock  2 or more  [-5, 10]^d             0           (1, ..., 1)
// levy        any        [-10, 10]^d            0           (1, ..., 1)
//
// Shifted, the graph moves so that the minimiser lands anywhere in the middle four fifths of each side: a search that
// favours the centre or the corners gains nothing. These minima hold on all of R^d, hence on every shifted box too.
struct SyntheticFunction {
  std::string name;
  std::vector<Interval> box;
  double minimum = 0.0;
  std::vector<double> minimizer;
  std::function<double(std::span<const double>)> value;  // As many coordinates as `box` has sides.
};

const std::vector<std::string>& synthetic_names();

// The fixed dimension of the function named, none when it takes any.
std::optional<std::size_t> synthetic_dimension(const std::string& name);

// Shift seed 0: not shifted. Throws std::invalid_argument for an unknown name or a dimension that does not fit.
SyntheticFunction synthetic_function(const std::string& name, std::size_t dimension, std::uint64_t shift_seed);

// A training in miniature, with conditional and log-scaled parameters of every kind: to minimise, the minimum is 0.05
// with adam, lr = 1e-3, layers = 3, width = 64. With sgd the best is 0.1, at lr = 10^-1.5, momentum = 0.85.
// A shift seed moves both best learning rates by up to a factor 3 and the best momentum by up to 0.1.
struct MixedPoint {
  std::string optimizer = "sgd";   // "sgd" or "adam".
  double lr = 0.01;                // 1e-5 to 1.
  std::optional<double> momentum;  // 0 to 0.99; sgd only.
  int layers = 1;                  // 1 to 5.
  std::optional<int> width;        // 8 to 512; with two or more layers only.
};

// Throws std::invalid_argument when a conditional value is missing or given where it has no meaning.
double mixed_conditional(const MixedPoint& point, std::uint64_t shift_seed);
MixedPoint mixed_conditional_minimizer(std::uint64_t shift_seed);
inline constexpr double kMixedConditionalMinimum = 0.05;

}  // namespace hpsearch
