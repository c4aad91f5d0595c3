#pragma once

#include <optional>
#include <string>

#include "trials/event.h"

namespace hpsearch {

// What a keeper leaves in exit.json, and sends as {"exit": ...}: how its attempt ended, and when.
struct ExitRecord {
  AttemptEnd end;
  Time at{};
  int rank = 0;  // The process whose end it is, where an attempt has several.
};

// One line without a newline.
std::string exit_text(const ExitRecord& record);
// None when the text is damaged or not ours.
std::optional<ExitRecord> parse_exit(std::string_view text);

}  // namespace hpsearch
