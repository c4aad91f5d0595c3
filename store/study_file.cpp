#include "store/study_file.h"

#include <sqlite3.h>

#include <algorithm>
#include <optional>
#include <system_error>

#include "store/errors.h"
#include "store/schema.h"
#include "store/study_lock.h"
#include "trials/user_error.h"

namespace hpsearch {

namespace {

constexpr std::chrono::milliseconds kReaderPatience{60'000};
constexpr std::chrono::milliseconds kWriterPatience{600'000};
constexpr std::chrono::milliseconds kClosingPatience{200};

std::filesystem::path with_suffix(std::filesystem::path file, const char* suffix) { return file += suffix; }

std::filesystem::path folder_of(const std::filesystem::path& file) {
  return std::filesystem::absolute(file).parent_path();
}

// Length of the write-ahead log; none when there is no such file.
std::optional<std::uintmax_t> journal_bytes(const std::filesystem::path& file) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(with_suffix(file, "-wal"), error);
  return error ? std::nullopt : std::optional(size);
}

void check_file(const std::filesystem::path& file) {
  std::error_code error;
  const auto kind = std::filesystem::status(file, error).type();
  if (kind == std::filesystem::file_type::not_found) throw UserError("no study: " + file.string() + " does not exist");
  if (kind != std::filesystem::file_type::regular) throw UserError(file.string() + " is not a study: it is not a file");
  if (std::filesystem::file_size(file, error) == 0) throw UserError(file.string() + " is not a study: it is empty");
}

Database::Mode reading_mode(const std::filesystem::path& file) {
  const bool can_share = writable(file) && writable(folder_of(file));
  if (can_share || journal_bytes(file).value_or(0) > 0) return Database::Mode::read_only;
  return Database::Mode::immutable;
}

void check_end(Database& database, Seq noted) {
  const Seq last = database.integer(
      "SELECT max(coalesce((SELECT max(seq) FROM event), 0), coalesce((SELECT max(seq) FROM report), 0))");
  if (last != static_cast<Seq>(database.integer("SELECT seq FROM summary")))
    throw DamagedStudy(database.file(), "its summary and its log disagree");
  if (last < noted)
    throw DamagedStudy(database.file(), "it ends at event " + std::to_string(last) + " though event " +
                                            std::to_string(noted) + " was saved: its journal -wal is gone");
}

void check_pages(Database& database) {
  const std::int64_t bytes = database.integer("PRAGMA page_count") * database.integer("PRAGMA page_size");
  if (static_cast<std::uintmax_t>(bytes) > kQuickCheckBytes) return;
  const std::string finding = database.text("PRAGMA quick_check(1)");
  if (finding != "ok") throw DamagedStudy(database.file(), finding);
}

void check(Database& database, Seq noted) try {
  check_format(database);
  Transaction snapshot(database, Transaction::Kind::read);
  check_end(database, noted);
  check_pages(database);
} catch (const NotADatabase&) {
  throw UserError(database.file().string() + " is not a study, or its beginning is damaged");
}

// A transaction that a dead writer left half done in rollback-journal mode can only be undone by a writer.
bool needs_recovery(const SqliteError& error) {
  return error.code() == SQLITE_READONLY_ROLLBACK || error.code() == SQLITE_READONLY_RECOVERY ||
         error.code() == SQLITE_CANTOPEN;
}

Database open_checked(const std::filesystem::path& file, Database::Mode mode) {
  const Seq noted = noted_seq(file);
  Database database(file, mode);
  database.wait_for_others(kReaderPatience);
  check(database, noted);
  return database;
}

}  // namespace

Database open_for_reading(const std::filesystem::path& file) {
  check_file(file);
  const Database::Mode mode = reading_mode(file);
  try {
    return open_checked(file, mode);
  } catch (const SqliteError& error) {
    if (!needs_recovery(error) || mode == Database::Mode::immutable || !writable(file)) throw;
  }
  return open_checked(file, Database::Mode::read_write);
}

Database open_for_writing(const std::filesystem::path& file, bool network) {
  require_writable(file);
  open_for_reading(file);
  Database database(file, Database::Mode::read_write);
  database.wait_for_others(kWriterPatience);
  database.execute(network ? "PRAGMA journal_mode = DELETE" : "PRAGMA journal_mode = WAL");
  database.execute(network ? "PRAGMA synchronous = EXTRA" : "PRAGMA synchronous = FULL");
  return database;
}

bool fold_journal(Database& database) try {
  database.wait_for_others(kClosingPatience);
  if (database.integer("PRAGMA wal_checkpoint(TRUNCATE)") != 0) return false;
  return database.text("PRAGMA journal_mode = DELETE") == "delete";
} catch (const std::exception&) {
  return false;
}

void require_writable(const std::filesystem::path& file) {
  if (std::filesystem::exists(file) && !writable(file))
    throw UserError(study_label(file) + " is read-only: " + file.string());
  if (!writable(folder_of(file)))
    throw UserError(study_label(file) + " can't be written: folder " + folder_of(file).string() + " is read-only");
}

}  // namespace hpsearch
