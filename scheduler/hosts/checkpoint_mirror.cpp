#include "scheduler/hosts/checkpoint_mirror.h"

#include <algorithm>

#include "scheduler/hosts/steady_now.h"

namespace hpsearch {

namespace {

constexpr int kRest = 4;  // Times the last copy's own duration.

}  // namespace

TreeCopy::Order checkpoint_order(const std::string& from, const std::string& checkpoint, const std::string& to) {
  Json what{{"do", "tree"}, {"path", from}};
  if (!checkpoint.empty()) what["only"] = Json::array({checkpoint});
  return {what, to + ".contents", {{"do", "replace"}, {"path", to}}, false};
}

void CheckpointMirror::want(Wanted wanted) {
  waiting_[wanted.name.trial] = std::move(wanted);
  if (!copy_) next();
}

void CheckpointMirror::next() {
  copy_.reset();
  auto found = std::find_if(waiting_.begin(), waiting_.end(), [](const auto& entry) { return entry.second.last; });
  if (found == waiting_.end()) found = waiting_.begin();
  if (found == waiting_.end()) return;
  timer_.expires_after(found->second.last ? Span(0) : std::max(Span(0), rest_until_ - steady_now()));
  timer_.async_wait([this](const auto& error) {
    if (error || copy_ || waiting_.empty()) return;
    auto chosen = std::find_if(waiting_.begin(), waiting_.end(), [](const auto& entry) { return entry.second.last; });
    if (chosen == waiting_.end()) chosen = waiting_.begin();
    const Wanted wanted = waiting_.extract(chosen).mapped();
    const Span begun = steady_now();
    copy_ = std::make_unique<TreeCopy>(host_, home_, checkpoint_order(wanted.from, wanted.checkpoint, wanted.to),
                                       [this, wanted, begun](const std::string& fault, const FileTree&) {
      rest_until_ = steady_now() + kRest * (steady_now() - begun);
      if (fault.empty()) saved_(wanted);
      timer_.expires_after(Span(0));
      timer_.async_wait([this](const auto& stopped) {
        if (!stopped) next();
      });
    });
  });
}

}  // namespace hpsearch
