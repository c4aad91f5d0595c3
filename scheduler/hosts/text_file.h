#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace hpsearch {

enum class Durability { none, synced };

// Writes the whole file under another name and renames it: a reader sees the old file or the new one. `synced` also
// waits for the disk. Throws std::system_error naming the file.
void write_atomically(const std::filesystem::path& file, std::string_view text, Durability durability);

// The whole file; none when it does not exist. Throws std::system_error when it can't be read.
std::optional<std::string> read_file(const std::filesystem::path& file);

// The last `limit` bytes of a file, from the start of a line where one begins there; empty when there is no file.
std::string file_tail(const std::filesystem::path& file, std::size_t limit);

// `text` with every byte that is not UTF-8 replaced by "?".
std::string as_utf8(std::string text);

}  // namespace hpsearch
