#include "search/encoding.h"

#include <algorithm>
#include <cmath>

#include "search/stepped.h"

namespace hpsearch {
namespace {

template <typename... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <typename... F>
Overloaded(F...) -> Overloaded<F...>;

bool in_cells(const Domain& domain) {
  const auto* integer = std::get_if<IntDomain>(&domain);
  return last_index(domain) && !(integer && integer->log);
}

std::uint64_t cell(double unit, std::uint64_t last) {
  const double count = static_cast<double>(last) + 1;
  const double index = std::floor(unit * count);
  // Past 2^53 the count rounds up, so the index may too.
  return index >= static_cast<double>(last) ? last : static_cast<std::uint64_t>(index);
}

double cell_centre(std::uint64_t index, std::uint64_t last) {
  return (static_cast<double>(index) + 0.5) / (static_cast<double>(last) + 1);
}

// The logarithms between which the cells of a logarithmic integer lie.
struct LogRange {
  double low, high;

  explicit LogRange(const IntDomain& domain) {
    const double half = static_cast<double>(domain.step) / 2;
    const auto bottom = static_cast<double>(domain.low);
    const auto top = static_cast<double>(stepped_value(domain, stepped_last(domain)));
    low = std::log(std::max(bottom - half, bottom / 2));
    high = std::log(top + half);
  }
};

Json decoded_log(const IntDomain& domain, double unit) {
  const LogRange range(domain);
  const std::uint64_t last = stepped_last(domain);
  const double x = std::exp(std::lerp(range.low, range.high, unit));
  const double index = (x - static_cast<double>(domain.low)) / static_cast<double>(domain.step) + 0.5;
  if (unit >= 1 || index >= static_cast<double>(last)) return stepped_value(domain, last);
  return stepped_value(domain, unit <= 0 || index <= 0 ? 0 : static_cast<std::uint64_t>(index));
}

double encoded_log(const IntDomain& domain, std::int64_t value) {
  const LogRange range(domain);
  if (range.low >= range.high) return 0.5;
  return std::clamp((std::log(static_cast<double>(value)) - range.low) / (range.high - range.low), 0.0, 1.0);
}

double decoded_continuous(const FloatDomain& domain, double unit) {
  if (unit <= 0) return domain.low;
  if (unit >= 1) return domain.high;
  const double value = domain.log ? std::exp(std::lerp(std::log(domain.low), std::log(domain.high), unit))
                                  : std::lerp(domain.low, domain.high, unit);
  return std::clamp(value, domain.low, domain.high);
}

std::optional<double> encoded_continuous(const FloatDomain& domain, const Json& json) {
  if (!json.is_number()) return std::nullopt;
  const double value = json.get<double>();
  if (!(value >= domain.low && value <= domain.high)) return std::nullopt;
  // Halves, because high - low may overflow.
  const auto scaled = [&](double x) { return domain.log ? std::log(x) : x / 2; };
  const double width = scaled(domain.high) - scaled(domain.low);
  return width > 0 ? std::clamp((scaled(value) - scaled(domain.low)) / width, 0.0, 1.0) : 0.5;
}

std::optional<std::uint64_t> choice_index(const ChoiceDomain& domain, const Json& value) {
  const auto same = [&](const Json& choice) { return same_value(choice, value); };
  const auto found = std::find_if(domain.choices.begin(), domain.choices.end(), same);
  if (found == domain.choices.end()) return std::nullopt;
  return static_cast<std::uint64_t>(found - domain.choices.begin());
}

}  // namespace

std::optional<std::uint64_t> last_index(const Domain& domain) {
  return std::visit(Overloaded{[](const FloatDomain& d) -> std::optional<std::uint64_t> {
                                 if (!d.step) return std::nullopt;
                                 return stepped_last(d);
                               },
                               [](const IntDomain& d) -> std::optional<std::uint64_t> { return stepped_last(d); },
                               [](const ChoiceDomain& d) -> std::optional<std::uint64_t> { return d.choices.size() - 1; },
                               [](const FixedDomain&) -> std::optional<std::uint64_t> { return 0; }},
                    domain);
}

Json value_at(const Domain& domain, std::uint64_t index) {
  return std::visit(Overloaded{[&](const FloatDomain& d) -> Json { return stepped_value(d, index); },
                               [&](const IntDomain& d) -> Json { return stepped_value(d, index); },
                               [&](const ChoiceDomain& d) -> Json { return d.choices[index]; },
                               [&](const FixedDomain& d) -> Json { return d.value; }},
                    domain);
}

std::optional<std::uint64_t> index_of(const Domain& domain, const Json& value) {
  return std::visit(Overloaded{[&](const FloatDomain& d) { return d.step ? stepped_index(d, value) : std::nullopt; },
                               [&](const IntDomain& d) { return stepped_index(d, value); },
                               [&](const ChoiceDomain& d) { return choice_index(d, value); },
                               [&](const FixedDomain& d) {
                                 return same_value(d.value, value) ? std::optional<std::uint64_t>(0) : std::nullopt;
                               }},
                    domain);
}

Json decoded(const Domain& domain, double unit) {
  unit = std::clamp(unit, 0.0, 1.0);
  if (in_cells(domain)) return value_at(domain, cell(unit, *last_index(domain)));
  if (const auto* integer = std::get_if<IntDomain>(&domain)) return decoded_log(*integer, unit);
  return decoded_continuous(std::get<FloatDomain>(domain), unit);
}

std::optional<double> encoded(const Domain& domain, const Json& value) {
  if (std::holds_alternative<FixedDomain>(domain)) return std::nullopt;
  const auto last = last_index(domain);
  if (!last) return encoded_continuous(std::get<FloatDomain>(domain), value);
  const auto index = index_of(domain, value);
  if (!index) return std::nullopt;
  if (in_cells(domain)) return cell_centre(*index, *last);
  return encoded_log(std::get<IntDomain>(domain), value.get<std::int64_t>());
}

Json drawn(const Domain& domain, RandomStream& random) {
  if (std::holds_alternative<FixedDomain>(domain)) return value_at(domain, 0);
  // For all 2^64 integers the bound wraps to 0, which is what `below` takes for 2^64.
  if (in_cells(domain)) return value_at(domain, random.below(*last_index(domain) + 1));
  return decoded(domain, random.uniform());
}

std::vector<std::optional<double>> encoded(const Space& space, const Json& values) {
  std::vector<std::optional<double>> unit;
  for (const Param& param : space.params) {
    if (std::holds_alternative<FixedDomain>(param.domain)) continue;
    const auto found = values.find(param.name);
    unit.push_back(found == values.end() ? std::nullopt : encoded(param.domain, *found));
  }
  return unit;
}

}  // namespace hpsearch
