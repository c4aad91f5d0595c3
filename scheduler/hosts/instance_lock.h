#pragma once

#include <filesystem>

#include "scheduler/hosts/file_descriptor.h"

namespace hpsearch {

// A lock that a launch command holds for as long as it runs, whatever becomes of the scheduler that started it: what it is
// still making can't be taken down.

// Open and locked, to be handed to the command; not open where another one holds it, or the file system knows no locks.
FileDescriptor lock_instance(const std::filesystem::path& file);

// Whether a launch command still runs.
bool instance_locked(const std::filesystem::path& file);

}  // namespace hpsearch
