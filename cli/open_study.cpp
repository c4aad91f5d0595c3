#include "cli/open_study.h"

#include <algorithm>
#include <random>

#include "scheduler/clock.h"
#include "scheduler/random_hex.h"
#include "trials/user_error.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

// Kept below 2^53, so that every JSON reader of an export sees the same number.
std::uint64_t drawn_seed() {
  std::random_device device;
  return (static_cast<std::uint64_t>(device()) << 21) ^ device() % (1u << 21);
}

}  // namespace

std::unique_ptr<OpenStudy> OpenStudy::create(const fs::path& folder, const StudySpec& spec) {
  auto opened = std::make_unique<OpenStudy>();
  opened->folder = folder;
  opened->store = SqliteStore::create(folder / "study.db");
  opened->store->attach(opened->study);
  opened->note(StudyCreated{random_hex(4), spec.search.seed ? *spec.search.seed : drawn_seed(), spec.name, spec.folder,
                            spec.document});
  return opened;
}

std::unique_ptr<OpenStudy> OpenStudy::open(const fs::path& folder) {
  auto opened = std::make_unique<OpenStudy>();
  opened->folder = folder;
  opened->store = SqliteStore::open(folder / "study.db");
  opened->policy = open_log(*opened->store, opened->study);
  if (!opened->study.created())
    throw UserError("study " + folder.filename().string() + " was never begun: hpsearch run SPACE begins it");
  opened->store->attach(opened->study);
  return opened;
}

void OpenStudy::note(Fact fact) {
  const Event event{study.last_seq() + 1, std::max(SystemClock().now(), study.last_at()), std::move(fact)};
  study.apply(event);
  store->append({event});
  if (policy.outdated_by(study, event)) policy = fold_policy(*store, study.spec(), study.seed());
  else policy.apply(study, event);
}

void OpenStudy::change(const StudySpec& spec, const Json& difference) {
  const std::vector<Json> known = study.spec().enqueue;
  note(SpecChanged{spec.document, spec.folder, difference});
  for (const Json& point : spec.enqueue)
    if (std::find(known.begin(), known.end(), point) == known.end()) note(Enqueued{point});
}

}  // namespace hpsearch
