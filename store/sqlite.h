#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace hpsearch {

// What SQLite answered, when it is neither damage (DamagedStudy) nor a full disk (DiskFull). what() names the file.
class SqliteError : public std::runtime_error {
 public:
  SqliteError(const std::string& message, int code) : std::runtime_error(message), code_(code) {}
  int code() const { return code_; }  // Extended result code.

 private:
  int code_;
};

// One connection. Used by one thread at a time.
class Database {
 public:
  enum class Mode { read_only, immutable, read_write, create };

  // `immutable` promises that nobody writes the file meanwhile: it needs no lock and no writable folder.
  Database(const std::filesystem::path& file, Mode mode);

  const std::filesystem::path& file() const { return file_; }
  // How long a statement waits for another client's lock before it fails.
  void wait_for_others(std::chrono::milliseconds limit);
  void execute(const std::string& sql);
  // First column of the first row, as text; empty without a row.
  std::string text(const std::string& sql);
  std::int64_t integer(const std::string& sql);
  bool in_transaction() const;
  bool moved() const;  // The file is no longer where it was opened: moved, replaced or deleted.

  // Throws what `code` means: DamagedStudy, DiskFull or SqliteError.
  [[noreturn]] void fail(int code) const;

 private:
  friend class Statement;
  struct Close {
    void operator()(sqlite3* handle) const;
  };

  std::filesystem::path file_;
  std::unique_ptr<sqlite3, Close> handle_;
};

// A prepared statement; parameters and columns count from 0. Text columns are valid until the next step.
class Statement {
 public:
  Statement(Database& database, std::string_view sql);

  template <typename... Values>
  Statement& bind(const Values&... values) {
    int index = 0;
    (put(index++, values), ...);
    return *this;
  }
  bool step();  // True while there is a row; resets itself at the end.
  void run();   // For statements without rows.
  void reset();

  bool null(int column) const;
  std::int64_t integer(int column) const;
  double real(int column) const;
  std::string_view text(int column) const;  // Empty for NULL.

 private:
  struct Finalize {
    void operator()(sqlite3_stmt* handle) const;
  };

  void put(int index, std::nullptr_t);
  void put(int index, bool value) { put(index, std::int64_t{value}); }
  void put(int index, int value) { put(index, std::int64_t{value}); }
  void put(int index, std::int64_t value);
  void put(int index, std::uint64_t value) { put(index, static_cast<std::int64_t>(value)); }
  void put(int index, double value);
  void put(int index, std::string_view value);
  void put(int index, const std::string& value) { put(index, std::string_view(value)); }
  void put(int index, const char* value) { put(index, std::string_view(value)); }
  template <typename T>
  void put(int index, const std::optional<T>& value) {
    if (value) put(index, *value);
    else put(index, nullptr);
  }
  void check(int code) const;

  Database* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> handle_;
};

// Rolled back unless committed. A `read` is one snapshot and may stand inside another; `write` takes the write lock at
// once and may not.
class Transaction {
 public:
  enum class Kind { read, write };

  Transaction(Database& database, Kind kind);
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  Kind kind_;
};

}  // namespace hpsearch
