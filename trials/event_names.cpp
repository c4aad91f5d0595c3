#include <array>
#include <csignal>
#include <cstring>
#include <stdexcept>

#include "trials/event.h"
#include "trials/event_names.h"

namespace hpsearch {

std::optional<int> trial_of(const Event& event) {
  const auto named = [](const auto& e) -> std::optional<int> {
    if constexpr (requires { e.trial; }) return e.trial;
    else return std::nullopt;
  };
  return visit_event(named, event);
}

namespace {

constexpr std::array kStates{"queued", "starting", "running", "paused", "completed", "stopped", "failed", "cancelled"};
constexpr std::array kFailures{"none",      "diverged",   "exit",   "signal", "out_of_memory", "timed_out", "silent",
                               "no_metric", "bad_report", "launch", "lost"};
constexpr std::array kVerdicts{"go_on", "pause", "stop", "complete"};
constexpr std::array kOrders{"pause_at_report", "terminate", "kill"};
constexpr std::array kEnds{"exited", "signalled", "timed_out", "silent", "launch_failed", "lost"};
constexpr std::array kHostStates{"connecting", "up", "unreachable", "lost", "refused", "off", "launching", "releasing"};
constexpr std::array kHostOrders{"launch", "release"};

template <typename E, std::size_t N>
E find(const std::array<const char*, N>& names, const std::string& text) {
  for (std::size_t i = 0; i < N; ++i)
    if (text == names[i]) return static_cast<E>(i);
  throw std::invalid_argument("unknown word \"" + text + "\"");
}

}  // namespace

std::string to_string(TrialState state) { return kStates[static_cast<int>(state)]; }
std::string to_string(FailureReason reason) { return kFailures[static_cast<int>(reason)]; }
std::string to_string(Verdict verdict) { return kVerdicts[static_cast<int>(verdict)]; }
std::string to_string(OrderKind kind) { return kOrders[static_cast<int>(kind)]; }
std::string to_string(EndKind kind) { return kEnds[static_cast<int>(kind)]; }
std::string to_string(HostState state) { return kHostStates[static_cast<int>(state)]; }
std::string to_string(HostOrder order) { return kHostOrders[static_cast<int>(order)]; }

void parse_name(const std::string& text, TrialState& state) { state = find<TrialState>(kStates, text); }
void parse_name(const std::string& text, FailureReason& reason) { reason = find<FailureReason>(kFailures, text); }
void parse_name(const std::string& text, Verdict& verdict) { verdict = find<Verdict>(kVerdicts, text); }
void parse_name(const std::string& text, OrderKind& kind) { kind = find<OrderKind>(kOrders, text); }
void parse_name(const std::string& text, EndKind& kind) { kind = find<EndKind>(kEnds, text); }
void parse_name(const std::string& text, HostState& state) { state = find<HostState>(kHostStates, text); }
void parse_name(const std::string& text, HostOrder& order) { order = find<HostOrder>(kHostOrders, text); }

std::string signal_name(int signal) {
  if (const char* name = sigabbrev_np(signal)) return name;
  return std::to_string(signal);
}

std::string failure_text(FailureReason reason, int code) {
  switch (reason) {
    case FailureReason::none: return "";
    case FailureReason::exit: return "exit " + std::to_string(code);
    case FailureReason::signal: return "signal " + signal_name(code);
    case FailureReason::diverged:
    case FailureReason::out_of_memory:
    case FailureReason::timed_out:
    case FailureReason::silent:
    case FailureReason::no_metric:
    case FailureReason::bad_report:
    case FailureReason::launch:
    case FailureReason::lost: return to_string(reason);
  }
  return "";
}

}  // namespace hpsearch
