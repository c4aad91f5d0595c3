#include "store/schema.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include "trials/user_error.h"

namespace hpsearch {

namespace {

// `meta` and `summary` come first: they are read at every opening, so damage to the head of the file is always
// noticed, and hold nothing that the log can't give again. `value` and `step` have no declared type: SQLite turns
// -0.0 into 0 in columns of type REAL.
constexpr const char* kTables = R"sql(
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE summary (
  id INTEGER PRIMARY KEY, seq INTEGER NOT NULL, at INTEGER NOT NULL, projected_seq INTEGER NOT NULL, spec_seq INTEGER,
  study_id TEXT, name TEXT, queued INTEGER, starting INTEGER, running INTEGER, paused INTEGER, completed INTEGER,
  stopped INTEGER, failed INTEGER, cancelled INTEGER, best INTEGER, running_ms INTEGER, slots INTEGER,
  slots_busy INTEGER, in_session INTEGER, interruption INTEGER, ended TEXT, exit_status INTEGER);
CREATE TABLE trial (
  number INTEGER PRIMARY KEY, state TEXT NOT NULL, failure TEXT, failure_code INTEGER, detail TEXT, value,
  value_text TEXT, resource, milestone, bracket INTEGER, reports INTEGER, attempts INTEGER, retries INTEGER,
  params TEXT, method TEXT, reason TEXT, host TEXT, slot INTEGER, devices TEXT, excluded INTEGER, program TEXT,
  created INTEGER, started INTEGER, ended INTEGER);
CREATE TABLE event (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL);
CREATE TABLE report (
  seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, trial INTEGER NOT NULL, attempt INTEGER NOT NULL,
  attempt_seq INTEGER NOT NULL, step, value, value_text TEXT, other TEXT, checkpoint TEXT, reported_at INTEGER NOT NULL,
  UNIQUE (trial, attempt, attempt_seq));
)sql";

constexpr const char* kViews = R"sql(
CREATE VIEW trials_view AS
  SELECT number, state, failure, coalesce(value, value_text) AS value, resource, reports, attempts, params, method,
         host, devices, excluded, datetime(created / 1000, 'unixepoch', 'localtime') AS created,
         datetime(started / 1000, 'unixepoch', 'localtime') AS started,
         datetime(ended / 1000, 'unixepoch', 'localtime') AS ended, (ended - started) / 1000.0 AS seconds
  FROM trial;
CREATE VIEW reports_view AS
  SELECT trial, attempt, step, coalesce(value, value_text) AS value, other, checkpoint,
         datetime(reported_at / 1000, 'unixepoch', 'localtime') AS reported
  FROM report;
CREATE VIEW params AS
  SELECT trial.number AS trial, entry.key AS name, entry.value AS value, entry.type AS type
  FROM trial, json_each(trial.params) AS entry;
)sql";

void fill(Database& database) {
  Transaction transaction(database, Transaction::Kind::write);
  database.execute(kTables);
  database.execute(kViews);
  database.execute("PRAGMA application_id = " + std::to_string(kApplicationId));
  database.execute("PRAGMA user_version = " + std::to_string(kFormat));
  database.execute("INSERT INTO meta VALUES ('format', " + std::to_string(kFormat) + ")");
  database.execute("INSERT INTO summary (id, seq, at, projected_seq) VALUES (1, 0, 0, 0)");
  transaction.commit();
}

void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  fsync(descriptor);
  close(descriptor);
}

}  // namespace

void create_study_file(const std::filesystem::path& file) {
  std::filesystem::path draft = file;
  draft += ".new";
  std::filesystem::remove(draft);
  {
    Database database(draft, Database::Mode::create);
    fill(database);
  }
  std::filesystem::rename(draft, file);
  sync_folder(file.parent_path());
}

void check_format(Database& database) {
  const std::string name = database.file().string();
  const std::int64_t application = database.integer("PRAGMA application_id");
  if (application != kApplicationId) throw UserError(name + " is not a study: it is a database of another program");
  const std::int64_t format = std::max(database.integer("PRAGMA user_version"),
                                       database.integer("SELECT value FROM meta WHERE key = 'format'"));
  if (database.integer("PRAGMA user_version") < 1 || database.integer("SELECT count(*) FROM meta WHERE key = 'format' AND value > 0") != 1)
    throw DamagedStudy(database.file(), "its format is not said");
  if (format > kFormat)
    throw UserError(name + " was written by a newer hpsearch (format " + std::to_string(format) +
                    "); this one reads formats up to " + std::to_string(kFormat) + ": install the newer one");
}

}  // namespace hpsearch
