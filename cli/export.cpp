#include "cli/export_file.h"
#include "cli/read_study.h"
#include "cli/study_folder.h"
#include "dashboard/export_reports.h"
#include "dashboard/export_trials.h"
#include "dashboard/value_text.h"
#include "trials/user_error.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kPieceBytes = 1 << 16;

struct ExportOptions {
  std::string study, file;
  ExportFormat format = ExportFormat::csv;
  bool reports = false, force = false;
};

void export_trials(const fs::path& folder, const ExportOptions& options, ExportTarget& target) {
  const Study study = read_study(folder);
  switch (options.format) {
    case ExportFormat::csv: target.write(export_csv(study)); return;
    case ExportFormat::json: target.write(json_text(export_json(study))); return;
  }
}

// The columns need a first pass; the second one ends where the first did, so that both show the same moment.
void export_reports(const fs::path& folder, const ExportOptions& options, ExportTarget& target) {
  MetricNames names;
  const Study study = read_study(folder, [&](const Study&, const Event& event) { names.apply(event); });
  ReportExport table(options.format, study.name(), names.ordered(study.spec()));
  std::string piece = table.head();
  bool read = true;
  read_study(folder, [&](const Study& before, const Event& event) {
    const Reported* report = event_as<Reported>(event);
    if (!read || !report || event.seq > study.last_seq()) return;
    piece += table.row({*report, before.counts(*report)});
    if (piece.size() < kPieceBytes) return;
    read = target.write(piece);
    piece.clear();
  });
  if (read) target.write(piece + table.tail());
}

int export_study(const CommonOptions& common, const ExportOptions& options) {
  const fs::path folder = study_folder(common, options.study);
  ExportTarget target(options.file, options.force);
  if (options.reports) export_reports(folder, options, target);
  else export_trials(folder, options, target);
  target.finish();
  return 0;
}

}  // namespace

void add_export(CLI::App& app, const CommonOptions& common, Action& action) {
  auto* verb = app.add_subcommand("export", "Every trial of every state as a table, or every report");
  auto options = std::make_shared<ExportOptions>();
  const std::map<std::string, ExportFormat> formats{{"csv", ExportFormat::csv}, {"json", ExportFormat::json}};
  verb->add_option("STUDY", options->study, "Name or space file (default: the only study here)");
  auto* format = verb->add_option("--format", options->format, "csv or json (default: csv)");
  format->transform(CLI::CheckedTransformer(formats).description("{csv,json}"));
  verb->add_flag_callback("--json", [options] { options->format = ExportFormat::json; }, "The same as --format json")->excludes(format);
  verb->add_flag("--reports", options->reports, "One row a report instead of one a trial");
  verb->add_option("-o,--output", options->file, "A file, written whole (default: standard output)");
  verb->add_flag("--force", options->force, "Replace the file if it exists");
  verb->callback([=, &common, &action] { action = [=, &common] { return export_study(common, *options); }; });
}

}  // namespace hpsearch
