#include "scheduler/hosts/checkpoint_mirror.h"

#include <algorithm>

#include "scheduler/hosts/steady_now.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

constexpr int kRest = 4;  // Times the last copy's own duration.

}  // namespace

TreeCopy::Order checkpoint_order(const fs::path& from, const std::string& checkpoint, const fs::path& to) {
  const std::string store = to.string() + ".contents";
  if (checkpoint.empty()) return {{{"do", "tree"}, {"path", from.string()}}, store, {{"do", "replace"}, {"path", to.string()}}, false};
  const fs::path source = (from / checkpoint).parent_path(), target = (to / checkpoint).parent_path();
  const Json only = Json::array({fs::path(checkpoint).filename().string()});
  return {{{"do", "tree"}, {"path", source.string()}, {"only", only}}, store, {{"do", "merge"}, {"path", target.string()}}, false};
}

void CheckpointMirror::want(Wanted wanted) {
  waiting_[wanted.name.trial] = std::move(wanted);
  if (!copy_) next();
}

// Those of attempts that are over first, then the trial whose last copy is the oldest.
std::map<int, CheckpointMirror::Wanted>::iterator CheckpointMirror::chosen() {
  const auto last = std::find_if(waiting_.begin(), waiting_.end(), [](const auto& entry) { return entry.second.last; });
  if (last != waiting_.end()) return last;
  return std::min_element(waiting_.begin(), waiting_.end(), [this](const auto& a, const auto& b) { return turns_[a.first] < turns_[b.first]; });
}

void CheckpointMirror::next() {
  copy_.reset();
  if (waiting_.empty()) return;
  after(chosen()->second.last ? Span(0) : std::max(Span(0), rest_until_ - steady_now()), [this] {
    if (!copy_ && !waiting_.empty()) copy(waiting_.extract(chosen()).mapped());
  });
}

void CheckpointMirror::copy(const Wanted& wanted) {
  turns_[wanted.name.trial] = ++copies_;
  copy_ = std::make_unique<TreeCopy>(host_, home_, checkpoint_order(wanted.from, wanted.checkpoint, wanted.to),
                                     [this, wanted, begun = steady_now()](const std::string& fault, const FileTree&) {
    rest_until_ = steady_now() + kRest * (steady_now() - begun);
    if (fault.empty()) saved_(wanted);
    after(Span(0), [this] { next(); });  // The copy is still at work.
  });
}

void CheckpointMirror::after(Span span, std::function<void()> then) {
  timer_.expires_after(span);
  timer_.async_wait([then = std::move(then)](const auto& error) {
    if (!error) then();
  });
}

}  // namespace hpsearch
