#include "scheduler/hosts/control.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "scheduler/hosts/unix_socket.h"
#include "search/user_point.h"
#include "trials/user_error.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

constexpr int kAnswerPatience = 15'000;  // Milliseconds.

// A socket's path is short by the system's rule and a study's may be long: reach it through its folder's descriptor.
struct ShortPath {
  explicit ShortPath(const fs::path& folder) : fd(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {}
  std::string socket() const { return "/proc/self/fd/" + std::to_string(fd.get()) + "/control.sock"; }
  FileDescriptor fd;
};

FileDescriptor listen_in(const fs::path& folder) {
  const mode_t mask = ::umask(0177);
  FileDescriptor listener = listen_at(ShortPath(folder).socket());
  ::umask(mask);
  return listener;
}

bool changes_a_study(const Fact& fact) {
  return std::holds_alternative<Enqueued>(fact) || std::holds_alternative<Excluded>(fact) ||
         std::holds_alternative<StopRequested>(fact);
}

std::optional<Fact> parse_request(std::string_view line) try {
  const Json request = Json::parse(line);
  auto body = parse_event(request.at("kind"), request.at("body"));
  const Fact* fact = std::get_if<Fact>(&body);
  return fact && changes_a_study(*fact) ? std::optional(*fact) : std::nullopt;
} catch (const std::exception&) {
  return std::nullopt;
}

std::string answer(const std::optional<std::string>& error) {
  return (error ? Json{{"error", *error}} : Json{{"ok", true}}).dump() + "\n";
}

std::optional<std::string> trial_fault(const Study& study, int trial) {
  if (trial >= 1 && trial <= static_cast<int>(study.trials().size())) return std::nullopt;
  return "no trial " + std::to_string(trial) + "; the study has " + std::to_string(study.trials().size());
}

void write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n > 0) text.remove_prefix(n);
    else if (pollfd ready{fd, POLLOUT, 0}; ::poll(&ready, 1, 10'000) <= 0) return;
  }
}

// The answer's line.
std::string read_line(int fd) {
  std::string line;
  char buffer[4096];
  for (pollfd ready{fd, POLLIN, 0}; ::poll(&ready, 1, kAnswerPatience) > 0;) {
    const ssize_t n = ::read(fd, buffer, sizeof buffer);
    if (n <= 0) throw std::runtime_error("the scheduler went away without an answer; try again");
    line.append(buffer, n);
    if (line.back() == '\n') return line;
  }
  throw std::runtime_error("the scheduler does not answer; is it suspended? It may still act on this when it goes on");
}

}  // namespace

ControlServer::ControlServer(boost::asio::io_context& io, const fs::path& study_folder, const Study& study,
                             std::function<void(Fact)> push)
    : file_(study_folder / "control.sock"),
      study_(study),
      push_(std::move(push)),
      server_(io, listen_in(study_folder),
              {[this](LineSocket& client, std::string_view line, bool overlong) {
                 if (!overlong) take(client, line);
               },
               [this](LineSocket& client) { std::replace(waiting_.begin(), waiting_.end(), &client, static_cast<LineSocket*>(nullptr)); },
               [](LineSocket&) {}}) {}

ControlServer::~ControlServer() {
  std::error_code ignored;
  fs::remove(file_, ignored);
}

void ControlServer::take(LineSocket& client, std::string_view line) {
  std::optional<Fact> fact = parse_request(line);
  const auto fault = fact ? control_fault(study_, *fact) : std::optional<std::string>("not a request");
  if (fault) return client.send(answer(fault));
  waiting_.push_back(&client);
  push_(std::move(*fact));
}

void ControlServer::committed(const std::vector<Event>& events) {
  for (const Event& event : events) {
    const Fact* fact = std::get_if<Fact>(&event.body);
    if (!fact || !changes_a_study(*fact) || waiting_.empty()) continue;
    if (LineSocket* client = waiting_.front()) client->send(answer(std::nullopt));
    waiting_.pop_front();
  }
}

std::optional<std::string> control_fault(const Study& study, const Fact& fact) {
  if (const auto* enqueued = std::get_if<Enqueued>(&fact)) return user_point_fault(study.spec().space, enqueued->params);
  if (const auto* excluded = std::get_if<Excluded>(&fact)) return trial_fault(study, excluded->trial);
  const auto* stop = std::get_if<StopRequested>(&fact);
  if (!stop || !stop->trial) return std::nullopt;
  if (auto fault = trial_fault(study, *stop->trial)) return fault;
  if (!study.trial(*stop->trial).finished()) return std::nullopt;
  return "trial " + std::to_string(*stop->trial) + " is already " + to_string(study.trial(*stop->trial).state);
}

bool ask_scheduler(const fs::path& study_folder, const Fact& fact) {
  const FileDescriptor socket = connect_to(ShortPath(study_folder).socket());
  if (!socket.open()) return false;
  write_all(socket.get(), Json{{"kind", event_kind(fact)}, {"body", event_body(fact)}}.dump() + "\n");
  const std::string line = read_line(socket.get());
  const Json reply = Json::parse(line, nullptr, false);
  if (!reply.is_object()) throw std::runtime_error("the scheduler gave an answer that is none: " + line);
  if (reply.contains("error")) throw UserError(reply["error"].get<std::string>());
  return true;
}

}  // namespace hpsearch
