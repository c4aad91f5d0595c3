#include "tests/store/sample_log.h"
#include "tests/support/here.h"

#include <cmath>
#include <chrono>
#include <cstdint>
#include <limits>

namespace hpsearch {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Numbers events and gives each its time.
class Log {
 public:
  void add(std::variant<Fact, Decision> body) {
    const Seq seq = events.size() + 1;
    events.push_back({seq, Time(Span(1'700'000'000'000 + static_cast<std::int64_t>(seq) * 7)), std::move(body)});
  }
  std::vector<Event> events;
};

Json sample_document() {
  return Json::parse(R"({"command": ["true", "{x}"], "metric": {"name": "loss", "goal": "minimize"},
    "params": {"x": {"type": "float", "low": 0, "high": 1}}, "limits": {"trials": 100000},
    "search": {"sampler": "random", "seed": 1}})");
}

Reported report(std::optional<double> step, std::optional<MetricValue> value, std::uint64_t attempt_seq) {
  Reported reported{1, 1, attempt_seq, step, value, "", "", Time(Span(1'700'000'000'123))};
  return reported;
}

void add_reports(Log& log) {
  const MetricValue values[] = {0.1,
                                -0.0,
                                1e308,
                                1e-320,
                                std::nan(""),
                                kInfinity,
                                -kInfinity,
                                MetricValue::parse("1e400"),
                                MetricValue::parse("12abc"),
                                MetricValue::parse(""),
                                MetricValue::parse("naïve ∞ 日本")};
  std::uint64_t line = 0;
  for (const MetricValue& value : values) {
    ++line;
    log.add(Fact(report(static_cast<double>(line), value, line)));
  }
  log.add(Fact(report(std::nullopt, 0.5, ++line)));
  log.add(Fact(report(0.25, std::nullopt, ++line)));
  Reported full = report(9007199254740992.0, 3.0, UINT64_C(9223372036854775807));
  full.other_metrics = R"({"acc top 1":0.5,"é":"nan"})";
  full.checkpoint = "epoch 3/é";
  log.add(Fact(full));
}

void add_facts(Log& log) {
  log.add(Fact(StudyCreated{"0123456789abcdef", UINT64_MAX, "my-study", "/data/Прогон 1/日本 e'x",
                            sample_document()}));
  log.add(Fact(SpecChanged{sample_document(), "/elsewhere", Json{{"limits.trials", {1, 2}}}}));
  log.add(Fact(SessionStarted{"host", 4242, {here(2), {"gpu-1", HostState::unreachable, "why \xc3\xa4", 8.5, INT64_C(64000000000), {{"GPU-a", "A100", 80, 3, 1, "busy"}}}}, "program print"}));
  log.add(Fact(HostSeen{"local", HostState::up, "", 2, 0, {{"MIG-b", "", 10, 0, 0, "", 0.25}}}));
  log.add(Fact(HostSeen{"cloud-1", HostState::launching, "", 0, 0, {}, "10.0.0.1"}));
  log.add(Fact(CheckpointSaved{1, 1, "e3"}));
  log.add(Fact(Contended{1, 1, "pid 4242 of alice"}));
  log.add(Fact(AttemptStarted{1, 1, INT64_C(4194304)}));
  log.add(Fact(ReportRejected{1, 1, 99, std::string("not \x01 a \"report\"\n")}));
  log.add(Fact(AttemptEnded{1, 1, {EndKind::signalled, 9, true, "why", "last\nlines", "CUDA out of memory"}, Time(Span(5))}));
  log.add(Fact(Enqueued{Json{{"seed", INT64_MIN}, {"big", UINT64_MAX}, {"list", {64, 32}}, {"none", nullptr}}}));
  log.add(Fact(Excluded{3, false}));
  log.add(Fact(StopRequested{7, true}));
  log.add(Fact(StopRequested{}));
  log.add(Fact(Interrupted{3}));
  log.add(Fact(SessionEnded{"interrupted"}));
}

