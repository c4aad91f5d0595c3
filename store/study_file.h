#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "store/file_system.h"
#include "store/sqlite.h"

namespace hpsearch {

// Opens a study's database for reading after checking it, changing nothing: UserError when it does not exist, is not a
// study or is newer; DamagedStudy when it is not whole. Works in a read-only folder.
//
// Small files are checked page by page; large ones (above kQuickCheckBytes) by what is cheap: the file's length,
// the format, that the log's end is where the summary says. The rest shows when it is read.
Database open_for_reading(const std::filesystem::path& file);

inline constexpr std::uintmax_t kQuickCheckBytes = 16 << 20;

// Opens it for writing after the same checks. The caller holds the StudyLock. With `network` the journal is one that
// network file systems can carry.
Database open_for_writing(const std::filesystem::path& file, bool network);

// Leaves one file that needs no journal, when no reader is in the way. True if it came to that. Throws nothing.
bool fold_journal(Database& database);

// UserError when the file or its folder must not be written.
void require_writable(const std::filesystem::path& file);

}  // namespace hpsearch
