#pragma once

#include <set>
#include <vector>

#include "store/sqlite.h"
#include "trials/study.h"

namespace hpsearch {

// Keeps the tables `trial` and `summary` in step with the fold, so that `status` reads them and folds nothing.
// Works inside the caller's transaction.
class Projection {
 public:
  explicit Projection(Database& database);

  // `study` has applied `batch`. Writes the rows of the trials that the batch touched, or of all of them when the
  // tables had fallen behind the log.
  void write(const Study& study, const std::vector<Event>& batch);

 private:
  void write_trial(const Trial& trial);
  void write_summary(const Study& study, const std::vector<Event>& batch);

  Database& database_;
  Statement trial_, summary_;
};

// The trials that events name.
std::set<int> trials_named(const std::vector<Event>& batch);

}  // namespace hpsearch
