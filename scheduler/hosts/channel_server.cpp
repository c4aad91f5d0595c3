#include "scheduler/hosts/channel_server.h"

#include <sys/socket.h>

#include <boost/asio/post.hpp>

namespace hpsearch {

ChannelServer::ChannelServer(boost::asio::io_context& io, FileDescriptor listener, Callbacks callbacks)
    : io_(io), listener_(io, listener.release()), callbacks_(std::move(callbacks)) {
  wait_for_connection();
}

void ChannelServer::wait_for_connection() {
  listener_.async_wait(boost::asio::posix::stream_descriptor::wait_read, [this](const auto& error) {
    if (error) return;
    accept_now();
    wait_for_connection();
  });
}

void ChannelServer::accept_now() {
  for (;;) {
    FileDescriptor fd(::accept4(listener_.native_handle(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!fd.open()) return;
    auto& slot = sockets_.emplace_back();
    LineSocket::Callbacks callbacks{
        [this, &slot](std::string_view line, bool overlong) { callbacks_.line(*slot, line, overlong); },
        [this, &slot] {
          callbacks_.closed(*slot);
          boost::asio::post(io_, [this] { remove_closed(); });
        },
        [this, &slot] { callbacks_.drained(*slot); }};
    slot = std::make_unique<LineSocket>(io_, std::move(fd), std::move(callbacks));
  }
}

void ChannelServer::remove_closed() {
  std::erase_if(sockets_, [](const auto& socket) { return !socket->open(); });
}

void ChannelServer::read_now() {
  accept_now();
  for (auto& socket : sockets_) socket->read_now();
}

}  // namespace hpsearch
