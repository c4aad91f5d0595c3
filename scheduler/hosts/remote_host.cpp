#include "scheduler/hosts/remote_host.h"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <random>
#include <utility>

#include "scheduler/clock.h"
#include "scheduler/hosts/agent_words.h"
#include "scheduler/hosts/bootstrap.h"
#include "scheduler/hosts/device_request.h"
#include "scheduler/hosts/launch_plan.h"
#include "scheduler/hosts/program_build.h"
#include "scheduler/hosts/steady_now.h"
#include "trials/number.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

constexpr Span kShortestSilence{3'000}, kSilence{15'000};  // Until a connection counts as cut.
constexpr Span kFirstPause{1'000}, kLongestPause{60'000};

// What no second try changes: the user has to.
bool hopeless(const std::string& reason) {
  if (reason.find("Temporary failure") != std::string::npos) return false;
  for (const char* words : {"Permission denied", "Host key verification failed", "IDENTIFICATION HAS CHANGED",
                            "Could not resolve hostname", "command not found", "Too many authentication failures",
                            "Bad configuration option", "no such identity", "Bad owner or permissions"})
    if (reason.find(words) != std::string::npos) return true;
  return false;
}

std::string advice(const HostSpec& host, const std::string& reason) {
  const std::string how = host.kind == HostKind::ssh ? " (ssh " + host.ssh + " must work without any question)" : "";
  if (reason.find("Host key verification failed") != std::string::npos)
    return "its host key is unknown or has changed; look at it with: ssh " + host.ssh;
  if (reason.find("Permission denied") != std::string::npos) return reason + how;
  return reason;
}

// Pauses of many hosts must not fall together.
Span with_jitter(Span pause) {
  static std::minstd_rand random{std::random_device{}()};
  return pause + Span(std::uniform_int_distribution<std::int64_t>(0, pause.count() / 4)(random));
}

}  // namespace

RemoteHost::RemoteHost(boost::asio::io_context& io, FactQueue& facts, HostSpec spec, const Study& study, fs::path program,
                       FileDesk* home, Role role, std::optional<RemoteWay> way)
    : io_(io),
      facts_(facts),
      spec_(std::move(spec)),
      way_(std::move(way)),
      study_(way_ ? way_->study_folder.filename().string() : study.name() + "-" + study.id().substr(0, 8)),
      command_(fixed_program(study.spec(), spec_.vars).value_or("")),
      devices_(way_ ? Json() : device_request(study.spec().trial, spec_)),
      files_(way_ ? std::nullopt : study.spec().files),
      source_(study.spec().folder),
      program_(std::move(program)),
      home_(home),
      role_(role),
      live_(study),
      pause_(kFirstPause),
      away_since_(steady_now()),
      reconnect_(io),
      lost_(io) {
  connect();
}

RemoteHost::~RemoteHost() = default;

// ---- The connection ----------------------------------------------------------------------------------------------

void RemoteHost::connect() {
  link_.reset();
  try {
    const auto command = way_ ? way_->command : agent_command(spec_, program_build(program_), fs::file_size(program_));
    link_ = std::make_unique<AgentLink>(
        io_, command, program_, std::clamp(spec_.lost_after, kShortestSilence, kSilence),
        AgentLink::Callbacks{[this] { greet(); }, [this](const Json& word) { take(word); },
                             [this](const std::string& reason) { closed(reason); }});
  } catch (const std::exception& fault) {
    closed(fault.what());
  }
}

void RemoteHost::greet() {
  const std::string dir = way_ ? way_->study_folder.parent_path().string() : spec_.dir.empty() ? "~/hpsearch-studies" : spec_.dir;
  link_->send({{"hello", {{"study", study_}, {"dir", dir}}}});
}

void RemoteHost::take(const Json& word) try {
  if (refused_) return;
  if (word.contains("hello")) return welcome(word["hello"]);
  if (word.contains("fact")) return take_fact(word);
  if (word.contains("refused")) return refuse(word["refused"]);
  if (word.contains("seen")) ready(word["seen"]);
} catch (const std::exception& fault) {
  refuse(std::string("its agent says what can't be understood: ") + fault.what());
}

