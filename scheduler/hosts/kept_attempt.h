#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scheduler/hosts/attempt_link.h"
#include "scheduler/hosts/left_behind.h"
#include "scheduler/hosts/remains_ender.h"
#include "scheduler/hosts/trial_folders.h"

namespace hpsearch {

// The scheduler's view of one live attempt: its link to the keeper while there is one, and what is done when the
// keeper does not answer: wait for one that still lives, read the folder, end what is left, and say `lost`.
class KeptAttempt {
 public:
  // `over` is called once its end has been pushed; the attempt is not to be destroyed inside it.
  KeptAttempt(boost::asio::io_context& io, FactQueue& facts, AttemptFolder folder, AttemptName name, std::string id,
              std::uint64_t seen, std::string metric, std::function<void()> over);

  const AttemptName& name() const { return name_; }
  const std::string& id() const { return id_; }
  bool over() const { return over_; }  // Its end has been pushed.

  // Attaches to the keeper that listens at `socket`, or finds out what became of it.
  void attach(const std::string& socket);
  // Goes out now, or when the keeper answers.
  void tell(const SchedulerWord& word);

 private:
  bool connect();
  void unlinked(AttemptLink::Close how);
  void recover();
  void retry_soon();
  void insist();
  void end_remains(const std::string& detail);
  void lost(const std::string& detail);
  void end();

  boost::asio::io_context& io_;
  FactQueue& facts_;
  AttemptFolder folder_;
  AttemptName name_;
  std::string id_;
  std::uint64_t seen_;
  std::string metric_;
  std::string socket_;
  std::unique_ptr<AttemptLink> link_;
  bool linked_ = false;
  std::unique_ptr<RemainsEnder> remains_;
  std::vector<SchedulerWord> unsent_;
  boost::asio::steady_timer timer_, insistence_;
  std::optional<Span> searching_since_;
  std::function<void()> on_over_;
  bool over_ = false;
};

}  // namespace hpsearch
