#pragma once

#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <string>

#include "trials/time.h"

namespace hpsearch {

// Ends what a dead keeper left running, found by the attempt's id in the environment, never by a stored pid:
// TERM, one second, KILL until nothing is left.
class RemainsEnder {
 public:
  // `done` is called once, from the io_context, when nothing is left (or can't be ended). Not to be destroyed inside it.
  RemainsEnder(boost::asio::io_context& io, std::string attempt_id, std::function<void()> done);

 private:
  void step();

  boost::asio::steady_timer timer_;
  std::string id_;
  std::function<void()> done_;
  Span begun_;
  bool terminated_ = false;
  int empty_scans_ = 0;
};

}  // namespace hpsearch
