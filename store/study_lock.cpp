#include "store/study_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>
#include <thread>

#include "store/errors.h"
#include "trials/json.h"
#include "trials/user_error.h"

namespace hpsearch {

namespace {

constexpr auto kPatience = std::chrono::milliseconds(500);
constexpr auto kPause = std::chrono::milliseconds(10);

std::filesystem::path lock_file(const std::filesystem::path& database) {
  // Of the file itself, by whatever link it is reached.
  std::error_code unresolved;
  std::filesystem::path file = std::filesystem::weakly_canonical(database, unresolved);
  if (unresolved) file = database;
  return file += ".lock";
}

Json read_note(const std::filesystem::path& database) {
  std::ifstream in(lock_file(database));
  return Json::parse(std::string(std::istreambuf_iterator<char>(in), {}), nullptr, false);
}

std::optional<StudyHolder> noted_holder(const std::filesystem::path& database) {
  const Json note = read_note(database);
  if (!note.is_object() || !note.contains("pid")) return std::nullopt;
  return StudyHolder{note.value("pid", std::int64_t{0}), note.value("host", ""),
                     Time(Span(note.value("since", std::int64_t{0})))};
}

// The note of a dead holder stays until the next one has written its own.
bool stale(const std::optional<StudyHolder>& holder) {
  if (!holder) return true;
  return holder->host == host_name() && kill(static_cast<pid_t>(holder->pid), 0) != 0 && errno == ESRCH;
}

// The note of whoever holds the lock now; the last one seen when patience ends.
std::optional<StudyHolder> awaited_holder(const std::filesystem::path& database) {
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  std::optional<StudyHolder> holder = noted_holder(database);
  while (stale(holder) && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(kPause);
    holder = noted_holder(database);
  }
  return holder;
}

std::string local_time(Time time) {
  const std::time_t seconds = std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
  std::tm parts = {};
  localtime_r(&seconds, &parts);
  char text[64];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", &parts)};
}

}  // namespace

std::string held_message(const std::filesystem::path& database, const std::optional<StudyHolder>& holder) {
  std::string by = "another scheduler";
  if (holder)
    by = "pid " + std::to_string(holder->pid) + " on host " + holder->host + " since " + local_time(holder->since);
  return study_label(database) + " is held by " + by + " (" + database.string() + "); one scheduler at a time";
}

std::string host_name() {
  char name[256] = "localhost";
  gethostname(name, sizeof name - 1);
  return name;
}

std::string study_label(const std::filesystem::path& database) {
  const std::filesystem::path whole = std::filesystem::absolute(database);
  return "study " + (whole.filename() == "study.db" ? whole.parent_path().filename() : whole.stem()).string();
}

StudyLock::StudyLock(const std::filesystem::path& database) : file_(lock_file(database)) {
  descriptor_ = open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor_ < 0 && errno == ENOSPC) throw DiskFull(database);
  if (descriptor_ < 0)
    throw UserError(study_label(database) + " can't be written: " + file_.string() + ": " + std::strerror(errno));
  // Readers that ask who holds the study take the lock for an instant; a new holder needs one to write its note.
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    if (std::chrono::steady_clock::now() > deadline) {
      close(descriptor_);
      throw UserError(held_message(database, awaited_holder(database)));
    }
    std::this_thread::sleep_for(kPause);
  }
  self_ = {getpid(), host_name(), std::chrono::time_point_cast<Span>(std::chrono::system_clock::now())};
  note(noted_seq(database));
}

StudyLock::~StudyLock() { close(descriptor_); }

void StudyLock::note(Seq seq) {
  const Json note = {{"pid", self_.pid}, {"host", self_.host}, {"since", self_.since.time_since_epoch().count()},
                     {"seq", seq}};
  write(note.dump() + "\n");
}

void StudyLock::clear() { write(""); }

void StudyLock::write(const std::string& text) {
  // A full disk may refuse it: the lock holds all the same, only its note is lost.
  // Written before it is cut to length, so that a reader finds no empty file in between.
  if (pwrite(descriptor_, text.data(), text.size(), 0) < 0) return;
  if (ftruncate(descriptor_, static_cast<off_t>(text.size())) != 0) return;
}

std::optional<StudyHolder> study_holder(const std::filesystem::path& database) {
  const int file = open(lock_file(database).c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  const bool free = flock(file, LOCK_SH | LOCK_NB) == 0;
  close(file);
  if (free) return std::nullopt;
  return awaited_holder(database).value_or(StudyHolder{});
}

Seq noted_seq(const std::filesystem::path& database) {
  const Json note = read_note(database);
  return note.is_object() ? note.value("seq", Seq{0}) : 0;
}

}  // namespace hpsearch
