#include "scheduler/hosts/attempt_keeper.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <system_error>

#include "scheduler/hosts/free_port.h"
#include "scheduler/hosts/memory_fault.h"
#include "scheduler/hosts/steady_now.h"
#include "scheduler/hosts/text_file.h"
#include "trials/number.h"
#include "trials/report_parts.h"

namespace hpsearch {

namespace {

constexpr Span kLeftoverGrace{2'000};  // For what the program left running behind it.
constexpr Span kOwnEnd{1'000};             // For a signal to come that has already ended the program.
constexpr Span kDiskRetry{1'000};          // Between tries to write on a full disk.
constexpr Span kDelivery{2'000};       // For the scheduler to take the end in.
constexpr std::size_t kLogTail = 2048;
constexpr std::size_t kFaultTail = 64 << 10;  // A fault's words may stand before a long trace of the stack.

struct Pipe {
  FileDescriptor read, write;
};

Pipe new_pipe() {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  Pipe pipe{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return pipe;
}

FileDescriptor open_log(const std::filesystem::path& file) {
  FileDescriptor fd(::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (!fd.open()) throw std::system_error(errno, std::generic_category(), file.string());
  return fd;
}

}  // namespace

AttemptKeeper::AttemptKeeper(Launch launch, AttemptFolder folder, FileDescriptor listener)
    : launch_(std::move(launch)),
      folder_(std::move(folder)),
      intake_(io_, launch_, folder_, std::move(listener),
              {[this](Demand demand) { meet(demand); },
               [this] {
                 rearm();
                 if (mailbox_) mailbox_->hurry();
               },
               [this] { greet(); },
               [this] { leave_when_done(); }}),
      ender_(io_),
      output_scanner_(launch_.collect, "stdout"),
      error_scanner_(launch_.collect, "stderr"),
      signals_(io_, SIGCHLD, SIGTERM, SIGUSR1),
      limits_(io_),
      retry_(io_) {}

void AttemptKeeper::run() {
  wait_for_signals();
  if (launch_.mailbox)
    mailbox_ = std::make_unique<Mailbox>(io_, folder_.words(), [this](std::string_view word) { intake_.hear(word); },
                                         [this] { return intake_.waits(); }, [this] { intake_.log().publish(); });
  start();
  io_.run();
}

// ---- The program and its output ----------------------------------------------------------------------------------

void AttemptKeeper::start() {
  try {
    start_program();
  } catch (const std::exception& fault) {
    if (ranks_.empty()) return finish({EndKind::launch_failed, 0, false, fault.what(), ""});
    end(Cause::launch_failed, fault.what());  // Some ranks run already.
  }
  rearm();
}

void AttemptKeeper::start_program() {
  std::filesystem::create_directories(folder_.checkpoint());
  std::filesystem::create_directories(launch_.artifact_dir);
  write_atomically(folder_.params(), launch_.params.dump(2) + '\n', Durability::none);
  Pipe output = new_pipe();
  FileDescriptor errors = open_log(folder_.errors());
  output_ = reader(std::move(output.read), folder_.output(), output_scanner_);
  if (!error_scanner_.idle()) {
    Pipe pipe = new_pipe();
    errors_ = reader(std::move(pipe.read), folder_.errors(), error_scanner_);
    errors = std::move(pipe.write);
  }
  TrialRank rank{0, rank_count(launch_), launch_.per_gpu ? free_port() : 0};
  ranks_.started(start_trial(launch_, folder_, output.write.get(), errors.get(), rank));
  note_start();
  greet();
  while (++rank.rank < rank.count) start_rank(rank);
}

// Only rank 0 is listened to.
void AttemptKeeper::start_rank(const TrialRank& rank) {
  const FileDescriptor output = open_log(folder_.output(rank.rank)), errors = open_log(folder_.errors(rank.rank));
  ranks_.started(start_trial(launch_, folder_, output.get(), errors.get(), rank));
}

// Where no socket tells it.
void AttemptKeeper::note_start() {
  if (launch_.mailbox) write_atomically(folder_.started(), "{\"started\":" + std::to_string(ranks_.pid()) + "}\n", Durability::none);
}

std::unique_ptr<OutputReader> AttemptKeeper::reader(FileDescriptor pipe, const std::filesystem::path& log,
                                                    const OutputScanner& scanner) {
  return std::make_unique<OutputReader>(io_, std::move(pipe), open_log(log),
                                        [this, &scanner](std::string_view line, bool cut) { scan(scanner, line, cut); });
}

void AttemptKeeper::scan(const OutputScanner& scanner, std::string_view line, bool cut) {
  // What a cut line seems to say may be half a number.
  if (cut && !line.starts_with(kReportMark)) return;
  if (cut) return intake_.output_fault("a line longer than 1 MB: " + as_utf8(std::string(line.substr(0, 200))), false);
  try {
    for (Report& report : scanner.reports(line)) intake_.output_report(std::move(report));
  } catch (const BadStep& fault) {
    intake_.output_fault(fault.what(), true);
  } catch (const std::invalid_argument& fault) {
    intake_.output_fault(fault.what() + std::string(": ") + as_utf8(std::string(line.substr(0, 200))), false);
  }
}

// ---- Ending it ---------------------------------------------------------------------------------------------------

void AttemptKeeper::meet(Demand demand) {
  switch (demand) {
    case Demand::told:
      ordered_ = true;
      if (!told_until_) told_until_ = steady_now() + launch_.grace;
      return rearm();
    case Demand::end_now:
    case Demand::terminate: return end(Cause::told, "");
    case Demand::bad_report: return end(Cause::bad_report, "");
    case Demand::kill:
      end(Cause::told, "");
      if (!exit_) ender_.kill();
  }
}

void AttemptKeeper::end(Cause cause, const std::string& detail) {
  if (ranks_.empty() || ranks_.over() || exit_) return;
  if (cause == Cause::told) ordered_ = true;
  if (cause_ == Cause::none) cause_ = cause, cause_detail_ = detail;
  ender_.terminate(launch_.grace);
}

std::optional<Span> AttemptKeeper::next_deadline() const {
  std::optional<Span> next = intake_.next_deadline();
  if (ranks_.over() || exit_ || ender_.terminated()) return next;
  for (const auto& limit : {told_until_, intake_.clock().time_limit(), intake_.clock().silence_limit()})
    if (limit && (!next || *limit < *next)) next = limit;
  return next;
}

void AttemptKeeper::rearm() {
  const std::optional<Span> next = next_deadline();
  if (!next || (armed_ && *armed_ <= *next)) return;  // An early alarm only checks and sets the next one.
  armed_ = next;
  limits_.expires_at(std::chrono::steady_clock::time_point(*next));
  limits_.async_wait([this](const auto& error) {
    if (error) return;
    armed_.reset();
    check_limits();
    rearm();
  });
}

void AttemptKeeper::check_limits() {
  const Span now = steady_now();
  intake_.expire(now);
  const auto passed = [&](const std::optional<Span>& limit) { return limit && *limit <= now; };
  if (passed(intake_.clock().time_limit()))
    end(Cause::timed_out, "ran longer than " + format_span_ms(launch_.trial_time->count()));
  else if (passed(intake_.clock().silence_limit()))
    end(Cause::silent, "no report for " + format_span_ms(launch_.silence->count()));
  else if (passed(told_until_))
    end(Cause::told, "");
}

// ---- The end -----------------------------------------------------------------------------------------------------

void AttemptKeeper::wait_for_signals() {
  signals_.async_wait([this](const auto& error, int signal) {
    if (error) return;
    if (signal == SIGTERM && exit_) return io_.stop();  // It waits for a disk or a scheduler that is not to come.
    if (signal == SIGTERM) terminated();
    if (signal == SIGUSR1) warned();
    reap();
    wait_for_signals();
  });
}

// A trial that can pause does so at its next report, or is told to end while there is still time for that. Another one
// may be done before the limit.
void AttemptKeeper::warned() {
  if (warned_ || exit_) return;
  warned_ = true;
  if (!launch_.warning) return;
  intake_.pause_at_report();
  if (!told_until_) told_until_ = steady_now() + std::max(*launch_.warning - launch_.grace, Span(0));
  rearm();
}

void AttemptKeeper::terminated() {
  if (parting_ && cause_ == Cause::none) {
    ordered_ = warned_ && launch_.warning;
    cause_ = !warned_ ? Cause::keeper_told : ordered_ ? Cause::told : Cause::timed_out;
    cause_detail_ = warned_ ? "reached the time limit of its job" : "its keeper was told to end";
    return;
  }
  if (!warned_) return end(Cause::keeper_told, "its keeper was told to end");
  if (launch_.warning) end(Cause::told, "");
  else end(Cause::timed_out, "reached the time limit of its job");
}

void AttemptKeeper::reap() {
  if (ranks_.empty() || exit_) return;
  int status = 0;
  pid_t pid;
  while ((pid = ::waitpid(-1, &status, WNOHANG)) > 0) ranks_.ended(pid, status);
  if (pid < 0 && errno == ECHILD) tree_ended();
  else if (ranks_.over()) ender_.end_rest(std::min(kLeftoverGrace, launch_.grace));
  else if (ranks_.failed()) ender_.terminate(launch_.grace);  // The others would wait for it.
}

// Who ends a job of a cluster terminates all its processes at once: the program's end is then not its own.
bool AttemptKeeper::parts_with_job() const {
  const int status = ranks_.status(ranks_.telling());
  const bool terminated = WIFSIGNALED(status) ? WTERMSIG(status) == SIGTERM : WEXITSTATUS(status) == 128 + SIGTERM;
  return launch_.given && cause_ == Cause::none && terminated;
}

void AttemptKeeper::wait_for_own_end() {
  parting_ = true;
  retry_.expires_after(kOwnEnd);
  retry_.async_wait([this](const auto& error) {
    if (error || exit_) return;
    if (warned_) terminated();  // By the limit it was warned of: not each cluster tells the keeper too.
    tree_ended();
  });
}

void AttemptKeeper::tree_ended() {
  ender_.finished();
  if (!parting_ && parts_with_job()) return wait_for_own_end();
  const bool whole = WIFEXITED(ranks_.status(0));
  output_->finish(whole);
  if (errors_) errors_->finish(whole);
  intake_.read_now();
  finish(how_it_ended());
}

AttemptEnd AttemptKeeper::how_it_ended() const {
  AttemptEnd end;
  const int status = ranks_.status(ranks_.telling());
  end.kind = WIFSIGNALED(status) ? EndKind::signalled : EndKind::exited;
  end.code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  end.ordered = ordered_;
  end.detail = cause_detail_;
  if (cause_ == Cause::timed_out) end.kind = EndKind::timed_out;
  if (cause_ == Cause::silent) end.kind = EndKind::silent;
  if (cause_ == Cause::keeper_told) end.kind = EndKind::lost;
  if (cause_ == Cause::launch_failed) end.kind = EndKind::launch_failed;
  if (warned_ && launch_.warning && ordered_) {
    end.kind = EndKind::lost;
    end.detail = "the time limit of its job came near";
  }
  return end;
}

// An uncaught exception of C++ ends in ABRT.
bool AttemptKeeper::failed_by_itself(const AttemptEnd& end) const {
  if (cause_ != Cause::none || end.ordered) return false;
  return (end.kind == EndKind::exited && end.code != 0) || (end.kind == EndKind::signalled && end.code == SIGABRT);
}

void AttemptKeeper::finish(AttemptEnd end) {
  if (exit_) return;
  if (failed_by_itself(end)) end.out_of_memory = memory_fault_told();
  end.log_tail = log_tail();
  intake_.answer_all();
  exit_ = ExitRecord{std::move(end), SystemClock().now(), ranks_.telling()};
  announce_exit();
  save();
}

std::string AttemptKeeper::memory_fault_told() const {
  for (int rank = 0; rank < ranks_.count(); ++rank)
    for (const auto& log : {folder_.errors(rank), folder_.output(rank)})
      if (std::string fault = memory_fault(file_tail(log, kFaultTail)); !fault.empty()) return fault;
  return "";
}

std::string AttemptKeeper::log_tail() const {
  const int rank = ranks_.telling();
  std::string tail = file_tail(folder_.errors(rank), kLogTail);
  if (tail.empty()) tail = file_tail(folder_.output(rank), kLogTail);
  return rank > 0 ? "rank " + std::to_string(rank) + ":\n" + tail : tail;
}

// Tells a scheduler that has just connected where things stand.
void AttemptKeeper::greet() {
  if (!ranks_.empty()) intake_.feed().announce("{\"started\":" + std::to_string(ranks_.pid()) + "}\n");
  if (exit_) announce_exit();
}

void AttemptKeeper::announce_exit() { intake_.feed().finish("{\"exit\":" + exit_text(*exit_) + "}\n"); }

bool AttemptKeeper::saved() { return folder_gone_ || (exit_saved_ && intake_.log().flush()); }

void AttemptKeeper::save() {
  try {
    if (launch_.mailbox) intake_.log().publish();
    if (!exit_saved_) write_atomically(folder_.exit(), exit_text(*exit_) + '\n', Durability::synced);
    exit_saved_ = true;
  } catch (const std::system_error& fault) {
    folder_gone_ = fault.code() == std::errc::no_such_file_or_directory;  // Deleted: there is nothing to keep.
  }
  if (saved()) return leave_when_done();
  retry_.expires_after(kDiskRetry);
  retry_.async_wait([this](const auto& error) {
    if (!error) save();
  });
}

// A scheduler that has taken the end in closes its connection.
void AttemptKeeper::leave_when_done() {
  if (!saved()) return;
  if (!intake_.feed().attached()) intake_.read_now();  // It may be about to connect.
  if (!intake_.feed().attached()) return io_.stop();
  retry_.expires_after(kDelivery);
  retry_.async_wait([this](const auto& error) {
    if (!error) io_.stop();
  });
}

}  // namespace hpsearch
