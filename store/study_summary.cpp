#include "store/study_summary.h"

#include <algorithm>
#include <numeric>

#include "store/errors.h"
#include "store/report_row.h"
#include "store/study_file.h"
#include "trials/event_names.h"

namespace hpsearch {

namespace {

constexpr const char* kTrialColumns =
    "SELECT number, state, failure, failure_code, detail, value, value_text, resource, milestone, bracket, reports,"
    " attempts, retries, params, method, reason, host, slot, devices, excluded, program, created, started, ended"
    " FROM trial ";

constexpr const char* kSummaryColumns =
    "SELECT seq, at, study_id, name, running_ms, slots, slots_busy, in_session, interruption, ended, exit_status, best,"
    " spec_seq, queued, starting, running, paused, completed, stopped, failed, cancelled FROM summary";

std::optional<Time> instant(const Statement& row, int column) {
  return row.null(column) ? std::nullopt : std::optional(Time(Span(row.integer(column))));
}

std::string text(const Statement& row, int column) { return std::string(row.text(column)); }

template <typename Enum>
Enum word(const Statement& row, int column) {
  Enum value{};
  parse_name(text(row, column), value);
  return value;
}

std::optional<Slot> slot(const Statement& row) {
  if (row.null(16)) return std::nullopt;
  return Slot{text(row, 16), static_cast<int>(row.integer(17)),
              Json::parse(row.text(18)).get<std::vector<std::string>>()};
}

TrialRow trial_row(const Statement& row) {
  TrialRow trial;
  trial.number = static_cast<int>(row.integer(0));
  trial.state = word<TrialState>(row, 1);
  trial.failure = word<FailureReason>(row, 2);
  trial.failure_code = static_cast<int>(row.integer(3));
  trial.detail = text(row, 4);
  trial.value = value_of_columns(row, 5, 6);
  trial.resource = row.real(7);
  if (!row.null(8)) trial.milestone = row.real(8);
  trial.bracket = static_cast<int>(row.integer(9));
  trial.reports = row.integer(10);
  trial.attempts = static_cast<int>(row.integer(11));
  trial.retries = static_cast<int>(row.integer(12));
  trial.params = Json::parse(row.text(13));
  trial.method = text(row, 14);
  trial.reason = text(row, 15);
  trial.slot = slot(row);
  trial.excluded = row.integer(19) != 0;
  trial.program = text(row, 20);
  trial.created = instant(row, 21);
  trial.started = instant(row, 22);
  trial.ended = instant(row, 23);
  return trial;
}

StudySummary summary_row(const Statement& row) {
  StudySummary summary;
  summary.seq = static_cast<Seq>(row.integer(0));
  summary.last_at = Time(Span(row.integer(1)));
  summary.id = text(row, 2);
  summary.name = text(row, 3);
  summary.running_time = Span(row.integer(4));
  summary.slots = row.integer(5);
  summary.slots_busy = row.integer(6);
  summary.in_session = row.integer(7) != 0;
  summary.interruption = static_cast<int>(row.integer(8));
  if (!row.null(9)) summary.ended = StudyEnded{text(row, 9), static_cast<int>(row.integer(10))};
  for (std::size_t i = 0; i < summary.counts.size(); ++i) summary.counts[i] = row.integer(13 + static_cast<int>(i));
  return summary;
}

void read_document(Database& database, std::int64_t seq, StudySummary& summary) {
  Statement select(database, "SELECT body FROM event WHERE seq = ?");
  select.bind(seq);
  if (!select.step()) throw DamagedStudy(database.file(), "event " + std::to_string(seq) + " is missing");
  const Json body = Json::parse(select.text(0));
  summary.document = body.value("document", Json::object());
  summary.folder = body.value("folder", "");
}

std::optional<TrialRow> read_trial(Database& database, std::int64_t number) {
  Statement select(database, std::string(kTrialColumns) + "WHERE number = ?");
  select.bind(number);
  if (!select.step()) return std::nullopt;
  return trial_row(select);
}

StudySummary summary_of(Database& database) {
  Transaction snapshot(database, Transaction::Kind::read);
  Statement select(database, kSummaryColumns);
  if (!select.step()) throw DamagedStudy(database.file(), "no summary");
  StudySummary summary = summary_row(select);
  if (!select.null(11)) summary.best = read_trial(database, select.integer(11));
  if (!select.null(12)) read_document(database, select.integer(12), summary);
  return summary;
}

std::vector<TrialRow> trials_of(Database& database, std::optional<int> count) {
  Statement select(database, std::string(kTrialColumns) + "ORDER BY number DESC LIMIT ?");
  select.bind(count.value_or(-1));
  std::vector<TrialRow> trials;
  while (select.step()) trials.push_back(trial_row(select));
  std::reverse(trials.begin(), trials.end());
  return trials;
}

// A row that does not read back as what the projection writes.
template <typename Read>
auto read_whole(const std::filesystem::path& file, Read read) {
  Database database = open_for_reading(file);
  try {
    return read(database);
  } catch (const Json::exception& error) {
    throw DamagedStudy(file, error.what());
  } catch (const std::invalid_argument& error) {
    throw DamagedStudy(file, error.what());
  }
}

}  // namespace

std::int64_t StudySummary::trials() const { return std::accumulate(counts.begin(), counts.end(), std::int64_t{0}); }

StudySummary read_summary(const std::filesystem::path& file) {
  StudySummary summary = read_whole(file, [](Database& database) { return summary_of(database); });
  summary.holder = study_holder(file);
  return summary;
}

std::vector<TrialRow> read_trials(const std::filesystem::path& file, std::optional<int> count) {
  return read_whole(file, [&](Database& database) { return trials_of(database, count); });
}

}  // namespace hpsearch
