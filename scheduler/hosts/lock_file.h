#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "scheduler/hosts/file_descriptor.h"

namespace hpsearch {

// Where the locks lie that all users of this machine share: $HPSEARCH_LOCK_DIR, else /run/lock where everybody may write
// there, else /tmp. What this user alone may do plays no part: all must come to the same folder.
std::filesystem::path lock_folder();

// Opens a file of that folder for reading and writing, so created that every user can. Throws std::system_error naming it.
FileDescriptor open_lock_file(const std::string& name);

// The same where the file exists and can be opened, else none.
std::optional<FileDescriptor> open_old_lock_file(const std::string& name);

// Whether the open file is still the one of that name: who cleans the folder up leaves us with a lock that nobody sees.
bool still_named(const FileDescriptor& file, const std::string& name);

}  // namespace hpsearch
