#pragma once

#include <filesystem>

#include "store/sqlite.h"

namespace hpsearch {

// The version of the tables and of the events' stored names. A newer one is refused; a reader of an older one
// belongs here when there is one.
inline constexpr int kFormat = 1;
inline constexpr int kApplicationId = 0x68707331;  // "hps1": tells our databases from other programs'.

// Makes an empty study at `file`, which does not exist: written whole under another name, then renamed.
void create_study_file(const std::filesystem::path& file);

// Throws UserError for a database that is not ours or that a newer version wrote.
void check_format(Database& database);

}  // namespace hpsearch
