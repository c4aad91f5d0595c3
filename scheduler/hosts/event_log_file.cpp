#include "scheduler/hosts/event_log_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "scheduler/hosts/text_file.h"

namespace hpsearch {

void EventLogFile::append(std::string_view line) {
  waiting_ += line;
  waiting_ += '\n';
  flush();
}

bool EventLogFile::flush() {
  if (!fd_.open()) fd_ = FileDescriptor(::open(file_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  while (fd_.open() && !waiting_.empty()) {
    const ssize_t n = ::write(fd_.get(), waiting_.data(), waiting_.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    waiting_.erase(0, n);
    unpublished_ = true;
  }
  return waiting_.empty();
}

void EventLogFile::publish() {
  if (unpublished_) ::fdatasync(fd_.get());
  unpublished_ = false;
}

std::string EventLogFile::lines_from(std::uint64_t first, std::size_t limit) {
  if (first < read_line_) read_line_ = 1, read_at_ = 0;
  std::string text, chunk(1 << 16, '\0');
  for (bool more = true; more && text.size() < limit;) {
    const ssize_t n = fd_.open() ? ::pread(fd_.get(), chunk.data(), chunk.size(), read_at_ + text.size()) : 0;
    more = n > 0;
    text += more ? std::string_view(chunk.data(), n) : std::string_view(waiting_);
    skip_to(first, text);
  }
  text.erase(text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1);
  return text;
}

void EventLogFile::skip_to(std::uint64_t first, std::string& text) {
  std::size_t begin = 0;
  for (std::size_t end; read_line_ < first && (end = text.find('\n', begin)) != std::string::npos; ++read_line_)
    begin = end + 1;
  read_at_ += begin;
  text.erase(0, begin);
}

void read_events(const std::filesystem::path& file, std::uint64_t seen,
                 const std::function<void(const EventsLine&)>& visit) {
  const std::string text = read_file(file).value_or("");
  std::uint64_t expected = 1;
  for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1, ++expected) {
    if (expected <= seen) continue;
    const auto line = parse_events_line(std::string_view(text).substr(begin, end - begin));
    if (!line || line->seq != expected) return;
    visit(*line);
  }
}

}  // namespace hpsearch
