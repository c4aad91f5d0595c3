#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <string_view>

namespace hpsearch {

// A metric as a trial sent it. Finite numbers are kept exactly; anything else keeps its text as sent.
struct MetricValue {
  double number = std::numeric_limits<double>::quiet_NaN();
  std::string text;          // As sent, where `number` is not finite; else empty.
  bool is_number = true;     // False for text such as "12abc": then number is NaN.

  MetricValue() = default;
  MetricValue(double value);                      // NOLINT: a finite number is a metric value.
  static MetricValue parse(std::string_view text);  // The whole token or nothing, in every locale; see number.h.

  bool finite() const { return is_number && std::isfinite(number); }
  bool operator==(const MetricValue&) const;      // NaN equals NaN.
};

}  // namespace hpsearch
