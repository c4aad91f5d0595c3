#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/thread_pool.hpp>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "scheduler/hosts/file_desk.h"
#include "scheduler/hosts/tree_store.h"

namespace hpsearch {

// This machine's files. The work is done by a thread of its own: hashing a checkpoint takes seconds.
class LocalDesk : public FileDesk {
 public:
  // Paths are relative to `root`, and stay below it; with an empty one they are absolute.
  LocalDesk(boost::asio::io_context& io, std::filesystem::path root);
  ~LocalDesk() override;

  void ask(const Json& word, std::string bytes, Reply reply) override;

 private:
  struct Clerk;                        // What only the thread touches.
  boost::asio::io_context& io_;
  std::shared_ptr<const bool> alive_ = std::make_shared<const bool>(true);
  std::unique_ptr<Clerk> clerk_;
  boost::asio::thread_pool thread_{1};
};

}  // namespace hpsearch
