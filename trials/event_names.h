#pragma once

#include <string>

#include "trials/event.h"

namespace hpsearch {

// The words of to_string read back. Throw std::invalid_argument on any other word.
void parse_name(const std::string& text, TrialState& state);
void parse_name(const std::string& text, FailureReason& reason);
void parse_name(const std::string& text, Verdict& verdict);
void parse_name(const std::string& text, OrderKind& kind);
void parse_name(const std::string& text, EndKind& kind);
void parse_name(const std::string& text, HostState& state);
void parse_name(const std::string& text, HostOrder& order);

}  // namespace hpsearch
