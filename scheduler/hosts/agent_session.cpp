#include "scheduler/hosts/agent_session.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "scheduler/clock.h"
#include "scheduler/hosts/agent_words.h"
#include "scheduler/hosts/device_request.h"
#include "scheduler/hosts/find_program.h"
#include "scheduler/hosts/host_check.h"
#include "scheduler/hosts/local_view.h"
#include "scheduler/hosts/program_build.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

fs::path home() {
  const char* home = std::getenv("HOME");
  return home && *home ? home : "/";
}

// "~/x" from this user's home.
fs::path expanded(const std::string& dir) { return dir.starts_with("~/") ? home() / dir.substr(2) : fs::path(dir); }

}  // namespace

AgentSession::AgentSession(boost::asio::io_context& io, FileDescriptor in, FileDescriptor out, const std::string& leaving,
                           std::function<void()> closed)
    : io_(io),
      leaving_(leaving),
      facts_([this](const Fact& fact) { say({{"fact", event_kind(fact)}, {"body", event_body(fact)}}); }),
      channel_(io, std::move(in), std::move(out),
               {[this](std::string_view line, bool cut) { take(line, cut); }, std::move(closed), {},
                [this](std::string bytes) { files(std::exchange(announced_, Json()), std::move(bytes)); }},
               kLongestAgentLine) {
  channel_.send(std::string(kAgentGreeting) + "\n");
}

void AgentSession::take(std::string_view line, bool cut) {
  try {
    if (cut) throw std::invalid_argument("a line that is too long");
    obey(Json::parse(line));
  } catch (const std::exception& fault) {
    say({{"refused", std::string("its agent can't serve this scheduler: ") + fault.what()}});
  }
}

void AgentSession::obey(const Json& word) {
  if (word.contains("ping")) return say({{"pong", word["ping"]}});
  if (word.contains("hello")) return open(word["hello"]);
  if (!keepers_) throw std::invalid_argument("no hello came first");
  if (word.contains("check")) return check(word["check"]);
  if (word.contains("ask")) return ask(word);
  if (word.contains("tell")) keepers_->tell(parse_name_json(word["tell"]), parse_word_json(word.at("word")));
  else if (word.contains("start")) start(parse_launch(word["start"].dump()));
  else if (word.contains("hungry")) hungry_ = word["hungry"].get<bool>();
  else if (word.contains("adopt")) keepers_->adopt(parse_adoption(word["adopt"]));
  else if (word.contains("live")) keepers_->end_others(word["live"].get<std::vector<std::string>>());
  else if (word.contains("discard")) keepers_->discard(parse_name_json(word["discard"]));
}

void AgentSession::start(Launch launch) {
  const AttemptName name{launch.trial, launch.attempt};
  if (!leaving_.empty()) return facts_.push(ended_fact(name, {{EndKind::lost, 0, false, leaving_, ""}, SystemClock().now()}));
  try {
    keepers_->start(std::move(launch));
  } catch (const std::exception& fault) {  // Its disk is full, or worse: not for the scheduler to die of.
    facts_.push(ended_fact(name, {{EndKind::launch_failed, 0, false, fault.what(), ""}, SystemClock().now()}));
  }
}

void AgentSession::open(const Json& hello) {
  const fs::path dir = expanded(hello.at("dir")), folder = dir / hello.at("study").get<std::string>();
  std::error_code error;
  fs::create_directories(folder / "trials", error);
  if (error || ::access(folder.c_str(), W_OK) != 0)
    return say({{"refused", "can't write in " + folder.string() + (error ? ": " + error.message() : "")}});
  keepers_ = std::make_unique<KeeperHost>(io_, facts_, folder, self_program());
  keepers_->keep_disk_faults();
  files_ = std::make_unique<LocalDesk>(io_, dir);
  say({{"hello", {{"protocol", kAgentProtocol}, {"build", program_build(self_program())}, {"dir", dir.string()},
                  {"folder", folder.string()}}}});
}

void AgentSession::check(const Json& wanted) {
  const std::string fault = host_fault(wanted.at("folder"), wanted.at("setup"), wanted.at("command"));
  if (!fault.empty()) return say({{"refused", fault}});
  auto options = device_options(wanted.at("devices"), wanted.at("study"));
  if (options) options->hungry = [this] { return hungry_; };
  if (!options || !keepers_->open_devices(*options, [this](const SeenDevices& seen) { be_seen(seen); })) be_seen({});
}

void AgentSession::be_seen(const SeenDevices& devices) {
  devices_ = devices;
  HostSeen seen = with_devices(local_view(""), devices);
  if (devices.refused) return say({{"refused", seen.reason}});
  if (!leaving_.empty()) seen.state = HostState::unreachable, seen.reason = leaving_;
  say({{"seen", event_body(Fact(seen))}});
}

void AgentSession::leave(const std::string& reason) {
  leaving_ = reason;
  if (keepers_) be_seen(devices_);
}

void AgentSession::ask(const Json& word) {
  if (!word.contains("bytes")) return files(word, "");
  announced_ = word;
  channel_.expect(word["bytes"].get<std::size_t>());
}

void AgentSession::files(const Json& word, std::string bytes) {
  files_->ask(word.at("word"), std::move(bytes), [this, number = word.at("ask")](const Json& answer, std::string content) {
    Json reply{{"answer", number}, {"word", answer}};
    if (!content.empty()) reply["bytes"] = content.size();
    channel_.send(compact(reply) + "\n" + content);
  });
}

}  // namespace hpsearch
