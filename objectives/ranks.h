#pragma once

#include <torch/types.h>

#include <memory>
#include <vector>

namespace hpsearch {

// The processes that train one network together, as torchrun and "launch": "per_gpu" start them; they exchange tensors by
// gloo, through the CPU. Mostly there is one, and nothing is exchanged. All make the same calls in the same order.
class Ranks {
 public:
  // From RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT; one without them. Waits for the others. Throws std::runtime_error
  // where a variable is missing, or where this LibTorch has no gloo.
  Ranks();
  ~Ranks();

  int rank() const { return rank_; }
  bool first() const { return rank_ == 0; }  // The one that evaluates, reports and saves.

  // This process's share of the rows of a batch; shares differ by at most one row.
  torch::Tensor share(const torch::Tensor& rows) const;
  // These become those of rank 0, on every rank.
  void spread(const std::vector<torch::Tensor>& tensors) const;
  bool spread(bool word) const;
  // These become their sum over all ranks, on every rank.
  void sum(const std::vector<torch::Tensor>& tensors) const;

 private:
  struct Group;
  int rank_ = 0, count_ = 1;
  std::unique_ptr<Group> group_;
};

}  // namespace hpsearch
