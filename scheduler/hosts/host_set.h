#pragma once

#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "scheduler/hosts/elastic_host.h"
#include "scheduler/hosts/fact_queue.h"
#include "scheduler/hosts/host.h"
#include "scheduler/hosts/local_desk.h"
#include "scheduler/hosts/remote_host.h"

namespace hpsearch {

// The hosts of a study, each taken up when it is first asked for: also one that has left the space file, for the sake of the
// trials it still runs.
class HostSet {
 public:
  // `program` is the hpsearch executable: this machine's keepers run it, and other hosts get a copy.
  HostSet(boost::asio::io_context& io, FactQueue& facts, std::filesystem::path study_folder, std::filesystem::path program, RemoteHost::Role role)
      : io_(io), facts_(facts), folder_(std::move(study_folder)), program_(std::move(program)), role_(role) {}

  // Takes up all that the space file names. Returns those that are known at once; the others' HostSeen follow.
  std::vector<HostSeen> open(const Study& study);

  Host* find(const Study& study, const std::string& name);             // Null: the study knows none of this name.
  RemoteHost* remote(const Study& study, const std::string& name);     // Null: its files are this machine's, or it is off.
  ElasticHost* elastic(const Study& study, const std::string& name);   // Null: it is another kind of host.
  LocalDesk& home() { return home_; }
  // Whether trials wait for room has changed.
  void tell_hunger(const Study& study);

 private:
  std::unique_ptr<Host> make(const Study& study, const HostSpec& spec);

  boost::asio::io_context& io_;
  FactQueue& facts_;
  std::filesystem::path folder_, program_;
  RemoteHost::Role role_;
  LocalDesk home_{io_, ""};
  std::map<std::string, std::unique_ptr<Host>> hosts_;
};

}  // namespace hpsearch
