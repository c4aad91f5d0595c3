#include "scheduler/replay.h"

#include "scheduler/policy.h"

namespace hpsearch {

namespace {

constexpr std::size_t kMismatches = 20;

class Verifier {
 public:
  explicit Verifier(const Store& store) : store_(store) {}

  void visit(const Event& event) {
    ++result_.events;
    if (const Decision* stored = std::get_if<Decision>(&event.body)) compare(event, *stored);
    else if (study_.in_session() && !late(event)) expect_quiet(event);
    fold(event);
  }

  ReplayResult result() && { return std::move(result_); }

 private:
  // Facts that come between a decision's cause and the decision: none. A pending decision before one is a mismatch,
  // except before what ends or starts a session, which may cut decisions off.
  static bool late(const Event& event) {
    const Fact& fact = std::get<Fact>(event.body);
    return std::holds_alternative<SessionStarted>(fact) || std::holds_alternative<SessionEnded>(fact);
  }

  void expect_quiet(const Event& event) {
    if (time_decides()) return;
    if (auto missing = next_decision(study_, policy_.view(), study_.last_at()))
      note(event.seq, "nothing", text(*missing));
  }

  // With a limit of time or what it costs the moment of asking matters, and only decisions carry it.
  bool time_decides() const {
    const Limits& limits = study_.spec().limits;
    return limits.time || limits.gpu_hours || limits.cost;
  }

  void compare(const Event& event, const Decision& stored) {
    ++result_.decisions;
    std::optional<Decision> again = next_decision(study_, policy_.view(), event.at);
    if (!again) return note(event.seq, text(stored), "nothing");
    if (auto* plan = std::get_if<AttemptPlanned>(&*again))
      if (const auto* was = std::get_if<AttemptPlanned>(&stored)) plan->id = was->id;
    const std::string was = text(stored), is = text(*again);
    if (was != is) note(event.seq, was, is);
  }

  void fold(const Event& event) {
    study_.apply(event);
    if (policy_.outdated_by(study_, event)) policy_ = fold_policy(store_, study_.spec(), study_.seed(), event.seq);
    else policy_.apply(study_, event);
  }

  static std::string text(const Decision& decision) { return event_kind(decision) + " " + event_body(decision).dump(); }

  void note(Seq seq, const std::string& stored, const std::string& recomputed) {
    if (result_.mismatches.size() < kMismatches)
      result_.mismatches.push_back("event " + std::to_string(seq) + ": stored " + stored + "; recomputed " + recomputed);
  }

  const Store& store_;
  Study study_;
  OwnedPolicy policy_;
  ReplayResult result_;
};

}  // namespace

ReplayResult verify_replay(const Store& store) {
  Verifier verifier(store);
  store.read([&](const Event& event) { verifier.visit(event); });
  return std::move(verifier).result();
}

}  // namespace hpsearch
