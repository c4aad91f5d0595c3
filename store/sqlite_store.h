#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "store/file_system.h"
#include "store/projection.h"
#include "store/sqlite.h"
#include "store/store.h"
#include "store/study_lock.h"

namespace hpsearch {

// The event log in a SQLite database, one writer at a time. Damage found at any moment is DamagedStudy.
// When its last user ends well the study is one file without a journal.
class SqliteStore : public Store {
 public:
  // A new study; its folder is made. An empty one (left by a creation that was killed) is taken over. UserError when
  // the study exists, another scheduler holds it, or the place can't carry a database.
  static std::unique_ptr<SqliteStore> create(const std::filesystem::path& file,
                                             const FileSystemProbe& probe = probe_file_system);
  // An existing study, to go on with. Errors as create; and see study_file.h.
  static std::unique_ptr<SqliteStore> open(const std::filesystem::path& file,
                                           const FileSystemProbe& probe = probe_file_system);
  // For readers: disturbs no scheduler and works on a read-only folder. `append` must not be called.
  static std::unique_ptr<SqliteStore> open_read_only(const std::filesystem::path& file);

  ~SqliteStore() override;

  void append(const std::vector<Event>& batch) override;
  void read(const std::function<void(const Event&)>& visit) const override;  // One consistent snapshot.

  // From now on `append` keeps the tables for `status` too. `study` has applied every batch before it is appended.
  void attach(const Study& study) { study_ = &study; }
  const std::vector<std::string>& warnings() const { return warnings_; }  // For the user, at the start.

 private:
  struct Writer;

  SqliteStore(Database database, std::unique_ptr<StudyLock> lock, std::vector<std::string> warnings);
  static std::unique_ptr<SqliteStore> writable_store(const std::filesystem::path& file, const FileSystemProbe& probe,
                                                     bool fresh);

  std::vector<std::string> warnings_;
  std::unique_ptr<StudyLock> lock_;            // Outlives the database.
  mutable Database database_;
  std::unique_ptr<Writer> writer_;             // Null for readers.
  const Study* study_ = nullptr;
};

}  // namespace hpsearch
