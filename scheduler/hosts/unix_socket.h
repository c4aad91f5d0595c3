#pragma once

#include <filesystem>
#include <string>

#include "scheduler/hosts/file_descriptor.h"

namespace hpsearch {

// Where the socket of an attempt lies: a short path in a 0700 folder of this user, $XDG_RUNTIME_DIR/hpsearch or
// hpsearch-UID under the temporary directory. Makes the folder. Throws std::runtime_error when that folder belongs to
// somebody else or is open to others.
std::string attempt_socket_path(const std::string& attempt_id);

// A listening socket at `path`, non-blocking; replaces a file left there. Throws std::system_error.
FileDescriptor listen_at(const std::string& path);

// Not open when nobody listens there (errno says why). Non-blocking.
FileDescriptor connect_to(const std::string& path);

}  // namespace hpsearch
