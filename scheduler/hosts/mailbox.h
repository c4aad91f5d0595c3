#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <string_view>

#include "scheduler/hosts/file_tail.h"
#include "scheduler/hosts/scheduler_words.h"
#include "trials/time.h"

namespace hpsearch {

// How a scheduler speaks to a keeper that no socket of its reaches: lines in a file that both see.
class Mailbox {
 public:
  // `word` is called with each line; `pressing` tells whether a report waits for one; `looked` is called after each look.
  Mailbox(boost::asio::io_context& io, std::filesystem::path file, std::function<void(std::string_view)> word,
          std::function<bool()> pressing, std::function<void()> looked);

  // A report has begun to wait.
  void hurry();

 private:
  void look_after(Span delay);

  FileTail file_;
  std::function<void(std::string_view)> word_;
  std::function<bool()> pressing_;
  std::function<void()> looked_;
  boost::asio::steady_timer timer_;
};

// The other end: adds a word to the file. Throws std::system_error when that fails.
void post_word(const std::filesystem::path& mailbox, const SchedulerWord& word);

}  // namespace hpsearch
