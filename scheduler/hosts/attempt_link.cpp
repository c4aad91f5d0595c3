#include "scheduler/hosts/attempt_link.h"

#include "scheduler/hosts/events_line.h"

#include <utility>

namespace hpsearch {

AttemptEnded ended_fact(AttemptName name, const ExitRecord& record) {
  return {name.trial, name.attempt, record.end, record.at};
}

AttemptLink::AttemptLink(boost::asio::io_context& io, FileDescriptor socket, AttemptName name, std::uint64_t seen,
                         const std::string& metric, FactQueue& facts, std::function<void(Close)> closed)
    : name_(name),
      seen_(seen),
      metric_(metric),
      facts_(facts),
      closed_(std::move(closed)),
      socket_(io, std::move(socket),
              {[this](std::string_view text, bool) { line(text); }, [this] { close(Close::lost); }, {}}) {
  tell(Hello{seen_ + 1});
}

void AttemptLink::line(std::string_view text) {
  if (done_) return;
  if (!text.starts_with("{\"seq\"")) return status_line(text);
  const auto line = parse_events_line(text);
  if (!line || line->seq <= seen_) return;
  seen_ = line->seq;
  facts_.push(fact_of(*line, name_.trial, name_.attempt, metric_));
}

void AttemptLink::status_line(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return;
  if (json.contains("started") && !std::exchange(started_, true))
    facts_.push(AttemptStarted{name_.trial, name_.attempt, json["started"]});
  if (!json.contains("exit")) return;
  if (const auto record = parse_exit(json["exit"].dump())) {
    facts_.push(ended_fact(name_, *record));
    close(Close::ended);
  }
}

void AttemptLink::close(Close how) {
  if (done_) return;
  done_ = true;
  closed_(how);
}

}  // namespace hpsearch
