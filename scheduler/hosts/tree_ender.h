#pragma once

#include <boost/asio/steady_timer.hpp>

#include "trials/time.h"

namespace hpsearch {

// Ends every process below this one (a sub-reaper), those in other sessions too: TERM, grace, then KILL again and
// again until the owner, who reaps them, says that none is left.
class TreeEnder {
 public:
  explicit TreeEnder(boost::asio::io_context& io) : timer_(io) {}

  // TERM now, KILL after `grace`. Does nothing if TERM was already sent.
  void terminate(Span grace);
  // The program itself has ended: TERM to what it left, once, also to what was forked while an earlier TERM went out.
  // KILL after `grace` at the latest.
  void end_rest(Span grace);
  void kill();
  // Nothing is left.
  void finished();

  bool terminated() const { return stage_ != Stage::idle; }

 private:
  enum class Stage { idle, terminated, killing, finished };
  void kill_after(Span delay);

  boost::asio::steady_timer timer_;
  Stage stage_ = Stage::idle;
  bool rest_ = false;
};

}  // namespace hpsearch
