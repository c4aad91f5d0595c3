#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace hpsearch {

// What a study's file lies on.
struct FileSystem {
  std::string network;        // "NFS", "Lustre", ...; empty for a local disk.
  bool locks_work = true;     // Probed on network file systems only.
};

// `folder` exists. Injected, so that tests can pretend.
using FileSystemProbe = std::function<FileSystem(const std::filesystem::path& folder)>;

FileSystem probe_file_system(const std::filesystem::path& folder);

// True when a write lock on a new file in `folder` is granted. Leaves nothing behind.
bool locks_work(const std::filesystem::path& folder);

// True when neither permissions nor a read-only mount forbid changes. Missing write bits count for root too: whoever
// took them away wants the file left alone.
bool writable(const std::filesystem::path& path);

}  // namespace hpsearch
