#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <map>
#include <string>

#include "scheduler/hosts/checkpoint_moves.h"
#include "scheduler/hosts/homecoming.h"
#include "scheduler/hosts/patience.h"

namespace hpsearch {

// Instances of elastic hosts on their way out. What is gone with one is gone: the last checkpoints come home first, and
// everything of the best trials.
class Farewells {
 public:
  Farewells(boost::asio::io_context& io, HostSet& hosts, Homecoming& homecoming, CheckpointMoves& moves)
      : io_(io), hosts_(hosts), homecoming_(homecoming), moves_(moves) {}

  // The host's instance is taken down, as ElasticHost::release tells; its last fact names what did not come home.
  void begin(const Study& study, const std::string& host);
  // Instances are taken down at once from now on.
  void hurry() { hurried_ = true; }
  // One is not down yet, and its release command has not failed for good.
  bool under_way(const Study& study);

 private:
  struct Farewell {
    Patience patience;
    bool fetching;                                         // After what else is on its way: both would write to one place.
    boost::asio::steady_timer timer;
  };

  void look(const Study& study, const std::string& host);
  bool wait(const Study& study, const std::string& host, Farewell& farewell);
  void fetch_best(const Study& study, const std::string& host);

  boost::asio::io_context& io_;
  HostSet& hosts_;
  Homecoming& homecoming_;
  CheckpointMoves& moves_;
  bool hurried_ = false;
  std::map<std::string, Farewell> farewells_;              // By host.
};

}  // namespace hpsearch
