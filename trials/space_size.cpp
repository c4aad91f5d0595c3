#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>

#include "trials/space.h"

namespace hpsearch {
namespace {

constexpr std::uint64_t kMost = std::uint64_t{1} << 53;
constexpr std::size_t kMostStates = 100'000;
constexpr std::size_t kMostParams = 2000;  // Bounds the recursion.
using Size = std::optional<std::uint64_t>;

Size product(Size a, Size b) {
  if (!a || !b || (*a != 0 && *b > kMost / *a)) return std::nullopt;
  return *a * *b;
}

Size sum(Size a, Size b) {
  if (!a || !b || *a + *b > kMost) return std::nullopt;
  return *a + *b;
}

// The truth of one `when` key, once its parameter has a value.
struct Pending {
  std::size_t child;
  const Condition* condition;
};

// Parameters in an order where each comes as soon as those that its conditions name have come.
std::vector<const Param*> closest_order(const Space& space) {
  std::vector<const Param*> order;
  std::set<std::string> placed;
  const std::function<void(const Param&)> place = [&](const Param& param) {
    const auto ready = [&](const Condition& condition) { return placed.count(condition.param) > 0; };
    if (placed.count(param.name) || !std::all_of(param.when.begin(), param.when.end(), ready)) return;
    placed.insert(param.name);
    order.push_back(&param);
    for (const Param& next : space.params) {
      const auto names = [&param](const Condition& condition) { return condition.param == param.name; };
      if (std::any_of(next.when.begin(), next.when.end(), names)) place(next);
    }
  };
  for (const Param& param : space.params) place(param);
  return order;
}

// Counts configurations parameter by parameter. Values of a parameter that later conditions can't tell apart are
// counted together, and what is left to count depends only on the truth of the conditions still to come.
class Counter {
 public:
  explicit Counter(const Space& space) : params_(closest_order(space)) {
    for (std::size_t child = 0; child < params_.size(); ++child) {
      for (const Condition& condition : params_[child]->when) pending_.push_back({child, &condition});
    }
  }

  Size count() { return count_from(0, std::vector<bool>(pending_.size(), false)); }

 private:
  using Truths = std::vector<bool>;  // One for each pending condition; those of earlier children are reset.

  Size count_from(std::size_t at, Truths truths) {
    if (at == params_.size()) return 1;
    const bool active = take_activity(at, truths);
    if (memo_.size() > kMostStates) return std::nullopt;
    const auto known = memo_.find({at, active, truths});
    if (known != memo_.end()) return known->second;
    const Size result = active ? count_values(at, truths) : count_from(at + 1, truths);
    memo_[{at, active, truths}] = result;
    return result;
  }

  bool take_activity(std::size_t at, Truths& truths) const {
    bool active = true;
    for (std::size_t i = 0; i < pending_.size(); ++i) {
      if (pending_[i].child != at) continue;
      active = active && truths[i];
      truths[i] = false;
    }
    return active;
  }

  Size count_values(std::size_t at, const Truths& truths) {
    const Param& param = *params_[at];
    const Size size = domain_size(param.domain);
    if (!size) return std::nullopt;
    const std::vector<std::uint64_t> cuts = cuts_of(param, *size);
    Size total = 0;
    for (std::size_t i = 0; i + 1 < cuts.size() && total; ++i) {
      const Truths next = with_value(param, domain_value(param.domain, cuts[i]), truths);
      total = sum(total, product(cuts[i + 1] - cuts[i], count_from(at + 1, next)));
    }
    return total;
  }

  Truths with_value(const Param& param, const Json& value, Truths truths) const {
    for (std::size_t i = 0; i < pending_.size(); ++i) {
      if (pending_[i].condition->param == param.name) truths[i] = pending_[i].condition->holds(value);
    }
    return truths;
  }

  // Indices of values at which some condition may change its truth, with 0 and `size` at the ends.
  std::vector<std::uint64_t> cuts_of(const Param& param, std::uint64_t size) const {
    std::set<std::uint64_t> cuts{0, size};
    const bool choices = std::holds_alternative<ChoiceDomain>(param.domain);
    for (const Pending& pending : pending_) {
      if (pending.condition->param != param.name) continue;
      for (std::uint64_t i = 0; choices && i < size; ++i) cuts.insert(i);
      if (!choices) add_cuts(param.domain, size, *pending.condition, cuts);
    }
    return {cuts.begin(), cuts.end()};
  }

  static void add_cuts(const Domain& domain, std::uint64_t size, const Condition& condition,
                       std::set<std::uint64_t>& cuts) {
    const auto add = [&](double bound, bool beyond) { cuts.insert(first_from(domain, size, bound, beyond)); };
    for (const Json& wanted : condition.in) {
      add(wanted.is_number() ? wanted.get<double>() : 0, false);
      add(wanted.is_number() ? wanted.get<double>() : 0, true);
    }
    if (condition.at_least) add(*condition.at_least, false);
    if (condition.at_most) add(*condition.at_most, true);
  }

  // The first value at or (with `beyond`) above `bound`.
  static std::uint64_t first_from(const Domain& domain, std::uint64_t size, double bound, bool beyond) {
    std::uint64_t low = 0, high = size;
    while (low < high) {
      const std::uint64_t middle = low + (high - low) / 2;
      const Json value = domain_value(domain, middle);
      const double number = value.is_number() ? value.get<double>() : 0;
      if (number > bound || (!beyond && number == bound)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  std::vector<const Param*> params_;
  std::vector<Pending> pending_;
  std::map<std::tuple<std::size_t, bool, Truths>, Size> memo_;
};

bool uncountable(const Param& param) { return !domain_size(param.domain); }

}  // namespace

std::optional<std::uint64_t> Space::size() const {
  if (params.size() > kMostParams || std::any_of(params.begin(), params.end(), uncountable)) return std::nullopt;
  return Counter(*this).count();
}

}  // namespace hpsearch
