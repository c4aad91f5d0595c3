#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trials/json.h"

namespace hpsearch {

// One field as RFC 4180 wants it: in quotes where it holds a comma, a quote or a line break, quotes doubled.
std::string csv_field(std::string_view text);

// A record with its line feed.
std::string csv_record(const std::vector<std::string>& fields);

// A parameter as a CSV field before quoting: text as it is, numbers exact, true and false, null and lists as JSON.
std::string csv_value(const Json& value);

}  // namespace hpsearch
