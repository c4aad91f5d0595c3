#include "scheduler/hosts/agent_link.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "scheduler/hosts/agent_words.h"
#include "scheduler/hosts/bootstrap.h"
#include "scheduler/hosts/find_program.h"
#include "scheduler/hosts/spawn.h"
#include "scheduler/hosts/steady_now.h"
#include "scheduler/hosts/text_file.h"

namespace hpsearch {

namespace {

constexpr Span kGreetingPatience{30'000};  // Jump hosts and slow start-up files included.
constexpr Span kUploadPatience{900'000};   // Of this program, over a slow line.
constexpr std::size_t kMostNoise = 64 << 10;

struct SocketPair {
  FileDescriptor ours, theirs;
};

SocketPair socket_pair() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw std::system_error(errno, std::generic_category(), "socketpair");
  return {FileDescriptor(ends[0]), FileDescriptor(ends[1])};
}

std::vector<std::string> own_environment_list() {
  std::vector<std::string> env;
  for (char** entry = environ; *entry; ++entry) env.emplace_back(*entry);
  return env;
}

}  // namespace

AgentLink::AgentLink(boost::asio::io_context& io, const std::vector<std::string>& command, std::string program, Span silence,
                     Callbacks callbacks)
    : program_(std::move(program)), callbacks_(std::move(callbacks)), silence_(silence), heard_(steady_now()), timer_(io) {
  const auto file = find_program(command.front(), "");
  if (!file) throw std::runtime_error("command not found: " + command.front());
  SocketPair channel = socket_pair(), errors = socket_pair();
  pid_ = spawn({*file, command, own_environment_list(), "",
                {{0, channel.theirs.get()}, {1, channel.theirs.get()}, {2, errors.theirs.get()}}, Lead::session});
  channel_ = std::make_unique<LineSocket>(io, std::move(channel.ours),
                                          LineSocket::Callbacks{[this](std::string_view text, bool cut) { line(text, cut); },
                                                                [this] { close(last_words()); }, {},
                                                                [this](std::string bytes) { if (!closed_) take(std::exchange(announced_, Json()), std::move(bytes)); }},
                                          kLongestAgentLine);
  errors_ = std::make_unique<LineSocket>(
      io, std::move(errors.ours), LineSocket::Callbacks{[this](std::string_view text, bool) { complaint(text); }, {}, {}, {}});
  watch();
}

AgentLink::~AgentLink() {
  if (pid_ <= 0) return;
  ::kill(-pid_, SIGKILL);  // The agent ends with its input; what it started lives on.
  ::waitpid(pid_, nullptr, 0);
}

void AgentLink::send(const Json& word) { channel_->send(compact(word) + "\n"); }

void AgentLink::ask(const Json& word, std::string bytes, Reply reply) {
  asked_[++last_asked_] = std::move(reply);
  Json numbered{{"ask", last_asked_}, {"word", word}};
  if (!bytes.empty()) numbered["bytes"] = bytes.size();
  channel_->send(compact(numbered) + "\n" + bytes);
}

void AgentLink::answer(const Json& word, std::string bytes) {
  const auto found = asked_.find(word.at("answer").get<std::uint64_t>());
  if (found == asked_.end()) return;
  const Reply reply = std::move(found->second);
  asked_.erase(found);
  reply(word.at("word"), std::move(bytes));
}

void AgentLink::line(std::string_view text, bool cut) {
  if (closed_) return;
  heard_ = steady_now();
  try {
    hear(text, cut);
  } catch (const Json::exception&) {
    close("its agent says what no agent says");
  }
}

void AgentLink::hear(std::string_view text, bool cut) {
  if (greeted_) {
    const Json word = cut ? Json() : Json::parse(text, nullptr, false);
    if (!word.is_object()) return close("its agent says what no agent says");
    if (!word.contains("bytes")) return take(word, "");
    announced_ = word;
    return channel_->expect(word["bytes"].get<std::size_t>());
  }
  if (text.ends_with(kAgentGreeting)) {  // A start-up file may have printed the beginning of the line.
    greeted_ = true;
    return callbacks_.greeted();
  }
  if (text.ends_with(kProgramWanted)) return send_program();
  noise_ += text.size();
  noise_line_ = as_utf8(std::string(text.substr(0, 200)));
  if (noise_ > kMostNoise) close("prints without end before an agent starts; last: " + noise_line_);
}

void AgentLink::take(const Json& word, std::string bytes) {
  heard_ = steady_now();
  if (word.contains("answer")) answer(word, std::move(bytes));
  else if (!word.contains("pong")) callbacks_.word(word);
}

void AgentLink::complaint(std::string_view text) {
  if (!text.empty()) complaint_ = as_utf8(std::string(text.substr(0, 300)));
  while (!complaint_.empty() && complaint_.back() == '\r') complaint_.pop_back();
}

void AgentLink::send_program() {
  sending_program_ = true;
  std::ifstream in(program_, std::ios::binary);
  channel_->send(std::string(std::istreambuf_iterator<char>(in), {}));
}

void AgentLink::watch() {
  timer_.expires_after(greeted_ ? silence_ / 3 : Span(1'000));
  timer_.async_wait([this](const auto& error) {
    if (error || closed_) return;
    const Span quiet = steady_now() - heard_, patience = greeted_ ? silence_ : sending_program_ ? kUploadPatience : kGreetingPatience;
    if (quiet > patience) return close(greeted_ ? "does not answer" : "does not answer: " + last_words());
    if (greeted_) send({{"ping", steady_now().count()}});
    watch();
  });
}

void AgentLink::close(const std::string& reason) {
  if (closed_) return;
  closed_ = true;
  timer_.cancel();
  for (const auto& [number, reply] : std::exchange(asked_, {})) reply({{"fault", "unreachable: " + reason}}, "");
  callbacks_.closed(reason);
}

std::string AgentLink::last_words() const {
  if (errors_) errors_->read_now();
  if (!complaint_.empty()) return complaint_;
  return noise_line_.empty() ? "the connection was closed" : "the connection was closed after: " + noise_line_;
}

}  // namespace hpsearch
