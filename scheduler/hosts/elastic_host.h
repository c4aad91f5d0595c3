#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "scheduler/hosts/command_run.h"
#include "scheduler/hosts/fact_queue.h"
#include "scheduler/hosts/file_descriptor.h"
#include "scheduler/hosts/host.h"
#include "scheduler/hosts/remote_host.h"

namespace hpsearch {

// A host that commands of the user's bring up and take down, one instance after the other; while one is up, a machine that is
// reached through an agent. When is decided elsewhere: this does it, and HostSeen facts tell how it stands.
class ElasticHost : public Host {
 public:
  // `address`: of an instance that an earlier session left; empty: none is known. `there`: it is connected to.
  ElasticHost(boost::asio::io_context& io, FactQueue& facts, HostSpec spec, const Study& study, const std::filesystem::path& study_folder,
              std::filesystem::path program, FileDesk* home, RemoteHost::Role role, std::string address, bool there);
  ~ElasticHost() override;

  // Runs the launch command and connects to what it made. HostSeen{launching} with the address follows and then those of the
  // machine, or HostSeen{refused}.
  void launch();
  // Leaves the machine and runs the release command, again where that fails. HostSeen{off} follows, with what was `lost` with
  // it as the reason, or HostSeen{releasing} that says what went wrong.
  void release(const std::string& lost);
  bool releasing() const { return releasing_; }
  // Null while there is none. Each lives as long as this: copies may still refer to it.
  RemoteHost* remote() const { return remote_.get(); }

  // Without a machine an attempt is lost.
  void start(const Study& study, const AttemptPlanned& plan) override;
  void tell(AttemptName name, const SchedulerWord& word) override;
  void adopt(const Adoption& adoption) override;
  void discard(AttemptName name) override;

 private:
  void launched(const CommandResult& result);
  void connect();
  void take(Fact fact);
  void stand(HostSeen seen);
  void leave();
  void take_down();
  void taken_down(const CommandResult& result);
  void see(HostState state, const std::string& reason);
  void lose(AttemptName name);
  void after(Span pause, void (ElasticHost::*then)());

  boost::asio::io_context& io_;
  FactQueue& facts_;
  FactQueue news_;                                         // Of the machine.
  HostSpec spec_;
  const Study& study_;
  std::string instance_;
  std::filesystem::path lock_file_, program_;
  FileDesk* home_;
  RemoteHost::Role role_;
  std::string address_, reason_;
  Span until_{0};                                          // Until then a new instance may refuse connections, or a launch run on.
  bool proven_ = false;                                    // This one has been up.
  bool launching_ = false, releasing_ = false;
  int tries_ = 0;
  FileDescriptor lock_;
  boost::asio::steady_timer timer_;
  CommandQueue commands_;
  std::unique_ptr<RemoteHost> remote_;
  std::vector<std::unique_ptr<RemoteHost>> past_;
};

}  // namespace hpsearch
