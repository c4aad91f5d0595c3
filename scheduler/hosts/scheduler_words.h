#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "trials/event.h"

namespace hpsearch {

// What a scheduler says to a keeper, one JSON object a line.
struct Hello { std::uint64_t from = 1; };                // It wants the lines of the log from this one on.
struct VerdictWord { Verdict verdict = Verdict::go_on; std::optional<double> milestone; };
struct OrderWord { OrderKind order = OrderKind::terminate; };
using SchedulerWord = std::variant<Hello, VerdictWord, OrderWord>;

// With the newline.
std::string word_text(const SchedulerWord& word);
// None when it is not one of ours.
std::optional<SchedulerWord> parse_word(std::string_view line);

}  // namespace hpsearch
