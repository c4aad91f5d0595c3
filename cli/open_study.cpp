#include "cli/open_study.h"

#include <algorithm>
#include <random>

#include "scheduler/clock.h"
#include "scheduler/hosts/text_file.h"
#include "scheduler/hosts/unix_socket.h"
#include "scheduler/random_hex.h"
#include "trials/json_scanner.h"
#include "trials/user_error.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

// Kept below 2^53, so that every JSON reader of an export sees the same number.
std::uint64_t drawn_seed() {
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 21) ^ device() % (1u << 21);
}

// What every trial of the study would fail of is said before the first one.
void check_place(const fs::path& folder, const std::string& space_folder) {
  for (const std::string& path : {fs::absolute(folder).string(), space_folder})
    if (!valid_utf8(path)) throw UserError("the folder's name is not UTF-8: " + as_utf8(path) + "; rename it");
  attempt_socket_path("");
}

}  // namespace

std::unique_ptr<OpenStudy> OpenStudy::create(const fs::path& folder, const StudySpec& spec) {
  auto opened = std::make_unique<OpenStudy>();
  opened->folder = folder;
  check_place(folder, spec.folder);
  opened->store = SqliteStore::create(folder / "study.db");
  opened->store->attach(opened->study);
  opened->note({StudyCreated{random_hex(4), spec.search.seed ? *spec.search.seed : drawn_seed(), spec.name, spec.folder,
                             spec.document}});
  return opened;
}

std::unique_ptr<OpenStudy> OpenStudy::open(const fs::path& folder) {
  auto opened = std::make_unique<OpenStudy>();
  opened->folder = folder;
  opened->store = SqliteStore::open(folder / "study.db");
  opened->policy = open_log(*opened->store, opened->study);
  if (!opened->study.created())
    throw UserError("study " + folder.filename().string() + " was never begun: hpsearch run SPACE begins it");
  check_place(folder, opened->study.spec().folder);
  opened->store->attach(opened->study);
  return opened;
}

void OpenStudy::note(std::vector<Fact> facts) {
  std::vector<Event> batch;
  for (Fact& fact : facts) {
    batch.push_back({study.last_seq() + 1, std::max(SystemClock().now(), study.last_at()), std::move(fact)});
    study.apply(batch.back());
  }
  store->append(batch);
  const auto outdates = [this](const Event& event) { return policy.outdated_by(study, event); };
  if (std::any_of(batch.begin(), batch.end(), outdates)) policy = fold_policy(*store, study.spec(), study.seed());
  else for (const Event& event : batch) policy.apply(study, event);
}

void OpenStudy::change(const StudySpec& spec, const Json& difference) {
  const std::vector<Json>& known = study.spec().enqueue;
  std::vector<Fact> facts{SpecChanged{spec.document, spec.folder, difference}};
  for (const Json& point : spec.enqueue)
    if (std::find(known.begin(), known.end(), point) == known.end()) facts.push_back(Enqueued{point});
  note(std::move(facts));
}

}  // namespace hpsearch