void RemoteHost::welcome(const Json& hello) {
  if (hello.at("protocol") != kAgentProtocol) return refuse("its hpsearch is of another version; \"program\" names it");
  dir_ = hello.at("dir").get<std::string>();
  study_folder_ = hello.at("folder").get<std::string>();
  folder_ = source_;
  linked_ = true;
  if (role_ == Role::visitor) return ready(Json());
  take_up();
  if (files_) send_code();
  else check();
}

// What runs there is followed at once, whether or not more can be started. Who counts is said first: a trial that has gone
// on elsewhere must not run on here.
void RemoteHost::take_up() {
  if (!way_) say_who_counts();
  for (const auto& [trial, adoption] : attempts_) link_->send({{"adopt", adoption_json(adoption)}});
  for (const auto& [trial, attempt] : discarded_) link_->send({{"discard", name_json({trial, attempt})}});
  discarded_.clear();
  lost_.cancel();
}

// Once for each content: a folder named by it, which studies of the host share.
void RemoteHost::send_code() {
  const TreeCopy::Order order{{{"do", "snapshot"}, {"path", source_.string()}, {"patterns", files_->patterns}, {"limit", files_->limit}},
                              "code/contents", {{"do", "unpack"}, {"path", "code/{tree}"}, {"use", "read"}}, true};
  code_ = std::make_unique<TreeCopy>(*home_, *this, order, [this](const std::string& fault, const FileTree& tree) {
    if (!link_ || !link_->greeted()) return;  // Cut meanwhile: the next connection begins anew.
    if (!fault.empty()) return refuse("the study's files can't be copied there: " + fault);
    folder_ = dir_ / "code" / tree.id();
    check();
  });
}

void RemoteHost::check() {
  tell_hunger();
  link_->send({{"check", {{"folder", folder_.string()}, {"setup", spec_.setup}, {"command", command_}, {"devices", devices_}, {"study", study_}}}});
}

void RemoteHost::tell_hunger() {
  if (linked_ && !devices_.is_null()) link_->send({{"hungry", live_.wants_room()}});
}

void RemoteHost::ready(const Json& body) {
  up_ = ever_up_ = true;
  pause_ = kFirstPause;
  away_since_.reset();
  reason_.clear();
  if (role_ == Role::visitor) return;
  HostSeen seen = std::get<HostSeen>(std::get<Fact>(parse_event("host_seen", body)));
  seen.host = spec_.name;
  facts_.push(std::move(seen));
}

void RemoteHost::ask(const Json& word, std::string bytes, Reply reply) {
  ++asked_;
  if (link_ && link_->greeted()) return link_->ask(word, std::move(bytes), std::move(reply));
  boost::asio::post(io_, [reply = std::move(reply), name = spec_.name] { reply({{"fault", "host " + name + " is unreachable"}}, ""); });
}

// Those of all hosts: two entries may lead to one machine.
void RemoteHost::say_who_counts() {
  Json ids = Json::array();
  for (int number : live_.live()) ids.push_back(live_.trial(number).current()->id);
  for (const auto& [trial, adoption] : attempts_) ids.push_back(adoption.id);
  link_->send({{"live", ids}});
}

void RemoteHost::closed(const std::string& reason) {
  up_ = linked_ = false;
  if (refused_) return;
  if (!ever_up_ && attempts_.empty() && hopeless(reason)) return refuse(advice(spec_, reason));
  if (!away_since_) away_since_ = link_ ? link_->heard() : steady_now();
  see(HostState::unreachable, advice(spec_, reason));
  const Span left = spec_.lost_after - (steady_now() - *away_since_);
  lost_.expires_after(std::max(left, Span(0)));
  lost_.async_wait([this](const auto& error) {
    if (!error && !linked_) give_up();
  });
  reconnect_.expires_after(with_jitter(pause_));
  pause_ = std::min(2 * pause_, kLongestPause);
  reconnect_.async_wait([this](const auto& error) {
    if (!error) connect();
  });
}

