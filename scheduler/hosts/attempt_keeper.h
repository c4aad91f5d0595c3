#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <memory>
#include <optional>
#include <string>

#include "scheduler/hosts/exit_record.h"
#include "scheduler/hosts/launch.h"
#include "scheduler/hosts/mailbox.h"
#include "scheduler/hosts/output_reader.h"
#include "scheduler/hosts/output_scanner.h"
#include "scheduler/hosts/report_intake.h"
#include "scheduler/hosts/tree_ender.h"
#include "scheduler/hosts/trial_folders.h"
#include "scheduler/hosts/trial_process.h"
#include "scheduler/hosts/trial_ranks.h"

namespace hpsearch {

// One attempt's life: start, limits, orders, the end of its whole process tree, exit.json. One thread.
class AttemptKeeper {
 public:
  AttemptKeeper(Launch launch, AttemptFolder folder, FileDescriptor listener);
  // Returns once the end is recorded and delivered as far as possible.
  void run();

 private:
  // Why the program was ended, if it did not end by itself.
  enum class Cause { none, told, timed_out, silent, bad_report, keeper_told, launch_failed };

  void start();
  void start_program();
  void start_rank(const TrialRank& rank);
  void note_start();
  std::unique_ptr<OutputReader> reader(FileDescriptor pipe, const std::filesystem::path& log, const OutputScanner& scanner);
  void scan(const OutputScanner& scanner, std::string_view line, bool cut);

  void meet(Demand demand);
  void end(Cause cause, const std::string& detail);
  void rearm();
  std::optional<Span> next_deadline() const;
  void check_limits();

  void wait_for_signals();
  void warned();
  void terminated();
  void reap();
  void tree_ended();
  bool parts_with_job() const;
  void wait_for_own_end();
  AttemptEnd how_it_ended() const;
  bool failed_by_itself(const AttemptEnd& end) const;
  std::string memory_fault_told() const;

  void finish(AttemptEnd end);
  std::string log_tail() const;
  void greet();
  void announce_exit();
  void save();
  bool saved();
  void leave_when_done();

  boost::asio::io_context io_;
  Launch launch_;
  AttemptFolder folder_;
  ReportIntake intake_;
  TreeEnder ender_;
  OutputScanner output_scanner_, error_scanner_;
  std::unique_ptr<OutputReader> output_, errors_;
  std::unique_ptr<Mailbox> mailbox_;
  boost::asio::signal_set signals_;
  boost::asio::steady_timer limits_, retry_;
  std::optional<Span> armed_;           // When `limits_` fires.
  std::optional<Span> told_until_;      // The grace after the trial was told to end.
  TrialRanks ranks_;
  Cause cause_ = Cause::none;
  std::string cause_detail_;
  bool parting_ = false;                // The program was terminated, and so may the keeper be any moment.
  bool warned_ = false;                 // The allocation's time is nearly over.
  bool ordered_ = false;                // It was told to end, or ended by order.
  std::optional<ExitRecord> exit_;
  bool exit_saved_ = false;
  bool folder_gone_ = false;
};

}  // namespace hpsearch
