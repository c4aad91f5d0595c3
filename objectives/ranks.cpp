#include "objectives/ranks.h"

#include <torch/csrc/autograd/grad_mode.h>

#ifdef HPSEARCH_GLOO
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#endif

#include <cstdlib>
#include <functional>
#include <stdexcept>
#include <string>

namespace hpsearch {
namespace {

std::string text_variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) throw std::runtime_error(std::string("WORLD_SIZE is set, but not ") + name);
  return value;
}

int number_variable(const char* name, int low, int high) {
  const std::string text = text_variable(name);
  char* end = nullptr;
  const long number = std::strtol(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || number < low || number > high)
    throw std::runtime_error(std::string(name) + "=" + text + " is not a number from " + std::to_string(low) + " to " + std::to_string(high));
  return static_cast<int>(number);
}

}  // namespace

#ifdef HPSEARCH_GLOO

struct Ranks::Group {
  Group(int rank, int count) {
    c10d::TCPStoreOptions options;
    options.port = static_cast<std::uint16_t>(number_variable("MASTER_PORT", 1, 65535));
    options.isServer = rank == 0;
    options.numWorkers = count;
    const std::string master = text_variable("MASTER_ADDR");
    auto gloo = c10d::ProcessGroupGloo::Options::create();
    gloo->devices.push_back(on_this_machine(master) ? c10d::ProcessGroupGloo::createDeviceForHostname(master)
                                                    : c10d::ProcessGroupGloo::createDefaultDevice());
    const auto store = c10::make_intrusive<c10d::TCPStore>(master, options);
    ranks = c10::make_intrusive<c10d::ProcessGroupGloo>(store, rank, count, gloo);
  }

  // Then it needs no name and no network of the machine's.
  static bool on_this_machine(const std::string& master) { return master == "localhost" || master.rfind("127.", 0) == 0; }

  void broadcast(std::vector<at::Tensor>& tensors) { ranks->broadcast(tensors, c10d::BroadcastOptions{})->wait(); }
  void add(std::vector<at::Tensor>& tensors) { ranks->allreduce(tensors, c10d::AllreduceOptions{})->wait(); }

  c10::intrusive_ptr<c10d::ProcessGroupGloo> ranks;
};

#else

struct Ranks::Group {
  Group(int, int count) {
    throw std::runtime_error("built without gloo: it trains in one process, not in WORLD_SIZE=" + std::to_string(count));
  }
  void broadcast(std::vector<at::Tensor>&) {}
  void add(std::vector<at::Tensor>&) {}
};

#endif

namespace {

// All in one message: `exchange` gets them flattened, on the CPU.
void exchanged(const std::vector<torch::Tensor>& tensors, const std::function<void(std::vector<at::Tensor>&)>& exchange) {
  const torch::NoGradGuard no_gradients;
  std::vector<torch::Tensor> flat;
  for (const torch::Tensor& tensor : tensors) flat.push_back(tensor.reshape({-1}));
  std::vector<at::Tensor> message{torch::cat(flat).cpu()};
  exchange(message);
  std::int64_t at = 0;
  for (const torch::Tensor& tensor : tensors) {
    tensor.copy_(message[0].narrow(0, at, tensor.numel()).view(tensor.sizes()));
    at += tensor.numel();
  }
}

}  // namespace

Ranks::Ranks() {
  if (std::getenv("WORLD_SIZE") == nullptr) return;
  count_ = number_variable("WORLD_SIZE", 1, 1 << 16);
  if (count_ == 1) return;
  rank_ = number_variable("RANK", 0, count_ - 1);
  group_ = std::make_unique<Group>(rank_, count_);
}

Ranks::~Ranks() = default;

torch::Tensor Ranks::share(const torch::Tensor& rows) const {
  return count_ == 1 ? rows : rows.tensor_split(count_)[rank_];
}

void Ranks::spread(const std::vector<torch::Tensor>& tensors) const {
  if (group_ && !tensors.empty()) exchanged(tensors, [this](std::vector<at::Tensor>& message) { group_->broadcast(message); });
}

bool Ranks::spread(bool word) const {
  const torch::Tensor told = torch::full({1}, word ? 1 : 0, torch::kLong);
  spread(std::vector<torch::Tensor>{told});
  return told.item<std::int64_t>() != 0;
}

void Ranks::sum(const std::vector<torch::Tensor>& tensors) const {
  if (group_ && !tensors.empty()) exchanged(tensors, [this](std::vector<at::Tensor>& message) { group_->add(message); });
}

}  // namespace hpsearch
