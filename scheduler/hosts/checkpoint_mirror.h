#pragma once

#include <boost/asio/steady_timer.hpp>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "scheduler/hosts/attempt_link.h"
#include "scheduler/hosts/tree_copy.h"

namespace hpsearch {

// Brings checkpoints of one other host home as they are made, so that the host's end costs no training. One copy at a
// time, the latest of each trial, the trials in turn, and no more than a fifth of the time is spent on it while they run.
class CheckpointMirror {
 public:
  struct Wanted {
    AttemptName name;
    std::string checkpoint;          // Its name in the attempt's checkpoint folder; empty: the whole folder.
    std::filesystem::path from, to;  // That folder there, and here.
    std::uint64_t attempt_seq = 0;   // Of the last report before it was wanted.
    bool last = false;               // The attempt is over: there is no time to lose.
  };
  using Saved = std::function<void(const Wanted&)>;

  CheckpointMirror(boost::asio::io_context& io, FileDesk& host, FileDesk& home, Saved saved)
      : host_(host), home_(home), saved_(std::move(saved)), timer_(io) {}

  void want(Wanted wanted);
  bool busy() const { return copy_ != nullptr || !waiting_.empty(); }

 private:
  std::map<int, Wanted>::iterator chosen();
  void next();
  void copy(const Wanted& wanted);
  void after(Span span, std::function<void()> then);

  FileDesk &host_, &home_;
  Saved saved_;
  boost::asio::steady_timer timer_;
  std::map<int, Wanted> waiting_;    // By trial.
  std::map<int, int> turns_;         // The number of each trial's last copy.
  int copies_ = 0;
  std::unique_ptr<TreeCopy> copy_;
  Span rest_until_{0};
};

// How a checkpoint is copied between the checkpoint folders of two machines. One that has a name leaves those of other names,
// which the log may still count on.
TreeCopy::Order checkpoint_order(const std::filesystem::path& from, const std::string& checkpoint, const std::filesystem::path& to);

}  // namespace hpsearch
