#pragma once

#include <boost/asio/signal_set.hpp>
#include <csignal>
#include <functional>

namespace hpsearch {

// Hears INT, TERM and HUP while it lives: `heard` gets the signal and how many INTs have come.
class Signals {
 public:
  using Heard = std::function<void(int signal, int interrupts)>;

  Signals(boost::asio::io_context& io, Heard heard) : set_(io, SIGINT, SIGTERM, SIGHUP), heard_(std::move(heard)) { wait(); }

 private:
  void wait() {
    set_.async_wait([this](const auto& error, int signal) {
      if (error) return;
      heard_(signal, interrupts_ += signal == SIGINT);
      wait();
    });
  }

  boost::asio::signal_set set_;
  Heard heard_;
  int interrupts_ = 0;
};

}  // namespace hpsearch
