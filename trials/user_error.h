#pragma once

#include <stdexcept>
#include <string>

namespace hpsearch {

// The user is wrong: what() names file, field and rule, one fault a line. Exit status 2, nothing changed.
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace hpsearch
