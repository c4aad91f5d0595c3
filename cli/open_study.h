#pragma once

#include <filesystem>
#include <memory>

#include "scheduler/policy.h"
#include "store/sqlite_store.h"

namespace hpsearch {

// A study that this process may change: its lock is held, its log folded. Not movable: the store refers to the study.
struct OpenStudy {
  std::filesystem::path folder;
  std::unique_ptr<SqliteStore> store;
  Study study;
  OwnedPolicy policy;

  // Makes the study's folder and its first event. UserError when it exists or somebody holds it.
  static std::unique_ptr<OpenStudy> create(const std::filesystem::path& folder, const StudySpec& spec);
  // UserError when somebody holds it.
  static std::unique_ptr<OpenStudy> open(const std::filesystem::path& folder);

  // Adds facts between sessions, durably, all or none.
  void note(std::vector<Fact> facts);
  // Applies a changed spec: notes it, with the new points to enqueue, and folds the policy anew.
  void change(const StudySpec& spec, const Json& difference);
};

}  // namespace hpsearch
