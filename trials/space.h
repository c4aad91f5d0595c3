#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "trials/constraint.h"
#include "trials/json.h"

namespace hpsearch {

// Bounds are plain values, both included, never exponents.
struct FloatDomain {
  double low = 0, high = 1;
  std::optional<double> step;  // Values low + i*step <= high.
  bool log = false;            // Then low > 0 and no step.
};

// 64-bit integers stay exact; high - low may exceed 63 bits.
struct IntDomain {
  std::int64_t low = 0, high = 0;
  std::int64_t step = 1;
  bool log = false;            // Then low >= 1.
};

// Choices keep JSON type and value: 2, 2.0 and "2" differ (2 and 2.0 in one list are refused).
struct ChoiceDomain {
  std::vector<Json> choices;
  bool ordered = false;
};

// A scalar in `params`: passed on, never searched.
struct FixedDomain {
  Json value;
};

using Domain = std::variant<FloatDomain, IntDomain, ChoiceDomain, FixedDomain>;

// Same JSON type and value: 2, 2.0 and "2" differ, also inside lists.
bool same_value(const Json& a, const Json& b);

// Why `value` is not in the domain ("5 is above 0.3"); none if it is. Whole numbers are values of a float domain.
std::optional<std::string> domain_fault(const Domain& domain, const Json& value);

// Number of values of a domain; none when continuous or more than 2^53.
std::optional<std::uint64_t> domain_size(const Domain& domain);

// Value number `index` (from 0, upwards) of a domain that has a size.
Json domain_value(const Domain& domain, std::uint64_t index);

// One key of a `when`; all keys must hold, and the parent must itself be active.
struct Condition {
  std::string param;
  std::vector<Json> in;                    // A plain value is a list of one. Empty when a bound is given.
  std::optional<double> at_least, at_most;
  bool holds(const Json& value) const;
  std::string text() const;                // "optimizer is \"sgd\"", "layers >= 2"
};

struct Param {
  std::string name;
  Domain domain;
  std::vector<Condition> when;
  std::optional<Json> was = std::nullopt;  // In a study that had trials before it had this parameter: their value of it.
};

// The parameters in the order of the file; a `when` refers only to parameters above its own.
struct Space {
  std::vector<Param> params;
  std::vector<Constraint> constraints;

  const Param* find(const std::string& name) const;
  // `values` holds the parameters above `param` (inactive ones absent).
  bool active(const Param& param, const Json& values) const;
  // Every declared constraint that has all its parameters active.
  bool allows(const Json& values) const;
  // Number of distinct configurations of a space without continuous parameters, constraints ignored; none when
  // continuous, more than 2^53, or conditions so tangled that counting would take long.
  std::optional<std::uint64_t> size() const;
  // Why `values` is not a point of this space (unknown name, out of range, inactive, missing, constraint); none if it
  // is. A fixed parameter may be left out.
  std::optional<std::string> fault(const Json& values) const;
  // The same for a point that names some parameters only: why no choice of the others makes it one, as far as the
  // values given tell.
  std::optional<std::string> partial_fault(const Json& values) const;
  // A point without fault as trials get it: in the order of the space, fixed parameters added, floats as floats.
  Json completed(const Json& values) const;
  // The values of a trial suggested from `before`, an earlier form of this space: new parameters get the value that
  // they say they had, fixed ones their own, where they are active.
  Json carried_over(const Json& values, const Space& before) const;
};

}  // namespace hpsearch
