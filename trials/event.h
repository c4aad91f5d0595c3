#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "trials/json.h"
#include "trials/metric_value.h"
#include "trials/time.h"

namespace hpsearch {

// The event log: facts are what the world did, decisions are what we did about it. A study is the fold of both.
// Trial and attempt numbers start at 1.

// ---- Small values that events carry ------------------------------------------------------------------------------

enum class TrialState { queued, starting, running, paused, completed, stopped, failed, cancelled };
enum class FailureReason {
  none, diverged, exit, signal, out_of_memory, timed_out, silent, no_metric, bad_report, launch, lost
};
enum class Verdict { go_on, pause, stop, complete };  // `complete` leaves for the trial as "stop".

// A GPU of a host, or an instance of one that is partitioned (MIG).
struct Unit {
  std::string id;                 // UUID: "GPU-...", "MIG-...".
  std::string model;              // "NVIDIA A100-SXM4-80GB"
  std::int64_t memory = 0;        // Bytes.
  int index = 0;                  // Of the GPU, in the driver's order: for people only.
  int group = 0;                  // Units of one group are close to each other (one board, one switch).
  std::string busy;               // Why no trial may be started on it: "9.1 GB in use by pid 4242 of alice"; empty: one may.
  double free = 1;                // The part that other studies leave.
  bool operator==(const Unit&) const = default;
};

// lost: away for too long, may come back. The last three are of elastic hosts: there is no instance, a command brings one up,
// a command takes it down.
enum class HostState { connecting, up, unreachable, lost, refused, off, launching, releasing };

// One place a trial can run at: `devices` are what CUDA_VISIBLE_DEVICES gets (empty: a CPU trial).
struct Slot {
  std::string host = "local";
  int index = 0;
  std::vector<std::string> devices;
  double share = 1;               // Of each device.
  bool operator==(const Slot&) const = default;
};

// What a sampler answers. `unit` are coordinates in the unit cube, one a searched parameter, null where inactive.
struct Suggestion {
  Json params = Json::object();   // Active parameters and fixed ones, in the order of the space.
  std::vector<std::optional<double>> unit;
  std::string method;             // "random", "grid", "enqueued", ...
  std::string reason;             // One line for `why`.
  Json fitted;                    // What the sampler fitted, so that opening a study refits nothing.
};

// A trial's entry into a rung, as decided: place `rank` (from 1) of `n`, of which the first `k` are kept.
struct RungEntry {
  int bracket = 0;
  double level = 0;
  double value = 0;               // In the metric's own direction; NaN when not finite.
  std::int64_t n = 0, k = 0, rank = 0;
  bool approximate = false;       // Entered by a report past the level.
  bool skipped = false;           // The same report passed a higher rung too (counts as promoted).
};

// How an attempt's process ended, as its keeper (or its absence) tells.
enum class EndKind { exited, signalled, timed_out, silent, launch_failed, lost };
struct AttemptEnd {
  EndKind kind = EndKind::exited;
  int code = 0;                   // Exit status or signal number.
  bool ordered = false;           // The keeper ended it because it was told to.
  std::string detail;             // "command not found: train", "no report for 3s", ...
  std::string log_tail;           // Last lines of standard error (or output), at most 2 kB.
  std::string out_of_memory{};    // The line that says so, of a program that failed for want of a GPU's memory.
};

// ---- Facts -------------------------------------------------------------------------------------------------------

struct StudyCreated { std::string id; std::uint64_t seed = 0; std::string name, folder; Json document; };
struct SpecChanged { Json document; std::string folder; Json difference; };
// What a host has to give, or why it can't be used now.
struct HostSeen {
  std::string host;
  HostState state = HostState::up;
  std::string reason;             // Of `unreachable` and `refused`; of `up`: what trials wait for there.
  double cores = 0;
  std::int64_t memory = 0;        // Bytes; 0: not known.
  std::vector<Unit> units;
  std::string address = {};       // Of an elastic host's instance; empty elsewhere.
  bool operator==(const HostSeen&) const = default;
};
// A scheduler took the study up. `hosts` are those it knows at once; others follow as HostSeen. `program` is a
// fingerprint of the command's files, to tell old trials from new.
struct SessionStarted { std::string host; std::int64_t pid = 0; std::vector<HostSeen> hosts; std::string program; };
struct AttemptStarted { int trial = 0, attempt = 0; std::int64_t pid = 0; };
struct Reported {
  int trial = 0, attempt = 0;
  std::uint64_t attempt_seq = 0;             // Line number in the keeper's file: unique with `attempt`.
  std::optional<double> step;
  std::optional<MetricValue> value;          // The study's first metric, when the report carries it.
  std::string other_metrics;                 // A JSON object of the others, as text; empty when there are none.
  std::string checkpoint;
  Time reported_at{};                        // By the keeper's clock.
};
struct ReportRejected { int trial = 0, attempt = 0; std::uint64_t attempt_seq = 0; std::string text; };
struct AttemptEnded { int trial = 0, attempt = 0; AttemptEnd end; Time ended_at{}; };
// A checkpoint of an attempt on another host lies here too. Its name is empty where the program gives none.
// `attempt_seq` is of the last report that it holds.
struct CheckpointSaved { int trial = 0, attempt = 0; std::string checkpoint; std::uint64_t attempt_seq = 0; };
// A program that is not the trial's own uses one of its GPUs: its times mean little.
struct Contended { int trial = 0, attempt = 0; std::string text; };
struct Enqueued { Json params; };
struct Excluded { int trial = 0; bool excluded = true; };
struct StopRequested { std::optional<int> trial; bool now = false; };   // By the user: one trial or all.
struct Interrupted { int level = 1; };       // 0 = detach, trials run on; Ctrl-C: 1 = pause at the next report, 2 = TERM, 3 = KILL.
struct SessionEnded { std::string reason; }; // "finished", "interrupted", "detached", "stopped", "no host left".

using Fact = std::variant<StudyCreated, SpecChanged, SessionStarted, HostSeen, AttemptStarted, Reported,
                          ReportRejected, AttemptEnded, CheckpointSaved, Contended, Enqueued, Excluded,
                          StopRequested, Interrupted, SessionEnded>;

// ---- Decisions ---------------------------------------------------------------------------------------------------

struct TrialSuggested { int trial = 0; Suggestion suggestion; int bracket = 0; std::optional<double> milestone; };
// The intent to start an attempt, logged before it is acted on. `id` (128 bits, hex) is drawn by the runner.
struct AttemptPlanned {
  int trial = 0, attempt = 0;
  std::string id;
  Slot slot;
  std::optional<double> milestone;           // The step whose report waits for a verdict; none: never.
  int resume_attempt = 0;                    // The attempt whose checkpoint it continues from; 0: none.
  std::string resume_checkpoint;             // Name in that attempt's checkpoint/; may be empty.
};
struct Judged {
  int trial = 0, attempt = 0;
  std::uint64_t attempt_seq = 0;             // The report judged.
  Verdict verdict = Verdict::go_on;
  std::optional<double> milestone;           // The next one, for go_on.
  std::vector<RungEntry> entries;
  std::string reason;
};
// A paused trial has earned more: it joins the queue with a new milestone.
struct Promoted { int trial = 0; int bracket = 0; double from = 0, to = 0; std::int64_t n = 0, k = 0, rank = 0; std::string reason; };
// A running attempt is told to end for a reason outside early stopping.
enum class OrderKind { pause_at_report, terminate, kill };
struct EndOrdered { int trial = 0, attempt = 0; OrderKind order = OrderKind::terminate; std::string reason; bool cancel = false; };
// What an attempt's end means for its trial: back to the queue, paused, or an end state.
struct TrialSettled {
  int trial = 0, attempt = 0;
  TrialState state = TrialState::completed;  // queued means another attempt follows.
  FailureReason failure = FailureReason::none;
  int code = 0;                              // Exit status or signal of `failure`.
  std::string detail;
  bool counts_as_retry = false;
};
// An elastic host is to be brought up or taken down: the intent, logged before its command runs.
enum class HostOrder { launch, release };
struct HostOrdered { std::string host; HostOrder order = HostOrder::launch; std::string reason; };
inline constexpr const char* kAllTrialsDone = "all trials are done";
inline constexpr const char* kTooManyFailures = "too many failures in a row";
struct StudyEnded { std::string reason; int exit_status = 0; };

using Decision =
    std::variant<TrialSuggested, AttemptPlanned, Judged, Promoted, EndOrdered, TrialSettled, HostOrdered, StudyEnded>;

using Seq = std::uint64_t;

struct Event {
  Seq seq = 0;
  Time at{};
  std::variant<Fact, Decision> body;
};

// Calls `visitor` with the fact or decision that the event holds.
template <typename Visitor>
decltype(auto) visit_event(Visitor&& visitor, const Event& event) {
  return std::visit([&](const auto& group) -> decltype(auto) { return std::visit(visitor, group); }, event.body);
}

template <typename E, typename Variant>
inline constexpr bool kOneOf = false;
template <typename E, typename... Es>
inline constexpr bool kOneOf<E, std::variant<Es...>> = (std::is_same_v<E, Es> || ...);

// The fact or decision that the event holds if it is an E; else null.
template <typename E>
const E* event_as(const Event& event) {
  using Group = std::conditional_t<kOneOf<E, Fact>, Fact, Decision>;
  const Group* group = std::get_if<Group>(&event.body);
  return group ? std::get_if<E>(group) : nullptr;
}

// An event that can't follow those before it: the log is damaged.
struct BadEvent : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The trial that an event names; none for those of the whole study.
std::optional<int> trial_of(const Event& event);

// ---- JSON form (trials/event_json.cpp) ----------------------------------------------------------------------------

// The name under which an event is stored: "study_created", "judged", ...
std::string event_kind(const std::variant<Fact, Decision>& body);
Json event_body(const std::variant<Fact, Decision>& body);
// Throws std::invalid_argument when kind or body is not one of ours.
std::variant<Fact, Decision> parse_event(const std::string& kind, const Json& body);

std::string to_string(TrialState state);
std::string to_string(FailureReason reason);
std::string to_string(Verdict verdict);
std::string to_string(OrderKind kind);
std::string to_string(EndKind kind);
std::string to_string(HostState state);
std::string to_string(HostOrder order);
// "failed (exit 7)", "failed (signal KILL)", "failed (diverged)", ...
std::string failure_text(FailureReason reason, int code);
std::string signal_name(int signal);

}  // namespace hpsearch
