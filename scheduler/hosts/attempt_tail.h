#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <string>

#include "scheduler/hosts/attempt_link.h"
#include "scheduler/hosts/file_tail.h"
#include "scheduler/hosts/trial_folders.h"

namespace hpsearch {

// Follows an attempt through its folder, where its keeper writes down everything: what a link is where no socket reaches
// the keeper. The folder is looked at again and again, the sooner the more happens there.
class AttemptTail {
 public:
  // `ended` is called once, when exit.json has been taken in; the tail is not to be destroyed inside it.
  AttemptTail(boost::asio::io_context& io, FactQueue& facts, AttemptFolder folder, AttemptName name, std::uint64_t seen,
              std::string metric, std::function<void()> ended);

  bool started() const { return started_; }  // The program has been seen to run.
  bool over() const { return over_; }

  void look();

 private:
  bool look_for_start();
  bool look_for_reports();
  void look_later();

  FactQueue& facts_;
  AttemptFolder folder_;
  AttemptName name_;
  std::uint64_t seen_, line_ = 0;            // Last line that the study has; last line read.
  std::string metric_;
  std::function<void()> ended_;
  FileTail events_;
  boost::asio::steady_timer timer_;
  Span pause_;
  bool started_ = false, over_ = false, damaged_ = false;
};

}  // namespace hpsearch
