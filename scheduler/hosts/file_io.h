#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string_view>

#include "scheduler/hosts/file_descriptor.h"

namespace hpsearch {

// Files by descriptor. Whatever fails is thrown as std::system_error naming the file.

// Throws what errno says.
[[noreturn]] void throw_errno(const std::filesystem::path& file);

// `flags` as for open(2); closed in child processes. A file that it makes gets `mode` less the umask.
FileDescriptor open_file(const std::filesystem::path& file, int flags, mode_t mode = 0666);

// What comes next, as far as it fits: the start of `buffer`, empty at the file's end.
std::string_view read_next(int fd, std::span<char> buffer, const std::filesystem::path& file);

void write_bytes(int fd, std::string_view bytes, const std::filesystem::path& file);

// Waits until the disk has it all.
void sync_file(int fd, const std::filesystem::path& file);

}  // namespace hpsearch
