#include "scheduler/hosts/keeper_host.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <stdexcept>
#include <system_error>

#include "scheduler/clock.h"
#include "scheduler/hosts/visible_devices.h"
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
pid_t spawn_keeper(const fs::path& program, const AttemptFolder& folder, const std::string& id, int listener,
                   const std::vector<FileDescriptor>& locks) {
  const FileDescriptor nothing(::open("/dev/null", O_RDWR | O_CLOEXEC));
  const FileDescriptor errors(::open(folder.errors().c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (!errors.open()) throw std::system_error(errno, std::generic_category(), folder.errors().string());
  SpawnRequest request{program, {"hpsearch", "keeper", folder.root}, keeper_environment(id), "",
                       {{0, nothing.get()}, {1, nothing.get()}, {2, errors.get()}, {kChannelDescriptor, listener}},
                       Lead::session};
  for (std::size_t i = 0; i < locks.size(); ++i) request.descriptors.emplace_back(kFirstLock + static_cast<int>(i), locks[i].get());
  return spawn(request);
}

std::string launched(const AttemptFolder& folder, const char* field) {
  const Json launch = Json::parse(read_file(folder.launch()).value_or(""), nullptr, false);
  return launch.is_object() ? launch.value(field, "") : "";
}

std::string socket_of(const AttemptFolder& folder) { return launched(folder, "socket"); }
std::string id_of(const AttemptFolder& folder) { return launched(folder, "id"); }

std::vector<std::string> devices_of(const AttemptFolder& folder) {
  const Json launch = Json::parse(read_file(folder.launch()).value_or(""), nullptr, false);
  return launch.is_object() ? launch.value("devices", std::vector<std::string>()) : std::vector<std::string>();
}

std::vector<Unit> units_named(const std::vector<std::string>& ids, const std::vector<Unit>& units) {
  std::vector<Unit> named;
  for (const std::string& id : ids)
    for (const Unit& unit : units)
      if (unit.id == id) named.push_back(unit);
  return named;
}

}  // namespace

KeeperHost::KeeperHost(boost::asio::io_context& io, FactQueue& facts, fs::path study_folder, fs::path program)
    : io_(io), facts_(facts), folder_(fs::absolute(study_folder)), program_(std::move(program)) {}

KeeperHost::~KeeperHost() { reap_keepers(); }

bool KeeperHost::open_devices(DeviceOptions options, DevicePool::Changed changed) {
  auto nvml = Nvml::load();
  if (!nvml) return false;
  devices_ = std::make_unique<DevicePool>(
      io_, std::move(options), std::move(nvml),
      [this, changed = std::move(changed)](const SeenDevices& seen) {
        units_ = seen.units;
        changed(seen);
      },
      [this](const std::string& id, const std::string& text) { contend(id, text); });
  return true;
}

void KeeperHost::start(Launch launch) {
  sweep();
  if (devices_ && !launch.devices.empty()) wait_for_devices(std::move(launch));
  else try_launch(std::move(launch), {});
}

// A predecessor may still be giving its memory back. What can't be had costs the trial nothing: it waits in the queue.
void KeeperHost::wait_for_devices(Launch launch) {
  const AttemptName name{launch.trial, launch.attempt};
  waiting_[name.trial] = name;
  devices_->acquire(launch.devices, [this, name, launch](std::vector<FileDescriptor> locks, const std::string& fault) {
    const auto found = waiting_.find(name.trial);
    if (found == waiting_.end() || !(found->second == name)) return;  // Told to end meanwhile.
    waiting_.erase(found);
    if (fault.empty()) return try_launch(launch, std::move(locks));
    facts_.push(ended_fact(name, {{EndKind::lost, 0, false, fault, ""}, SystemClock().now()}));
  }, launch.share >= 1);
}

bool KeeperHost::cancel(AttemptName name, const SchedulerWord& word) {
  const auto found = waiting_.find(name.trial);
  if (found == waiting_.end() || !(found->second == name) || !std::holds_alternative<OrderWord>(word)) return false;
  waiting_.erase(found);
  facts_.push(ended_fact(name, {{EndKind::lost, 0, true, "ended before it started", ""}, SystemClock().now()}));
  return true;
}

void KeeperHost::contend(const std::string& id, const std::string& text) {
  for (const auto& [trial, attempt] : attempts_)
    if (attempt->id() == id) facts_.push(Contended{trial, attempt->name().attempt, text});
}

void KeeperHost::try_launch(Launch launch, std::vector<FileDescriptor> locks) {
  const AttemptName name{launch.trial, launch.attempt};
  const auto failed = [&](const std::string& why) {
    facts_.push(ended_fact(name, {{EndKind::launch_failed, 0, false, why, ""}, SystemClock().now()}));
  };
  try {
    this->launch(std::move(launch), std::move(locks));
  } catch (const std::system_error& fault) {
    if (disk_faults_thrown_ && disk_fault(fault.code())) throw;
    failed(fault.what());
  } catch (const std::exception& fault) {
    failed(fault.what());
  }
}

void KeeperHost::launch(Launch launch, std::vector<FileDescriptor> locks) {
  const AttemptFolder folder = attempt_folder(folder_, launch.trial, launch.attempt);
  launch.socket = attempt_socket_path(launch.id);
  launch.locks = static_cast<int>(locks.size());
  launch.visible_devices = devices_ ? visible_devices(units_named(launch.devices, units_), launch.by_index ? DeviceNames::index : DeviceNames::uuid) : "";
  fs::create_directories(folder.root);
  write_atomically(folder.launch(), launch_json(launch).dump() + '\n', Durability::none);
  const FileDescriptor listener = listen_at(launch.socket);
  try {
    keepers_.push_back(spawn_keeper(program_, folder, launch.id, listener.get(), locks));
  } catch (const std::system_error&) {
    ::unlink(launch.socket.c_str());
    throw;
  }
  if (devices_ && !locks.empty()) devices_->running(launch.devices, launch.id);
  add({launch.trial, launch.attempt}, launch.id, 0, launch.metric).attach(launch.socket);
}

// The devices are free before a next trial is planned on them.
void KeeperHost::over(const std::string& id) {
  if (devices_) devices_->ended(id);
  boost::asio::post(io_, [this] { sweep(); });
}

KeptAttempt& KeeperHost::add(AttemptName name, const std::string& id, std::uint64_t seen, const std::string& metric) {
  auto& slot = attempts_[name.trial];
  slot = std::make_unique<KeptAttempt>(io_, facts_, attempt_folder(folder_, name.trial, name.attempt), name, id, seen, metric,
                                       [this, id] { over(id); });
  return *slot;
}

void KeeperHost::tell(AttemptName name, const SchedulerWord& word) {
  if (cancel(name, word)) return;
  const auto found = attempts_.find(name.trial);
  if (found != attempts_.end() && found->second->name() == name) found->second->tell(word);
}

void KeeperHost::adopt(const Adoption& adoption) {
  KeptAttempt& adopted = add(adoption.name, adoption.id, adoption.seen, adoption.metric);
  const AttemptFolder folder = attempt_folder(folder_, adoption.name.trial, adoption.name.attempt);
  if (const auto devices = devices_of(folder); devices_ && !devices.empty()) devices_->running(devices, adoption.id);
  for (const SchedulerWord& word : adoption.words) adopted.tell(word);
  adopted.attach(socket_of(folder));
}

void KeeperHost::discard(AttemptName name) {
  delete_checkpoint(folder_, name.trial, name.attempt);
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
