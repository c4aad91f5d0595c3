#include "scheduler/hosts/attempt_tail.h"

#include <algorithm>

#include "scheduler/hosts/events_line.h"
#include "scheduler/hosts/text_file.h"

namespace hpsearch {

namespace {

constexpr Span kTailBusy{200}, kTailIdle{1'000};// Between looks.

}  // namespace

AttemptTail::AttemptTail(boost::asio::io_context& io, FactQueue& facts, AttemptFolder folder, AttemptName name,
                         std::uint64_t seen, std::string metric, std::function<void()> ended)
    : facts_(facts),
      folder_(std::move(folder)),
      name_(name),
      seen_(seen),
      metric_(std::move(metric)),
      ended_(std::move(ended)),
      events_(folder_.events()),
      timer_(io),
      pause_(kTailBusy) {
  look_later();
}

// The end is read first and told last: what stands before it is then there too.
void AttemptTail::look() try {
  if (over_) return;
  const auto record = parse_exit(read_file(folder_.exit()).value_or(""));
  const bool news = look_for_start() | look_for_reports();
  pause_ = news ? kTailBusy : std::min(pause_ * 5 / 4, kTailIdle);
  if (!record) return;
  over_ = true;
  timer_.cancel();
  facts_.push(ended_fact(name_, *record));
  ended_();
} catch (const std::system_error&) {         // The file system does not answer now.
}

bool AttemptTail::look_for_start() {
  if (started_) return false;
  const Json note = Json::parse(read_file(folder_.started()).value_or(""), nullptr, false);
  if (!note.is_object() || !note.contains("started")) return false;
  started_ = true;
  facts_.push(AttemptStarted{name_.trial, name_.attempt, note["started"]});
  return true;
}

bool AttemptTail::look_for_reports() {
  return events_.look([this](std::string_view text) {
    const auto line = parse_events_line(text);
    damaged_ = damaged_ || !line || line->seq != ++line_;
    if (!damaged_ && line->seq > seen_) facts_.push(fact_of(*line, name_.trial, name_.attempt, metric_));
  });
}

void AttemptTail::look_later() {
  timer_.expires_after(pause_);
  timer_.async_wait([this](const auto& error) {
    if (error) return;
    look();
    if (!over_) look_later();
  });
}

}  // namespace hpsearch
