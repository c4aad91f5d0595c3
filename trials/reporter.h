#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace hpsearch {

using Metrics = std::map<std::string, double>;

// The worker side of trial protocol version 1: what a training program links to report its metrics.
//
// Started by hpsearch, it finds its channel in the environment. Started by hand (no HPSEARCH_CHANNEL), it prints
// each report on standard output and every verdict is "go on", so that the same program runs alone.
// Not thread-safe: one thread reports.
class Reporter {
 public:
  Reporter();
  ~Reporter();
  Reporter(Reporter&&) noexcept;
  Reporter& operator=(Reporter&&) noexcept;

  // Sends the metrics reached after `step` units of resource over the trial's whole life (first epoch: 1; 0 is a
  // baseline that is stored and never ranked). `checkpoint` names a file or folder already complete under
  // checkpoint_dir(). Returns true to go on, false when the trial is to end now (paused, stopped or complete).
  // Throws std::runtime_error when hpsearch refuses the report (for instance a step lower than the last one).
  bool report(double step, const Metrics& metrics, std::string_view checkpoint = {});

  // Sends closing values: metrics without a step, which enter no rung.
  void report(const Metrics& metrics);

  // Where this attempt writes checkpoints: write under another name, then rename. The current folder when alone.
  std::filesystem::path checkpoint_dir() const;

  // The checkpoint that this attempt continues from (the file or folder last named by the attempt before it, or the
  // whole checkpoint folder if it named none); empty for a fresh start.
  std::optional<std::filesystem::path> resume_from() const;

  std::filesystem::path artifact_dir() const;  // Kept with the trial. The current folder when alone.
  std::uint64_t seed() const;                  // HPSEARCH_SEED; 0 when alone.
  std::optional<double> resource() const;      // The level this attempt must reach; none when alone.
  std::optional<double> resource_max() const;

 private:
  struct Channel;
  std::unique_ptr<Channel> channel_;
};

}  // namespace hpsearch
