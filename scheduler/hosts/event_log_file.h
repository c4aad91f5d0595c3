#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "scheduler/hosts/events_line.h"
#include "scheduler/hosts/file_descriptor.h"

namespace hpsearch {

// A keeper's events.jsonl, written. A full disk loses nothing: what can't be written waits in memory.
class EventLogFile {
 public:
  explicit EventLogFile(std::filesystem::path file) : file_(std::move(file)) {}

  // Appends a line (newline added) in one write; it outlives this process on return unless the disk fails.
  void append(std::string_view line);
  // Tries to write what waits. True when nothing waits any more.
  bool flush();
  // Has other machines see what is written, where the file lies on a network file system. Waits for the disk.
  void publish();

  // Complete lines from number `first` (from 1) on, at most about `limit` bytes, newlines included; empty at the end.
  std::string lines_from(std::uint64_t first, std::size_t limit);

 private:
  void skip_to(std::uint64_t first, std::string& text);

  std::filesystem::path file_;
  FileDescriptor fd_;
  bool unpublished_ = false;
  std::string waiting_;              // Tail of the log that is not on disk yet.
  std::uint64_t read_line_ = 1;      // Line that begins at `read_at_`.
  std::uint64_t read_at_ = 0;
};

// Calls `visit` for each whole line after number `seen`, in order; stops at a torn or damaged one. No file: nothing.
void read_events(const std::filesystem::path& file, std::uint64_t seen, const std::function<void(const EventsLine&)>& visit);

}  // namespace hpsearch