// With trials there it is as if it were away: they may still be taken up.
void RemoteHost::refuse(const std::string& reason) {
  up_ = false;
  if (!attempts_.empty()) return see(HostState::unreachable, reason);
  refused_ = true;
  see(HostState::refused, reason);
}

void RemoteHost::leave() {
  refused_ = true;
  up_ = linked_ = false;
  reconnect_.cancel();
  lost_.cancel();
  code_.reset();
  if (link_) link_->close("left");
  link_.reset();
}

void RemoteHost::give_up() {
  const std::string why = "host " + spec_.name + " unreachable for " + format_span_ms(spec_.lost_after.count());
  while (!attempts_.empty()) lose(attempts_.begin()->second.name, why, false);
  see(HostState::lost, reason_ + "; for longer than " + format_span_ms(spec_.lost_after.count()));
}

// Said once each: a host that stays away fills no log.
void RemoteHost::see(HostState state, const std::string& reason) {
  if (reason_ == reason) return;
  reason_ = reason;
  facts_.push(HostSeen{spec_.name, state, reason, 0, 0, {}});
}

// ---- Attempts ----------------------------------------------------------------------------------------------------

void RemoteHost::start(const Study& study, const AttemptPlanned& plan) {
  const AttemptName name{plan.trial, plan.attempt};
  if (!up_) return lose(name, "its host became unreachable", false);
  try {
    start(launch_of(study, plan, {study_folder_, folder_, spec_.setup, spec_.env, spec_.vars}));
  } catch (const std::exception& fault) {
    facts_.push(ended_fact(name, {{EndKind::launch_failed, 0, false, fault.what(), ""}, SystemClock().now()}));
  }
}

void RemoteHost::start(const Launch& launch) {
  const AttemptName name{launch.trial, launch.attempt};
  if (!up_) return lose(name, "its host became unreachable", false);
  attempts_[launch.trial] = {name, launch.id, 0, launch.metric, {VerdictWord{Verdict::go_on, launch.milestone}}};
  link_->send({{"start", launch_json(launch)}});
}

void RemoteHost::adopt(const Adoption& adoption) {
  if (refused_) return lose(adoption.name, "host " + spec_.name + ": " + reason_, false);
  attempts_[adoption.name.trial] = adoption;
  if (linked_) link_->send({{"adopt", adoption_json(adoption)}});
}

// Words are kept until the attempt's end: the next connection says them again.
void RemoteHost::tell(AttemptName name, const SchedulerWord& word) {
  const auto found = attempts_.find(name.trial);
  if (found == attempts_.end() || !(found->second.name == name)) return;
  auto& words = found->second.words;
  std::erase_if(words, [&](const SchedulerWord& old) { return old.index() == word.index(); });
  words.push_back(word);
  if (linked_) return link_->send({{"tell", name_json(name)}, {"word", Json::parse(word_text(word))}});
  const auto* order = std::get_if<OrderWord>(&word);
  if (order && order->order == OrderKind::kill) lose(name, "ended while its host could not be reached", true);
}

void RemoteHost::take_fact(const Json& word) {
  auto body = parse_event(word.at("fact"), word.at("body"));
  Fact& fact = std::get<Fact>(body);
  if (const auto* report = std::get_if<Reported>(&fact)) {
    if (const auto found = attempts_.find(report->trial); found != attempts_.end()) found->second.seen = report->attempt_seq;
  } else if (const auto* rejected = std::get_if<ReportRejected>(&fact)) {
    if (const auto found = attempts_.find(rejected->trial); found != attempts_.end()) found->second.seen = rejected->attempt_seq;
  } else if (const auto* ended = std::get_if<AttemptEnded>(&fact)) {
    attempts_.erase(ended->trial);
  }
  facts_.push(std::move(fact));
}

void RemoteHost::discard(AttemptName name) {
  if (linked_) link_->send({{"discard", name_json(name)}});
  else discarded_.insert({name.trial, name.attempt});
}

void RemoteHost::lose(AttemptName name, const std::string& detail, bool ordered) {
  attempts_.erase(name.trial);
  facts_.push(ended_fact(name, {{EndKind::lost, 0, ordered, detail, ""}, SystemClock().now()}));
}

}  // namespace hpsearch
