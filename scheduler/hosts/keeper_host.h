#pragma once

#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "scheduler/hosts/device_pool.h"
#include "scheduler/hosts/fact_queue.h"
#include "scheduler/hosts/host.h"
#include "scheduler/hosts/kept_attempt.h"
#include "scheduler/hosts/launch.h"

namespace hpsearch {

// Starts attempts of one study on this machine, each under a keeper of its own, and follows them. Keepers outlive this
// object: destroying it leaves the trials running for the next one to adopt. One thread.
class KeeperHost {
 public:
  // `program` is the hpsearch executable, which serves as keeper.
  KeeperHost(boost::asio::io_context& io, FactQueue& facts, std::filesystem::path study_folder, std::filesystem::path program);
  ~KeeperHost();

  const std::filesystem::path& folder() const { return folder_; }

  // Trials take GPUs: `changed` is told of them, later and whenever something changes, until this object goes. False,
  // and nothing is told, where this machine has no NVIDIA library.
  bool open_devices(DeviceOptions options, DevicePool::Changed changed);

  // A full disk here is for somebody else to see: it fails the attempt and is not thrown.
  void keep_disk_faults() { disk_faults_thrown_ = false; }

  // Waits for its devices first, where it has some. Throws std::system_error when the disk fails; other faults come back as AttemptEnded{launch_failed}.
  void start(Launch launch);
  void tell(AttemptName name, const SchedulerWord& word);
  void adopt(const Adoption& adoption);
  void discard(AttemptName name);
  // Ends the keepers of this study's attempts that are not among `ids`: their trials have gone on elsewhere.
  void end_others(const std::vector<std::string>& ids);

 private:
  void try_launch(Launch launch, std::vector<FileDescriptor> locks);
  void launch(Launch launch, std::vector<FileDescriptor> locks);
  void wait_for_devices(Launch launch);
  bool cancel(AttemptName name, const SchedulerWord& word);
  void contend(const std::string& id, const std::string& text);
  void over(const std::string& id);
  KeptAttempt& add(AttemptName name, const std::string& id, std::uint64_t seen, const std::string& metric);
  void sweep();
  void reap_keepers();

  boost::asio::io_context& io_;
  FactQueue& facts_;
  std::filesystem::path folder_, program_;
  std::map<int, std::unique_ptr<KeptAttempt>> attempts_;   // By trial: it has one live attempt.
  std::vector<std::unique_ptr<RemainsEnder>> fenced_;
  bool disk_faults_thrown_ = true;
  std::vector<Unit> units_;                                // As last seen.
  std::map<int, AttemptName> waiting_;                     // By trial: for its devices.
  std::unique_ptr<DevicePool> devices_;
  std::vector<pid_t> keepers_;                             // Children of ours, not yet reaped.
};

}  // namespace hpsearch
