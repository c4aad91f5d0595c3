#include <algorithm>
#include <cmath>

#include "trials/number.h"
#include "trials/space.h"

namespace hpsearch {
namespace {

constexpr double kStepSlack = 1e-9;                // Of a step: 0.3 / 0.1 must count as three.

bool beyond_int64(const Json& value) {
  return value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t{INT64_MAX};
}

std::optional<std::string> range_fault(const Json& value, bool below, bool above, const std::string& low,
                                       const std::string& high) {
  if (below) return compact(value) + " is below " + low;
  if (above) return compact(value) + " is above " + high;
  return std::nullopt;
}

std::optional<std::string> fault(const FloatDomain& domain, const Json& value) {
  if (!value.is_number()) return compact(value) + " is not a number";
  const double x = value.get<double>();
  if (auto outside = range_fault(value, !(x >= domain.low), x > domain.high, format_number(domain.low),
                                 format_number(domain.high)))
    return outside;
  if (!domain.step) return std::nullopt;
  const double steps = (x - domain.low) / *domain.step;
  if (std::abs(steps - std::round(steps)) <= 1e3 * kStepSlack) return std::nullopt;
  return compact(value) + " is not " + format_number(domain.low) + " plus a multiple of " + format_number(*domain.step);
}

std::optional<std::string> fault(const IntDomain& domain, const Json& value) {
  if (!value.is_number_integer()) return compact(value) + " is not a whole number";
  const bool huge = beyond_int64(value);
  const std::int64_t n = huge ? INT64_MAX : value.get<std::int64_t>();
  if (auto outside = range_fault(value, n < domain.low, huge || n > domain.high, std::to_string(domain.low),
                                 std::to_string(domain.high)))
    return outside;
  const std::uint64_t above = static_cast<std::uint64_t>(n) - static_cast<std::uint64_t>(domain.low);
  if (above % static_cast<std::uint64_t>(domain.step) == 0) return std::nullopt;
  return compact(value) + " is not " + std::to_string(domain.low) + " plus a multiple of " + std::to_string(domain.step);
}

std::optional<std::string> fault(const ChoiceDomain& domain, const Json& value) {
  const auto same = [&value](const Json& choice) { return same_value(choice, value); };
  if (std::any_of(domain.choices.begin(), domain.choices.end(), same)) return std::nullopt;
  return compact(value) + " is not among the choices " + compact(Json(domain.choices));
}

std::optional<std::string> fault(const FixedDomain& domain, const Json& value) {
  if (same_value(domain.value, value)) return std::nullopt;
  return compact(value) + " is not the fixed value " + compact(domain.value);
}

std::optional<std::uint64_t> size(const FloatDomain& domain) {
  if (domain.low == domain.high) return 1;
  if (!domain.step) return std::nullopt;
  const double steps = std::floor((domain.high - domain.low) / *domain.step + kStepSlack);
  if (steps >= kExactIntegers) return std::nullopt;
  return static_cast<std::uint64_t>(steps) + 1;
}

std::optional<std::uint64_t> size(const IntDomain& domain) {
  const std::uint64_t span = static_cast<std::uint64_t>(domain.high) - static_cast<std::uint64_t>(domain.low);
  const std::uint64_t steps = span / static_cast<std::uint64_t>(domain.step);
  if (steps >= static_cast<std::uint64_t>(kExactIntegers)) return std::nullopt;
  return steps + 1;
}

std::optional<std::uint64_t> size(const ChoiceDomain& domain) { return domain.choices.size(); }
std::optional<std::uint64_t> size(const FixedDomain&) { return 1; }

Json value_of(const FloatDomain& domain, std::uint64_t index) {
  if (!domain.step) return domain.low;
  return std::min(domain.low + static_cast<double>(index) * *domain.step, domain.high);
}
Json value_of(const IntDomain& domain, std::uint64_t index) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(domain.low) +
                                   index * static_cast<std::uint64_t>(domain.step));
}
Json value_of(const ChoiceDomain& domain, std::uint64_t index) { return domain.choices[index]; }
Json value_of(const FixedDomain& domain, std::uint64_t) { return domain.value; }

bool same_integer(const Json& a, const Json& b) {
  if (beyond_int64(a) || beyond_int64(b))
    return beyond_int64(a) && beyond_int64(b) && a.get<std::uint64_t>() == b.get<std::uint64_t>();
  return a.get<std::int64_t>() == b.get<std::int64_t>();
}

bool same_items(const Json& a, const Json& b) {
  if (a.size() != b.size()) return false;
  for (auto i = a.begin(), j = b.begin(); i != a.end(); ++i, ++j) {
    if (a.is_object() && i.key() != j.key()) return false;
    if (!same_value(*i, *j)) return false;
  }
  return true;
}

}  // namespace

bool same_value(const Json& a, const Json& b) {
  if (a.is_number_integer() && b.is_number_integer()) return same_integer(a, b);
  if (a.type() != b.type()) return false;
  return a.is_structured() ? same_items(a, b) : a == b;
}

std::optional<std::string> domain_fault(const Domain& domain, const Json& value) {
  return std::visit([&value](const auto& kind) { return fault(kind, value); }, domain);
}

std::optional<std::uint64_t> domain_size(const Domain& domain) {
  return std::visit([](const auto& kind) { return size(kind); }, domain);
}

Json domain_value(const Domain& domain, std::uint64_t index) {
  return std::visit([index](const auto& kind) { return value_of(kind, index); }, domain);
}

}  // namespace hpsearch
