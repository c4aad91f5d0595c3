#pragma once

#include <cstdint>

namespace hpsearch {

// A made-up learning curve to minimise: a power law from `start` (at step 0) down or up to `asymptote`, with noise
// that shrinks likewise. Power laws fit real curves well (Domhan, Springenberg and Hutter, IJCAI 2015).
struct LearningCurve {
  double asymptote = 0.0;  // What the trial is worth.
  double start = 10.0;
  double rate = 1.0;       // Exponent; larger is faster. Curves of different rates cross.
  double noise = 0.0;      // Standard deviation at step 0.
  std::uint64_t seed = 0;  // Of the noise.

  // The same step is the same value, whichever attempt asks.
  double value(double step) const;
};

}  // namespace hpsearch
