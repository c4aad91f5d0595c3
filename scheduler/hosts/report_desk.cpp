#include "scheduler/hosts/report_desk.h"

#include <algorithm>

#include "trials/number.h"

namespace hpsearch {

ReportDesk::ReportDesk(const Launch& launch)
    : metric_(launch.metric),
      milestone_(launch.milestone),
      top_(launch.resource_max),
      on_no_answer_(launch.on_no_answer) {}

ReportDesk::Taken ReportDesk::take(Report report, Time at) {
  if (report.step && *report.step < last_step_) {
    Taken refused = refuse("step went back from " + format_number(last_step_) + " to " + format_number(*report.step), at);
    refused.bad_step = true;
    return refused;
  }
  last_step_ = report.step.value_or(last_step_);
  Taken taken;
  taken.unheard = told() && report.step;
  taken.answer = answer_to(report);
  taken.line = {++seq_, at, std::move(report)};
  return taken;
}

ReportDesk::Taken ReportDesk::refuse(const std::string& reason, Time at) {
  Taken taken;
  taken.line = {++seq_, at, Rejection{reason}};
  return taken;
}

Answer ReportDesk::answer_to(const Report& report) {
  if (ending_) return Answer::end;
  if (!report.step) return Answer::go_on;
  if (pause_ordered_) {
    ending_ = Verdict::pause;
    by_order_ = true;
    return Answer::end;
  }
  return at_milestone(*report.step) && !away_ && report.metrics.contains(metric_) ? Answer::wait : Answer::go_on;
}

Answer ReportDesk::waiting(double step) const {
  if (ending_) return Answer::end;
  return at_milestone(step) ? Answer::wait : Answer::go_on;
}

Answer ReportDesk::query(std::optional<double> step) const {
  if (!step) return told() ? Answer::end : Answer::go_on;
  if (told_step_ && *step >= *told_step_) return Answer::end;
  return answered_step_ && *step <= *answered_step_ ? Answer::go_on : Answer::wait;
}

void ReportDesk::answered(double step, Answer answer) {
  if (answer == Answer::end && !told_step_) told_step_ = step;
  answered_step_ = std::max(step, answered_step_.value_or(step));
}

void ReportDesk::judged(Verdict verdict, std::optional<double> milestone) {
  away_ = false;
  if (verdict == Verdict::go_on) milestone_ = milestone;
  else if (!ending_) ending_ = verdict;
}

void ReportDesk::no_answer(double step) {
  if (top_ && step >= *top_) ending_ = Verdict::stop;
  else if (on_no_answer_ == NoAnswer::pause) ending_ = Verdict::pause;
  else away_ = true;
}

std::string ReportDesk::word(Answer answer) const {
  if (answer != Answer::end) return "continue";
  return ending_ == Verdict::pause ? "pause" : "stop";
}

}  // namespace hpsearch
