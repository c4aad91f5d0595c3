#include "store/sqlite_store.h"

#include <stdexcept>

#include "store/errors.h"
#include "store/event_reader.h"
#include "store/report_row.h"
#include "store/schema.h"
#include "store/study_file.h"
#include "trials/user_error.h"

namespace hpsearch {

namespace {

std::string stored_body(const Event& event) {
  // A trial's output may hold any bytes.
  return compact(event_body(event.body));
}

void check_place(const std::filesystem::path& file, const FileSystem& place) {
  if (place.locks_work) return;
  throw UserError(file.string() + " lies on " + place.network +
                  " where file locks don't work: move the database to a local disk with --db PATH");
}

std::vector<std::string> place_warnings(const std::filesystem::path& file, const FileSystem& place) {
  if (place.network.empty()) return {};
  return {file.string() + " lies on a network file system (" + place.network +
          "): slower and less safe than a local disk; --db PATH moves the database"};
}

void make_folder(const std::filesystem::path& folder, const std::filesystem::path& file) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error == std::errc::no_space_on_device) throw DiskFull(file);
  if (error) throw UserError("can't make folder " + folder.string() + ": " + error.message());
}

void make_empty_study(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) return create_study_file(file);
  Database existing = open_for_reading(file);
  if (existing.integer("SELECT seq FROM summary") > 0) throw UserError(study_label(file) + " exists: " + file.string());
}

}  // namespace

struct SqliteStore::Writer {
  explicit Writer(Database& database)
      : last(database.integer("SELECT seq FROM summary")),
        event(database, "INSERT INTO event VALUES (?, ?, ?, ?)"),
        report(database, kInsertReport),
        end(database, "UPDATE summary SET seq = ?, at = ?"),
        projection(database) {}

  void insert(const Event& e) {
    if (const Reported* reported = event_as<Reported>(e)) return insert_report(report, e, *reported);
    event.bind(e.seq, e.at.time_since_epoch().count(), event_kind(e.body), stored_body(e)).run();
  }

  Seq last;
  Statement event, report, end;
  Projection projection;
};

std::unique_ptr<SqliteStore> SqliteStore::writable_store(const std::filesystem::path& file,
                                                         const FileSystemProbe& probe, bool fresh) {
  require_writable(file);
  const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
  const FileSystem place = probe(folder);
  check_place(file, place);
  auto lock = std::make_unique<StudyLock>(file);
  if (fresh) make_empty_study(file);
  Database database = open_for_writing(file, !place.network.empty());
  return std::unique_ptr<SqliteStore>(
      new SqliteStore(std::move(database), std::move(lock), place_warnings(file, place)));
}

std::unique_ptr<SqliteStore> SqliteStore::create(const std::filesystem::path& file, const FileSystemProbe& probe) {
  make_folder(std::filesystem::absolute(file).parent_path(), file);
  return writable_store(file, probe, true);
}

std::unique_ptr<SqliteStore> SqliteStore::open(const std::filesystem::path& file, const FileSystemProbe& probe) {
  if (!std::filesystem::exists(file)) open_for_reading(file);  // Says so, and leaves no lock file behind.
  return writable_store(file, probe, false);
}

std::unique_ptr<SqliteStore> SqliteStore::open_read_only(const std::filesystem::path& file) {
  return std::unique_ptr<SqliteStore>(new SqliteStore(open_for_reading(file), nullptr, {}));
}

SqliteStore::SqliteStore(Database database, std::unique_ptr<StudyLock> lock, std::vector<std::string> warnings)
    : warnings_(std::move(warnings)), lock_(std::move(lock)), database_(std::move(database)) {
  if (lock_) writer_ = std::make_unique<Writer>(database_);
}

SqliteStore::~SqliteStore() {
  if (!writer_) return;
  writer_.reset();
  if (fold_journal(database_)) lock_->clear();
}

void SqliteStore::append(const std::vector<Event>& batch) {
  if (batch.empty()) return;
  if (!writer_) throw std::logic_error("append to a store opened for reading");
  check_order(writer_->last, batch);
  if (database_.moved())
    throw std::runtime_error(database_.file().string() + " was moved or deleted while the study runs; what follows can't be saved");
  Transaction transaction(database_, Transaction::Kind::write);
  for (const Event& event : batch) writer_->insert(event);
  writer_->end.bind(batch.back().seq, batch.back().at.time_since_epoch().count()).run();
  if (study_) writer_->projection.write(*study_, batch);
  transaction.commit();
  writer_->last = batch.back().seq;
  lock_->note(writer_->last);
}

void SqliteStore::read(const std::function<void(const Event&)>& visit) const {
  Transaction snapshot(database_, Transaction::Kind::read);
  EventReader reader(database_);
  Seq last = 0;
  while (std::optional<Event> event = reader.next()) {
    if (event->seq != ++last) throw DamagedStudy(database_.file(), "event " + std::to_string(last) + " is missing");
    try {
      visit(*event);
    } catch (const BadEvent& fault) {
      throw DamagedStudy(database_.file(), fault.what());
    }
  }
}

}  // namespace hpsearch