void add_decisions(Log& log) {
  const Json params = {{"z", 2.0}, {"a", 2}, {"t", "2"}};
  const Suggestion suggestion{params, {0.1, std::nullopt, 1.0 / 3}, "grid", "because", Json{{"f", 1}}};
  log.add(Decision(TrialSuggested{1, suggestion, 2, 3.5}));
  log.add(Decision(TrialSuggested{2, {}, 0, std::nullopt}));
  log.add(Decision(AttemptPlanned{1, 2, "00ff", {"local", 1, {"0"}}, 27.0, 1, "e3"}));
  log.add(Decision(AttemptPlanned{1, 1, "", {}, std::nullopt, 0, ""}));
  log.add(Decision(Judged{1, 1, 5, Verdict::pause, 9.0, {{1, 3.0, kInfinity, 9, 3, 2, true, true}}, "third of nine"}));
  log.add(Decision(Promoted{1, 0, 1, 3, 9, 3, 1, "best of nine"}));
  log.add(Decision(EndOrdered{1, 1, OrderKind::kill, "limit", true}));
  log.add(Decision(TrialSettled{1, 1, TrialState::failed, FailureReason::out_of_memory, -9, "detail", true}));
  log.add(Decision(HostOrdered{"cloud-1", HostOrder::release, "idle for 10m"}));
  log.add(Decision(StudyEnded{"finished", 3}));
}

void add_trial(Log& log, int number, int reports) {
  Suggestion suggestion{Json{{"x", number * 1e-6}}, {number * 1e-6}, "random", "drawn", nullptr};
  log.add(Decision(TrialSuggested{number, suggestion, 0, std::nullopt}));
  log.add(Decision(AttemptPlanned{number, 1, "id", {}, std::nullopt, 0, ""}));
  log.add(Fact(AttemptStarted{number, 1, number}));
  for (int i = 1; i <= reports; ++i) {
    const MetricValue value = number + 1.0 / i;
    Reported reported{number, 1, static_cast<std::uint64_t>(i), i, value, "", "", Time(Span(i))};
    log.add(Fact(reported));
  }
  log.add(Fact(AttemptEnded{number, 1, {}, Time(Span(number))}));
  log.add(Decision(TrialSettled{number, 1, TrialState::completed, FailureReason::none, 0, "", false}));
}

}  // namespace

std::vector<Event> every_kind_of_event() {
  Log log;
  add_facts(log);
  add_reports(log);
  add_decisions(log);
  return log.events;
}

std::vector<Event> study_log(int trials, int reports) {
  Log log;
  log.add(Fact(StudyCreated{"id", 1, "sample", "/tmp", sample_document()}));
  log.add(Fact(SessionStarted{"host", 1, {here(1)}, "print"}));
  for (int number = 1; number <= trials; ++number) add_trial(log, number, reports);
  log.add(Decision(StudyEnded{"finished", 0}));
  log.add(Fact(SessionEnded{"finished"}));
  return log.events;
}

std::vector<Event> report_batch(Seq seq, int reports) {
  std::vector<Event> batch;
  for (int i = 0; i < reports; ++i, ++seq) {
    const auto step = static_cast<double>(seq);
    Reported reported{1, 1, seq, step, MetricValue(1.0 / step), "", "", Time(Span(i))};
    batch.push_back({seq, Time(Span(1000)), Fact(reported)});
  }
  return batch;
}

Study folded(const std::vector<Event>& log) {
  Study study;
  for (const Event& event : log) study.apply(event);
  return study;
}

std::vector<Event> read_all(const Store& store) {
  std::vector<Event> events;
  store.read([&](const Event& event) { events.push_back(event); });
  return events;
}

std::string description(const Event& event) {
  std::string text = std::to_string(event.seq) + " " + std::to_string(event.at.time_since_epoch().count()) + " " +
                     event_kind(event.body) + " " + event_body(event.body).dump();
  // JSON writes -0.0 as a number of its own, so the text tells it from 0.
  return text;
}

std::vector<std::string> descriptions(const std::vector<Event>& events) {
  std::vector<std::string> texts;
  for (const Event& event : events) texts.push_back(description(event));
  return texts;
}

}  // namespace hpsearch
