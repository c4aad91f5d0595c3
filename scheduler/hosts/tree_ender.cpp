#include "scheduler/hosts/tree_ender.h"

#include <unistd.h>

#include <csignal>

#include "scheduler/hosts/process_tree.h"

namespace hpsearch {

namespace {

constexpr Span kBetweenKills{50};

}  // namespace

void TreeEnder::terminate(Span grace) {
  if (stage_ != Stage::idle) return;
  stage_ = Stage::terminated;
  signal_all(descendants(::getpid()), SIGTERM);
  kill_after(grace);
}

void TreeEnder::end_rest(Span grace) {
  if (rest_ || stage_ == Stage::killing || stage_ == Stage::finished) return;
  rest_ = true;
  const bool sooner = stage_ == Stage::idle || timer_.expiry() > std::chrono::steady_clock::now() + grace;
  stage_ = Stage::terminated;
  signal_all(descendants(::getpid()), SIGTERM);
  if (sooner) kill_after(grace);
}

void TreeEnder::kill() {
  if (stage_ == Stage::finished) return;
  stage_ = Stage::killing;
  signal_all(descendants(::getpid()), SIGKILL);
  kill_after(kBetweenKills);  // What was forked in the meantime.
}

void TreeEnder::finished() {
  stage_ = Stage::finished;
  timer_.cancel();
}

void TreeEnder::kill_after(Span delay) {
  timer_.expires_after(delay);
  timer_.async_wait([this](const auto& error) {
    if (!error) kill();
  });
}

}  // namespace hpsearch
