#pragma once

#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "scheduler/hosts/checkpoint_mirror.h"
#include "scheduler/hosts/host_set.h"

namespace hpsearch {

// What trials leave on other hosts, on its way to this machine: checkpoints as they are made, so that a host's end costs no
// training, and all of a trial where it is asked for.
class Homecoming {
 public:
  Homecoming(boost::asio::io_context& io, FactQueue& facts, HostSet& hosts, std::filesystem::path study_folder)
      : io_(io), facts_(facts), hosts_(hosts), folder_(std::move(study_folder)) {}

  // Brings the checkpoints home that a batch tells of. Facts say which have come.
  void committed(const Study& study, const std::vector<Event>& events);
  // Everything of an attempt, and what its trial made, from a host that is up.
  void fetch(const Study& study, const Trial& trial, const Attempt& attempt);

  // Something is still to come from this host, or from any.
  bool busy(const std::string& host) const;
  bool busy() const;
  // Changes as it goes on there, or anywhere.
  std::uint64_t progress(const Study& study, const std::string& host);
  std::uint64_t progress(const Study& study);
  // Waits for nothing more from there. Returns what of the fetched did not come, and why; empty: nothing. Not to be called by
  // what a copy calls.
  std::string end(const std::string& host);

 private:
  struct Fetched {
    std::string what, fault;                                 // "attempt 2 of trial 7".
    bool done = false;
    std::unique_ptr<TreeCopy> copy;
  };

  void mirror(const Study& study, const Reported& report);
  void mirror_last(const Study& study, const AttemptEnded& end);
  void mirror_missed(const Study& study, const HostSeen& seen);
  void drop_earlier(const Study& study, const CheckpointSaved& saved);
  void want(const Study& study, const Attempt& attempt, AttemptName name, bool last);
  void bring(RemoteHost& from, const std::string& host, const std::string& what, const std::filesystem::path& place_there,
             const std::filesystem::path& place_here, const char* how);

  boost::asio::io_context& io_;
  FactQueue& facts_;
  HostSet& hosts_;
  std::filesystem::path folder_;
  std::set<std::string> up_;                                 // Hosts.
  std::map<std::string, std::unique_ptr<CheckpointMirror>> mirrors_;
  std::map<std::pair<int, int>, std::string> saved_;         // By trial and attempt: the last one, as the log has it.
  std::map<std::string, std::list<Fetched>> fetched_;        // By host.
};

}  // namespace hpsearch
