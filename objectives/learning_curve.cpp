#include "objectives/learning_curve.h"

#include <bit>
#include <cmath>

#include "objectives/counter_noise.h"

namespace hpsearch {

double LearningCurve::value(double step) const {
  const double left = std::pow(1.0 + step, -rate);
  const double wobble = noise == 0.0 ? 0.0 : noise * counter_normal(seed, std::bit_cast<std::uint64_t>(step));
  return asymptote + (start - asymptote + wobble) * left;
}

}  // namespace hpsearch
