#include "trials/metric_value.h"

#include "trials/number.h"

namespace hpsearch {

MetricValue::MetricValue(double value) : number(value) {
  if (!std::isfinite(value)) text = format_number(value);
}

MetricValue MetricValue::parse(std::string_view text) {
  MetricValue value;
  const auto number = parse_number(text);
  if (number) value.number = *number;
  value.is_number = number.has_value();
  if (!value.finite()) value.text = text;
  return value;
}

bool MetricValue::operator==(const MetricValue& other) const {
  if (is_number != other.is_number) return false;
  if (!is_number) return text == other.text;
  return number == other.number || (std::isnan(number) && std::isnan(other.number));
}

}  // namespace hpsearch
