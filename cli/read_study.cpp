#include "cli/read_study.h"

#include "store/sqlite_store.h"
#include "trials/user_error.h"

namespace hpsearch {

Study read_study(const std::filesystem::path& folder, const EventVisitor& visit) {
  Study study;
  SqliteStore::open_read_only(folder / "study.db")->read([&](const Event& event) {
    if (visit) visit(study, event);
    study.apply(event);
  });
  if (!study.created()) throw UserError("study " + folder.filename().string() + " is empty: it was never begun");
  return study;
}

void check_trial(const std::string& study, int number, std::int64_t count) {
  if (number >= 1 && number <= count) return;
  throw UserError("study " + study + " has no trial " + std::to_string(number) +
                  (count == 0 ? ": it has none yet" : "; it has trials 1 to " + std::to_string(count)));
}

const Trial& find_trial(const Study& study, int number) {
  check_trial(study.name(), number, static_cast<std::int64_t>(study.trials().size()));
  return study.trial(number);
}

std::shared_ptr<ReadOptions> add_read_options(CLI::App& verb) {
  auto options = std::make_shared<ReadOptions>();
  verb.add_option("STUDY", options->study, "Name or space file (default: the only study here)");
  verb.add_flag("--json", options->json, "Answer in JSON");
  return options;
}

}  // namespace hpsearch
