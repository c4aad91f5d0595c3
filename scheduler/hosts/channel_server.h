#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <functional>
#include <list>
#include <memory>
#include <string_view>

#include "scheduler/hosts/line_socket.h"

namespace hpsearch {

// Takes connections on a listening socket and hands on their lines.
class ChannelServer {
 public:
  struct Callbacks {
    std::function<void(LineSocket&, std::string_view line, bool overlong)> line;
    std::function<void(LineSocket&)> closed;   // The socket lives on until the callback has returned.
    std::function<void(LineSocket&)> drained;
  };

  ChannelServer(boost::asio::io_context& io, FileDescriptor listener, Callbacks callbacks);

  // Takes in every connection and every byte that has arrived by now.
  void read_now();

 private:
  void wait_for_connection();
  void accept_now();
  void remove_closed();

  boost::asio::io_context& io_;
  boost::asio::posix::stream_descriptor listener_;
  Callbacks callbacks_;
  std::list<std::unique_ptr<LineSocket>> sockets_;
};

}  // namespace hpsearch
