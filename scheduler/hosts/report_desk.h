#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scheduler/hosts/events_line.h"
#include "scheduler/hosts/launch.h"

namespace hpsearch {

enum class Answer { go_on, end, wait };

// What a keeper answers on its trial's reports: verdicts, milestones and orders in, answers out. Pure.
//
// A verdict to end is sticky: every later report gets it. A report at or past the milestone that carries the metric
// waits for the scheduler; when no verdict comes, the trial goes on and none waits again until the scheduler speaks,
// or, where trials pause, it pauses.
class ReportDesk {
 public:
  explicit ReportDesk(const Launch& launch);

  struct Taken {
    EventsLine line;               // To be recorded.
    Answer answer = Answer::go_on;
    bool bad_step = false;         // The trial's steps are wrong: it is to be ended.
    bool unheard = false;          // The trial was told to end and reports another step: it does not listen.
  };
  // A report as parsed. Refuses a step lower than an earlier one.
  Taken take(Report report, Time at);
  // Text that is no report.
  Taken refuse(const std::string& reason, Time at);

  // The answer to a report of `step` that waits; Answer::wait while there is none.
  Answer waiting(double step) const;
  // What a process with RANK > 0 hears about `step`: what rank 0 heard.
  Answer query(std::optional<double> step) const;
  // The report of `step` was answered with `go_on` or `end`.
  void answered(double step, Answer answer);

  void judged(Verdict verdict, std::optional<double> milestone);
  void pause_at_report() { pause_ordered_ = true; }
  // No verdict came in time for the report of `step`.
  void no_answer(double step);
  void scheduler_is_back() { away_ = false; }

  bool ending() const { return ending_.has_value(); }   // A verdict to end is known, told or not.
  bool told() const { return told_step_.has_value(); }  // The trial has heard it.
  bool by_order() const { return by_order_; }           // It ends because of an order to pause.
  std::uint64_t last_seq() const { return seq_; }
  // How the trial hears an answer: "continue", "pause" or "stop".
  std::string word(Answer answer) const;

 private:
  Answer answer_to(const Report& report);
  bool at_milestone(double step) const { return milestone_ && step >= *milestone_; }

  std::string metric_;
  std::optional<double> milestone_, top_;
  NoAnswer on_no_answer_;
  std::uint64_t seq_ = 0;
  double last_step_ = 0;
  std::optional<Verdict> ending_;
  std::optional<double> told_step_, answered_step_;
  bool pause_ordered_ = false;
  bool by_order_ = false;
  bool away_ = false;      // A verdict failed to come, and nothing was heard since.
};

}  // namespace hpsearch
