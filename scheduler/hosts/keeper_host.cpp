#include "scheduler/hosts/keeper_host.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <stdexcept>
#include <system_error>

#include "scheduler/clock.h"
#include "scheduler/hosts/spawn.h"
#include "scheduler/hosts/text_file.h"
#include "scheduler/hosts/unix_socket.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

constexpr int kChannelDescriptor = 3;

bool disk_fault(const std::error_code& code) {
  for (int error : {ENOSPC, EDQUOT, EROFS, EIO})
    if (code.value() == error) return true;
  return false;
}

std::vector<std::string> keeper_environment(const std::string& id) {
  std::vector<std::string> env{"HPSEARCH_ATTEMPT_ID=" + id};
  for (char** entry = environ; *entry; ++entry)
    if (!std::string_view(*entry).starts_with("HPSEARCH_ATTEMPT_ID=")) env.emplace_back(*entry);
  return env;
}

// What the keeper itself has to complain about goes to the attempt's stderr.log.
pid_t spawn_keeper(const fs::path& program, const AttemptFolder& folder, const std::string& id, int listener) {
  const FileDescriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  const FileDescriptor errors(::open(folder.errors().c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (!errors.open()) throw std::system_error(errno, std::generic_category(), folder.errors().string());
  return spawn({program,
                {"hpsearch", "keeper", folder.root},
                keeper_environment(id),
                "",
                {{0, nothing.get()}, {1, nothing.get()}, {2, errors.get()}, {kChannelDescriptor, listener}},
                Lead::session});
}

std::string launched(const AttemptFolder& folder, const char* field) {
  const Json launch = Json::parse(read_file(folder.launch()).value_or(""), nullptr, false);
  return launch.is_object() ? launch.value(field, "") : "";
}

std::string socket_of(const AttemptFolder& folder) { return launched(folder, "socket"); }
std::string id_of(const AttemptFolder& folder) { return launched(folder, "id"); }

}  // namespace

KeeperHost::KeeperHost(boost::asio::io_context& io, FactQueue& facts, fs::path study_folder, fs::path program)
    : io_(io), facts_(facts), folder_(fs::absolute(study_folder)), program_(std::move(program)) {}

KeeperHost::~KeeperHost() { reap_keepers(); }

void KeeperHost::start(Launch launch) {
  sweep();
  const AttemptName name{launch.trial, launch.attempt};
  const auto failed = [&](const std::string& why) {
    facts_.push(AttemptEnded{name.trial, name.attempt, {EndKind::launch_failed, 0, false, why, ""}, SystemClock().now()});
  };
  try {
    this->launch(std::move(launch));
  } catch (const std::system_error& fault) {
    if (disk_fault(fault.code())) throw;
    failed(fault.what());
  } catch (const std::exception& fault) {
    failed(fault.what());
  }
}

void KeeperHost::launch(Launch launch) {
  const AttemptFolder folder = attempt_folder(folder_, launch.trial, launch.attempt);
  launch.socket = attempt_socket_path(launch.id);
  fs::create_directories(folder.root);
  write_atomically(folder.launch(), launch_json(launch).dump() + '\n', Durability::none);
  const FileDescriptor listener = listen_at(launch.socket);
  try {
    keepers_.push_back(spawn_keeper(program_, folder, launch.id, listener.get()));
  } catch (const std::system_error&) {
    ::unlink(launch.socket.c_str());
    throw;
  }
  add({launch.trial, launch.attempt}, launch.id, 0, launch.metric).attach(launch.socket);
}

KeptAttempt& KeeperHost::add(AttemptName name, const std::string& id, std::uint64_t seen, const std::string& metric) {
  auto& slot = attempts_[name.trial];
  slot = std::make_unique<KeptAttempt>(io_, facts_, attempt_folder(folder_, name.trial, name.attempt), name, id, seen, metric,
                                       [this] { boost::asio::post(io_, [this] { sweep(); }); });
  return *slot;
}

void KeeperHost::tell(AttemptName name, const SchedulerWord& word) {
  const auto found = attempts_.find(name.trial);
  if (found != attempts_.end() && found->second->name() == name) found->second->tell(word);
}

void KeeperHost::adopt(const Adoption& adoption) {
  KeptAttempt& adopted = add(adoption.name, adoption.id, adoption.seen, adoption.metric);
  for (const SchedulerWord& word : adoption.words) adopted.tell(word);
  adopted.attach(socket_of(attempt_folder(folder_, adoption.name.trial, adoption.name.attempt)));
}

void KeeperHost::discard(AttemptName name) {
  std::error_code ignored;  // A folder that can't be deleted now stays.
  fs::remove_all(attempt_folder(folder_, name.trial, name.attempt).checkpoint(), ignored);
}

void KeeperHost::end_others(const std::vector<std::string>& ids) {
  std::error_code error;
  for (const auto& trial : fs::directory_iterator(folder_ / "trials", error))
    for (const auto& attempt : fs::directory_iterator(trial.path() / "attempts", error)) {
      const AttemptFolder folder{attempt.path()};
      if (keeper_trace(folder) != KeeperTrace::running) continue;
      const std::string id = id_of(folder);
      if (!id.empty() && std::count(ids.begin(), ids.end(), id) == 0)
        fenced_.push_back(std::make_unique<RemainsEnder>(io_, id, [] {}));
    }
}

void KeeperHost::sweep() {
  std::erase_if(attempts_, [](const auto& entry) { return entry.second->over(); });
  reap_keepers();
}

void KeeperHost::reap_keepers() {
  std::erase_if(keepers_, [](pid_t keeper) { return ::waitpid(keeper, nullptr, WNOHANG) != 0; });
}

}  // namespace hpsearch
