#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "trials/event.h"

namespace hpsearch {

// The scheduler that writes a study.
struct StudyHolder {
  std::int64_t pid = 0;
  std::string host;
  Time since{};
};

std::string host_name();

// "study cnn is held by pid 7 on host lab since ...; one scheduler at a time"
std::string held_message(const std::filesystem::path& database, const std::optional<StudyHolder>& holder);

// One writer a study: a lock on the file beside the database (study.db.lock) that ends with its process, whatever
// ends it, and that children do not inherit.
class StudyLock {
 public:
  // Throws UserError naming pid, host and start of the holder when there is one.
  explicit StudyLock(const std::filesystem::path& database);
  ~StudyLock();
  StudyLock(const StudyLock&) = delete;
  StudyLock& operator=(const StudyLock&) = delete;

  // Notes, beside the database, that events up to `seq` are durable in it: so that a lost journal is noticed.
  void note(Seq seq);
  // The database is one whole file again: nothing to notice.
  void clear();

 private:
  void write(const std::string& text);

  std::filesystem::path file_;
  int descriptor_ = -1;
  StudyHolder self_;
};

// Who holds the study now; none when nobody does.
std::optional<StudyHolder> study_holder(const std::filesystem::path& database);

// The last event that a holder noted as durable; 0 after a clean end. Read it before the database.
Seq noted_seq(const std::filesystem::path& database);

// "study NAME" for messages: by the folder of a study.db, else by the file.
std::string study_label(const std::filesystem::path& database);

}  // namespace hpsearch
