#include "store/sqlite.h"

#include <sqlite3.h>
#include <sys/statvfs.h>

#include <cctype>
#include <cerrno>

#include "store/errors.h"

namespace hpsearch {

namespace {

int open_flags(Database::Mode mode) {
  switch (mode) {
    case Database::Mode::read_only: return SQLITE_OPEN_READONLY;
    case Database::Mode::immutable: return SQLITE_OPEN_READONLY | SQLITE_OPEN_URI;
    case Database::Mode::read_write: return SQLITE_OPEN_READWRITE;
    case Database::Mode::create: return SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  }
  return 0;
}

std::string immutable_uri(const std::filesystem::path& file) {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string uri = "file:";
  for (unsigned char c : std::filesystem::absolute(file).string()) {
    if (std::isalnum(c) || c == '/') uri += static_cast<char>(c);
    else (uri += '%', uri += kHex[c >> 4]) += kHex[c & 15];
  }
  return uri + "?immutable=1";
}

// SQLite reports some failed writes as input/output errors: shared memory that can't grow, for one.
bool disk_full(sqlite3* handle, int code, const std::filesystem::path& file) {
  const int primary = code & 0xff;
  if (primary == SQLITE_FULL) return true;
  if (primary != SQLITE_IOERR && primary != SQLITE_CANTOPEN) return false;
  if (const int error = sqlite3_system_errno(handle); error == ENOSPC || error == EDQUOT) return true;
  struct statvfs disk;
  return statvfs(file.parent_path().empty() ? "." : file.parent_path().c_str(), &disk) == 0 &&
         disk.f_bavail * disk.f_frsize < 64 * 1024;
}

}  // namespace

Database::Database(const std::filesystem::path& file, Mode mode) : file_(file) {
  const std::string name = mode == Mode::immutable ? immutable_uri(file) : file.string();
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &handle, open_flags(mode) | SQLITE_OPEN_NOMUTEX, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) fail(code);
  sqlite3_extended_result_codes(handle, 1);
  execute("PRAGMA trusted_schema = OFF");
}

void Database::Close::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }

void Database::wait_for_others(std::chrono::milliseconds limit) {
  sqlite3_busy_timeout(handle_.get(), static_cast<int>(limit.count()));
}

void Database::execute(const std::string& sql) {
  const int code = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(code);
}

std::string Database::text(const std::string& sql) {
  Statement statement(*this, sql);
  return statement.step() ? std::string(statement.text(0)) : std::string();
}

std::int64_t Database::integer(const std::string& sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.integer(0) : 0;
}

bool Database::moved() const {
  int moved = 0;
  return sqlite3_file_control(handle_.get(), "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0;
}

bool Database::in_transaction() const { return sqlite3_get_autocommit(handle_.get()) == 0; }

void Database::fail(int code) const {
  const int primary = code & 0xff;
  const std::string message = handle_ ? sqlite3_errmsg(handle_.get()) : sqlite3_errstr(code);
  if (primary == SQLITE_NOTADB) throw NotADatabase(file_, message);
  if (primary == SQLITE_CORRUPT) throw DamagedStudy(file_, message);
  if (disk_full(handle_.get(), code, file_)) throw DiskFull(file_);
  if (primary == SQLITE_BUSY)
    throw SqliteError(file_.string() + ": another program has kept this file busy for too long", code);
  throw SqliteError(file_.string() + ": " + message, code);
}

Statement::Statement(Database& database, std::string_view sql) : database_(&database) {
  sqlite3_stmt* handle = nullptr;
  check(sqlite3_prepare_v3(database.handle_.get(), sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT,
                           &handle, nullptr));
  handle_.reset(handle);
}

void Statement::Finalize::operator()(sqlite3_stmt* handle) const { sqlite3_finalize(handle); }

bool Statement::step() {
  const int code = sqlite3_step(handle_.get());
  if (code == SQLITE_ROW) return true;
  sqlite3_reset(handle_.get());
  if (code != SQLITE_DONE) database_->fail(code);
  return false;
}

void Statement::run() {
  while (step()) {
  }
}

void Statement::reset() { sqlite3_reset(handle_.get()); }

bool Statement::null(int column) const { return sqlite3_column_type(handle_.get(), column) == SQLITE_NULL; }
std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(handle_.get(), column); }
double Statement::real(int column) const { return sqlite3_column_double(handle_.get(), column); }

std::string_view Statement::text(int column) const {
  const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(handle_.get(), column));
  if (!data) return {};
  return {data, static_cast<std::size_t>(sqlite3_column_bytes(handle_.get(), column))};
}

void Statement::put(int index, std::nullptr_t) { check(sqlite3_bind_null(handle_.get(), index + 1)); }
void Statement::put(int index, std::int64_t value) { check(sqlite3_bind_int64(handle_.get(), index + 1, value)); }
void Statement::put(int index, double value) { check(sqlite3_bind_double(handle_.get(), index + 1, value)); }

void Statement::put(int index, std::string_view value) {
  // A null pointer would bind NULL instead of an empty text.
  const char* data = value.data() ? value.data() : "";
  check(sqlite3_bind_text(handle_.get(), index + 1, data, static_cast<int>(value.size()), SQLITE_TRANSIENT));
}

void Statement::check(int code) const {
  if (code != SQLITE_OK) database_->fail(code);
}

Transaction::Transaction(Database& database, Kind kind) : database_(database), kind_(kind) {
  database.execute(kind == Kind::write ? "BEGIN IMMEDIATE" : "SAVEPOINT snapshot");
}

Transaction::~Transaction() {
  if (!database_.in_transaction()) return;
  try {
    database_.execute(kind_ == Kind::write ? "ROLLBACK" : "RELEASE snapshot");
  } catch (const std::exception&) {
    // The transaction is undone with the connection, at the latest.
  }
}

void Transaction::commit() { database_.execute("COMMIT"); }

}  // namespace hpsearch
