#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "scheduler/hosts/file_descriptor.h"
#include "scheduler/hosts/line_buffer.h"

namespace hpsearch {

// Descriptors that carry lines both ways, served by an io_context: a connected socket, or two pipes (SIGPIPE is then to
// be ignored). Not to be destroyed inside its own callbacks.
class LineSocket {
 public:
  struct Callbacks {
    std::function<void(std::string_view line, bool overlong)> line = {};
    std::function<void()> closed = {};     // The other side is gone; nothing more comes.
    std::function<void()> drained = {};    // What was unsent has left.
    std::function<void(std::string bytes)> bytes = {};  // Those that a line has announced, see expect.
  };

  LineSocket(boost::asio::io_context& io, FileDescriptor socket, Callbacks callbacks, std::size_t longest = 1 << 20);
  LineSocket(boost::asio::io_context& io, FileDescriptor in, FileDescriptor out, Callbacks callbacks, std::size_t longest);

  // Sends at once what the socket takes, the rest as it drains. `text` ends with a newline.
  void send(std::string_view text);
  std::size_t unsent() const { return unsent_.size(); }
  bool open() const { return open_; }

  // To be called for a line: the next `n` bytes are no lines and come to Callbacks::bytes at once.
  void expect(std::size_t n) { expected_ = n; }

  // Takes in everything that has arrived by now, without waiting.
  void read_now();
  // What came after the last newline.
  const std::string& torn() const { return lines_.rest(); }

 private:
  void take(std::string_view bytes);
  void wait_readable();
  void wait_writable();
  void write_now();
  void end();

  boost::asio::posix::stream_descriptor& out() { return out_ ? *out_ : in_; }

  boost::asio::posix::stream_descriptor in_;
  std::unique_ptr<boost::asio::posix::stream_descriptor> out_;  // Where it is another one.
  Callbacks callbacks_;
  LineBuffer lines_;
  std::size_t expected_ = 0;          // Bytes of the announced ones that are still to come.
  std::string announced_;
  std::string unsent_;
  bool open_ = true;
  bool broken_ = false;  // Nobody reads what we send.
  // Shared, weakly, with handlers that asio has queued: they may run after this object is gone.
  std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);
};

}  // namespace hpsearch
