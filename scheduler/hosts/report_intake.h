#pragma once

#include <functional>
#include <list>
#include <optional>
#include <string_view>

#include "scheduler/clock.h"
#include "scheduler/hosts/channel_server.h"
#include "scheduler/hosts/report_desk.h"
#include "scheduler/hosts/run_clock.h"
#include "scheduler/hosts/scheduler_feed.h"
#include "scheduler/hosts/scheduler_words.h"
#include "scheduler/hosts/trial_folders.h"

namespace hpsearch {

// What the intake asks of its keeper.
enum class Demand {
  told,       // The trial has heard that it is to end: it may take the grace.
  end_now,    // It does not listen, or can't: TERM.
  bad_report, // Its steps are wrong: TERM.
  terminate,  // An order: TERM.
  kill,       // An order: KILL.
};

// Where a keeper's reports come in: numbers and records them, passes them on, answers them, and hears the scheduler.
class ReportIntake {
 public:
  struct Callbacks {
    std::function<void(Demand)> demand;
    std::function<void()> deadline;    // next_deadline() may have come nearer.
    std::function<void()> scheduler;   // A scheduler has connected.
    std::function<void()> deserted;    // It has closed its connection.
  };

  ReportIntake(boost::asio::io_context& io, const Launch& launch, const AttemptFolder& folder, FileDescriptor listener,
               Callbacks callbacks);

  void hear(std::string_view word);                   // A word of the scheduler's that came in another way.
  void pause_at_report() { desk_.pause_at_report(); }
  bool waits() const { return !waiting_.empty(); }    // A report or query waits for a word.
  void output_report(Report report);                  // From a line of the program's output.
  void output_fault(const std::string& reason, bool bad_step);
  void read_now() { server_.read_now(); }             // Everything that the trial has sent by now.
  void answer_all();                                  // The trial is gone: nobody waits any more.

  // When a report will have waited long enough; and what happens then.
  std::optional<Span> next_deadline() const;
  void expire(Span now);

  const RunClock& clock() const { return clock_; }
  SchedulerFeed& feed() { return feed_; }
  EventLogFile& log() { return log_; }

 private:
  struct Waiting {
    LineSocket* client;
    std::optional<double> step;
    Span until;
    bool query;
  };

  void line(LineSocket& from, std::string_view text, bool overlong);
  void closed(LineSocket& from);
  void take(LineSocket* from, Report report);
  void refuse(LineSocket* from, const std::string& reason, bool bad_step);
  void query(LineSocket& from, std::string_view text);
  void record(const EventsLine& line, bool urgent);
  void wait(LineSocket& client, std::optional<double> step, bool query);
  void reply(LineSocket& client, std::optional<double> step, Answer answer, bool query);
  void settle_waiting();
  void resume_clock();
  void scheduler_line(LineSocket& from, std::string_view text);
  void obey(const SchedulerWord& word);

  const Launch& launch_;
  Callbacks callbacks_;
  SystemClock wall_;
  ReportDesk desk_;
  RunClock clock_;
  EventLogFile log_;
  SchedulerFeed feed_;
  LineSocket* scheduler_ = nullptr;
  std::list<Waiting> waiting_;
  bool reported_by_output_ = false;  // The last report came from a line of output: it can't hear answers.
  ChannelServer server_;
};

}  // namespace hpsearch
