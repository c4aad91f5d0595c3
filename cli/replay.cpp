#include "scheduler/replay.h"

#include "cli/output.h"
#include "cli/read_study.h"
#include "cli/study_folder.h"
#include "dashboard/value_text.h"
#include "store/sqlite_store.h"
#include "trials/user_error.h"

namespace hpsearch {

namespace {

Json replay_json(const ReplayResult& result) {
  return {{"events", result.events},
          {"decisions", result.decisions},
          {"clean", result.mismatches.empty()},
          {"mismatches", result.mismatches}};
}

std::string replay_text(const ReplayResult& result) {
  std::string text = std::to_string(result.events) + " events, " + std::to_string(result.decisions) +
                     " decisions recomputed and compared: ";
  if (result.mismatches.empty()) return text + "clean\n";
  text += std::to_string(result.mismatches.size()) + " differ (at most 20 are shown)\n";
  for (const std::string& mismatch : result.mismatches) text += "  " + mismatch + "\n";
  return text;
}

int replay(const CommonOptions& common, const ReadOptions& options, bool verify) {
  if (!verify) throw UserError("replay needs --verify: it recomputes every decision of the log and compares");
  const auto store = SqliteStore::open_read_only(study_folder(common, options.study) / "study.db");
  const ReplayResult result = verify_replay(*store);
  print(options.json ? json_text(replay_json(result)) : replay_text(result));
  return result.mismatches.empty() ? 0 : 1;
}

}  // namespace

void add_replay(CLI::App& app, const CommonOptions& common, Action& action) {
  auto* verb = app.add_subcommand("replay", "Recompute every decision of a study's log and compare");
  auto options = add_read_options(*verb);
  auto verify = std::make_shared<bool>(false);
  verb->add_flag("--verify", *verify, "Compare; exit status 1 where a decision differs");
  verb->callback([=, &common, &action] { action = [=, &common] { return replay(common, *options, *verify); }; });
}

}  // namespace hpsearch
