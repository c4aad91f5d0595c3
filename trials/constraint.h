#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trials/json.h"

namespace hpsearch {

// A rule between parameters, as "a * b <= 200 and not (k == 'sgd')". Grammar: or, and, not; chained comparisons
// < <= > >= == !=; + - * / % ^; unary -; min max abs log sqrt; numbers, 'text', true, false, null, parameter
// names (odd ones in `backquotes`). Integer arithmetic on integers is exact or falls to double on overflow.
class Constraint {
 public:
  struct Node;

  // Throws std::invalid_argument with the message and a column (from 1) when the text does not parse.
  explicit Constraint(std::string text);

  const std::string& text() const { return text_; }
  const std::vector<std::string>& names() const { return names_; }  // Parameters it refers to, each once.

  // True when a parameter it names is absent from `values` (inactive): a rule about something that is not there holds.
  bool holds(const Json& values) const;

 private:
  std::string text_;
  std::vector<std::string> names_;
  std::shared_ptr<const Node> root_;  // Shared because specs are copied and the tree never changes.
};

}  // namespace hpsearch
