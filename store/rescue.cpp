#include "store/rescue.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <vector>

#include "store/errors.h"
#include "store/leaf_scan.h"
#include "store/salvage.h"
#include "store/sqlite_store.h"
#include "trials/user_error.h"

namespace hpsearch {

namespace {

constexpr std::size_t kEventCells = 4, kReportCells = 11;
constexpr std::ptrdiff_t kBatch = 10'000;

std::int64_t integer(const Cell& cell) { return std::get<std::int64_t>(cell); }

// SQLite stores whole numbers as integers where that is shorter.
std::optional<double> number(const Cell& cell) {
  if (const auto* whole = std::get_if<std::int64_t>(&cell)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&cell)) return *real;
  return std::nullopt;
}

std::string text(const Cell& cell) {
  const auto* found = std::get_if<std::string>(&cell);
  return found ? *found : std::string();
}

std::optional<MetricValue> metric_value(const Cell& value, const Cell& words) {
  if (const std::optional<double> finite = number(value)) return MetricValue(*finite);
  if (const auto* found = std::get_if<std::string>(&words)) return MetricValue::parse(*found);
  return std::nullopt;
}

Event event_of(const LeafRow& row) {
  return {static_cast<Seq>(row.rowid), Time(Span(integer(row.cells[1]))),
          parse_event(std::get<std::string>(row.cells[2]), Json::parse(std::get<std::string>(row.cells[3])))};
}

Event report_of(const LeafRow& row) {
  Reported report;
  report.trial = static_cast<int>(integer(row.cells[2]));
  report.attempt = static_cast<int>(integer(row.cells[3]));
  report.attempt_seq = static_cast<std::uint64_t>(integer(row.cells[4]));
  report.step = number(row.cells[5]);
  report.value = metric_value(row.cells[6], row.cells[7]);
  report.other_metrics = text(row.cells[8]);
  report.checkpoint = text(row.cells[9]);
  report.reported_at = Time(Span(integer(row.cells[10])));
  return {static_cast<Seq>(row.rowid), Time(Span(integer(row.cells[1]))), Fact(std::move(report))};
}

// The events among the rows of all tables, told apart by their number of columns.
struct Harvest {
  std::vector<Event> events;
  std::int64_t unreadable = 0;

  void take(const LeafRow& row) try {
    if (row.cells.size() == kEventCells) events.push_back(event_of(row));
    if (row.cells.size() == kReportCells) events.push_back(report_of(row));
  } catch (const std::exception&) {
    ++unreadable;
  }

  void sort() {
    const auto seq_less = [](const Event& a, const Event& b) { return a.seq < b.seq; };
    std::stable_sort(events.begin(), events.end(), seq_less);
    const auto same = [](const Event& a, const Event& b) { return a.seq == b.seq; };
    events.erase(std::unique(events.begin(), events.end(), same), events.end());
  }
};

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in || std::filesystem::is_directory(file)) throw UserError("can't read " + file.string());
  return {std::istreambuf_iterator<char>(in), {}};
}

// Events that lie in the journal are brought into a copy of the file, as far as SQLite still can.
std::string bytes_with_journal(const std::filesystem::path& file, const std::filesystem::path& copy) {
  std::filesystem::path journal = file, copied_journal = copy;
  journal += "-wal";
  copied_journal += "-wal";
  if (!std::filesystem::exists(journal)) return bytes_of(file);
  std::filesystem::copy_file(file, copy, std::filesystem::copy_options::overwrite_existing);
  std::filesystem::copy_file(journal, copied_journal, std::filesystem::copy_options::overwrite_existing);
  try {
    Database(copy, Database::Mode::read_write).execute("PRAGMA wal_checkpoint(TRUNCATE)");
  } catch (const std::exception&) {
    // The copy's own pages are what is left.
  }
  const std::string bytes = bytes_of(copy);
  for (const char* suffix : {"", "-wal", "-shm"}) std::filesystem::remove(std::filesystem::path(copy) += suffix);
  return bytes;
}

Harvest harvest(const std::filesystem::path& damaged, const std::filesystem::path& copy) {
  const std::string bytes = bytes_with_journal(damaged, copy);
  Harvest found;
  found.unreadable += scan_leaves(bytes, [&](LeafRow&& row) { found.take(row); });
  found.sort();
  return found;
}

// The last batch goes with the fold: it brings the tables for `status` up to date.
void write(const Salvaged& salvaged, SqliteStore& store) {
  auto from = salvaged.events.begin();
  while (from != salvaged.events.end()) {
    const auto to = from + std::min(kBatch, salvaged.events.end() - from);
    if (to == salvaged.events.end()) store.attach(salvaged.study);
    store.append({from, to});
    from = to;
  }
}

RescueReport told(const Salvaged& salvaged) {
  RescueReport report;
  report.reports = std::count_if(salvaged.events.begin(), salvaged.events.end(),
                                 [](const Event& event) { return event_kind(event.body) == "reported"; });
  report.events = static_cast<std::int64_t>(salvaged.events.size()) - report.reports;
  report.trials = static_cast<std::int64_t>(salvaged.study.trials().size());
  report.lost_trials = salvaged.lost_trials;
  report.dropped = salvaged.dropped;
  return report;
}

}  // namespace

RescueReport rescue(const std::filesystem::path& damaged, const std::filesystem::path& to) {
  if (std::filesystem::exists(to)) throw UserError(to.string() + " exists");
  std::filesystem::create_directories(std::filesystem::absolute(to).parent_path());
  Harvest found = harvest(damaged, std::filesystem::path(to) += ".copy");
  const auto readable = static_cast<std::int64_t>(found.events.size());
  const auto last = found.events.empty() ? 0 : static_cast<std::int64_t>(found.events.back().seq);
  try {
    const Salvaged salvaged = salvage(std::move(found.events));
    write(salvaged, *SqliteStore::create(to));
    RescueReport report = told(salvaged);
    report.unreadable = found.unreadable;
    report.missing = last - readable;
    return report;
  } catch (const std::invalid_argument& error) {
    throw DamagedStudy("nothing of " + damaged.string() + " can be rescued: " + error.what());
  }
}

}  // namespace hpsearch
