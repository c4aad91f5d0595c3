#pragma once

#include <boost/asio/posix/stream_descriptor.hpp>
#include <functional>
#include <string>
#include <string_view>

#include "scheduler/hosts/file_descriptor.h"
#include "scheduler/hosts/line_buffer.h"

namespace hpsearch {

// Drains a pipe into a log file, byte for byte, and shows each line. The pipe never fills up, whatever the disk does:
// what can't be written to the log is dropped from it.
class OutputReader {
 public:
  // A line, and whether only its first megabyte is there.
  using OnLine = std::function<void(std::string_view, bool)>;

  OutputReader(boost::asio::io_context& io, FileDescriptor pipe, FileDescriptor log, OnLine on_line);

  // Takes in what has arrived by now.
  void read_now();
  // The same: nothing more will come. A last line without its newline is shown if it is `whole`; that of a program
  // that was killed may be cut off anywhere.
  void finish(bool whole);

 private:
  void wait();

  boost::asio::posix::stream_descriptor pipe_;
  FileDescriptor log_;
  OnLine on_line_;
  LineBuffer lines_;
  bool ended_ = false;
};

}  // namespace hpsearch
