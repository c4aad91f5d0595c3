#include "scheduler/hosts/report_intake.h"

#include <algorithm>

#include "scheduler/hosts/steady_now.h"
#include "scheduler/hosts/text_file.h"
#include "trials/json_scanner.h"
#include "trials/number.h"
#include "trials/report_parts.h"

namespace hpsearch {

namespace {

constexpr std::size_t kExcerpt = 200;
constexpr Span kRankPatience{600'000};  // Rank 0 may evaluate for minutes before it reports; without a rank 0 none ever does.

std::string excerpt(std::string_view line) {
  return as_utf8(std::string(line.substr(0, kExcerpt))) + (line.size() > kExcerpt ? "..." : "");
}

// The step of {"rank":1,"query":true,"step":3}.
std::optional<double> queried_step(std::string_view text) {
  JsonScanner scanner(text);
  std::optional<double> step;
  scanner.open();
  while (auto key = scanner.next_key()) {
    const std::string value = scanner.scalar();
    if (*key == "step") step = parse_number(value);
  }
  return step;
}

}  // namespace

ReportIntake::ReportIntake(boost::asio::io_context& io, const Launch& launch, const AttemptFolder& folder,
                           FileDescriptor listener, Callbacks callbacks)
    : launch_(launch),
      callbacks_(std::move(callbacks)),
      desk_(launch),
      clock_(steady_now(), launch.trial_time, launch.silence),
      log_(folder.events()),
      feed_(io, log_),
      server_(io, std::move(listener),
              {[this](LineSocket& from, std::string_view text, bool overlong) { line(from, text, overlong); },
               [this](LineSocket& from) { closed(from); },
               [this](LineSocket& from) {
                 if (&from == scheduler_) feed_.catch_up();
               }}) {}

void ReportIntake::line(LineSocket& from, std::string_view text, bool overlong) {
  if (overlong) return refuse(&from, "a line longer than 1 MB: " + excerpt(text), false);
  if (&from == scheduler_ || text.starts_with("{\"hello\"")) return scheduler_line(from, text);
  try {
    if (text.starts_with("{\"rank\"")) query(from, text);
    else take(&from, parse_report_json(text));
  } catch (const BadStep& fault) {
    refuse(&from, fault.what(), true);
  } catch (const std::invalid_argument& fault) {
    refuse(&from, fault.what() + std::string(": ") + excerpt(text), false);
  }
}

void ReportIntake::closed(LineSocket& from) {
  waiting_.remove_if([&](const Waiting& entry) { return entry.client == &from; });
  resume_clock();
  if (&from == scheduler_) {
    scheduler_ = nullptr;
    feed_.detach(from);
    callbacks_.deserted();
  } else if (!from.torn().empty()) {
    refuse(nullptr, "a report without its end: " + excerpt(from.torn()), false);
  }
}

void ReportIntake::output_report(Report report) { take(nullptr, std::move(report)); }

void ReportIntake::output_fault(const std::string& reason, bool bad_step) { refuse(nullptr, reason, bad_step); }

void ReportIntake::take(LineSocket* from, Report report) {
  const Span now = steady_now();
  clock_.heard(now);
  if (launch_.measured && report.step)
    report.step = launch_.spent_seconds + std::max(clock_.running(now).count(), Span::rep{1}) / 1000.0;
  const std::optional<double> step = report.step;
  const ReportDesk::Taken taken = desk_.take(std::move(report), wall_.now());
  record(taken.line, taken.answer == Answer::wait || taken.bad_step || !step);
  reported_by_output_ = !from;
  if (taken.bad_step) {
    if (from) from->send("{\"error\":" + json_quoted(std::get<Rejection>(taken.line.body).text) + "}\n");
    return callbacks_.demand(Demand::bad_report);
  }
  if (!from) {
    if (taken.answer == Answer::end && step) callbacks_.demand(Demand::end_now);
    return;
  }
  if (taken.answer == Answer::wait) wait(*from, step, false);
  else reply(*from, step, taken.answer, false);
  if (taken.unheard) callbacks_.demand(Demand::end_now);
}

void ReportIntake::refuse(LineSocket* from, const std::string& reason, bool bad_step) {
  record(desk_.refuse(reason, wall_.now()).line, true);
  if (from) from->send("{\"error\":" + json_quoted(reason) + "}\n");
  if (bad_step) callbacks_.demand(Demand::bad_report);
}

void ReportIntake::query(LineSocket& from, std::string_view text) {
  const std::optional<double> step = queried_step(text);
  const Answer answer = desk_.query(step);
  if (answer == Answer::wait) wait(from, step, true);
  else reply(from, step, answer, true);
}

void ReportIntake::record(const EventsLine& line, bool urgent) {
  std::string text = events_text(line);
  log_.append(text);
  if (urgent && launch_.mailbox) log_.publish();
  feed_.recorded(line.seq, text += '\n', urgent);
}

void ReportIntake::wait(LineSocket& client, std::optional<double> step, bool query) {
  const Span now = steady_now();
  if (!query) clock_.begin_wait(now);
  waiting_.push_back({&client, step, now + (query ? std::max(kRankPatience, launch_.verdict_wait) : launch_.verdict_wait), query});
  callbacks_.deadline();
}

void ReportIntake::reply(LineSocket& client, std::optional<double> step, Answer answer, bool query) {
  client.send("{\"verdict\":\"" + desk_.word(answer) + "\"}\n");
  if (query || !step) return;
  desk_.answered(*step, answer);
  if (answer == Answer::end) callbacks_.demand(Demand::told);
  settle_waiting();  // Other ranks may ask about this step.
}

void ReportIntake::settle_waiting() {
  if (waiting_.empty()) return;
  for (auto entry = waiting_.begin(); entry != waiting_.end();) {
    const Answer answer = entry->query ? desk_.query(entry->step) : desk_.waiting(*entry->step);
    if (answer == Answer::wait) {
      ++entry;
      continue;
    }
    const Waiting answered = *entry;
    waiting_.erase(entry);
    reply(*answered.client, answered.step, answer, answered.query);
    entry = waiting_.begin();
  }
  resume_clock();
}

void ReportIntake::resume_clock() {
  if (std::none_of(waiting_.begin(), waiting_.end(), [](const Waiting& entry) { return !entry.query; }))
    clock_.end_wait(steady_now());
}

void ReportIntake::answer_all() { waiting_.clear(); }

std::optional<Span> ReportIntake::next_deadline() const {
  std::optional<Span> next;
  for (const Waiting& entry : waiting_)
    if (!next || entry.until < *next) next = entry.until;
  return next;
}

void ReportIntake::expire(Span now) {
  for (auto entry = waiting_.begin(); entry != waiting_.end();) {
    if (entry->until > now) {
      ++entry;
      continue;
    }
    const Waiting late = *entry;
    entry = waiting_.erase(entry);
    if (!late.query) desk_.no_answer(*late.step);
    const bool end = !late.query && desk_.ending();
    reply(*late.client, late.step, end ? Answer::end : Answer::go_on, late.query);
    entry = waiting_.begin();
  }
  resume_clock();
}

void ReportIntake::scheduler_line(LineSocket& from, std::string_view text) {
  const auto word = parse_word(text);
  if (!word) return;
  const auto* hello = std::get_if<Hello>(&*word);
  if (!hello) return obey(*word);
  desk_.scheduler_is_back();
  scheduler_ = &from;
  feed_.attach(from, hello->from, desk_.last_seq());
  callbacks_.scheduler();
}

void ReportIntake::hear(std::string_view text) {
  const auto word = parse_word(text);
  if (word && !std::holds_alternative<Hello>(*word)) obey(*word);
}

void ReportIntake::obey(const SchedulerWord& word) {
  desk_.scheduler_is_back();
  if (const auto* order = std::get_if<OrderWord>(&word)) {
    switch (order->order) {
      case OrderKind::pause_at_report: return desk_.pause_at_report();
      case OrderKind::terminate: return callbacks_.demand(Demand::terminate);
      case OrderKind::kill: return callbacks_.demand(Demand::kill);
    }
  }
  const auto& verdict = std::get<VerdictWord>(word);
  desk_.judged(verdict.verdict, verdict.milestone);
  settle_waiting();
  if (desk_.ending() && reported_by_output_) callbacks_.demand(Demand::end_now);
}

}  // namespace hpsearch
