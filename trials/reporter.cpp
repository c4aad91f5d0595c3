#include "trials/reporter.h"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "trials/number.h"
#include "trials/report_channel.h"

namespace hpsearch {

namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

fs::path folder(const char* name) {
  const std::string path = variable(name);
  return path.empty() ? fs::current_path() : fs::path(path);
}

Report made_report(std::optional<double> step, const Metrics& metrics, std::string_view checkpoint) {
  Report report;
  report.step = step;
  for (const auto& [name, value] : metrics) report.metrics.emplace(name, MetricValue(value));
  report.checkpoint = checkpoint;
  return report;
}

}  // namespace

struct Reporter::Channel {
  std::string path = variable("HPSEARCH_CHANNEL");
  ReportChannel line{path};
  bool warned = false;

  bool exchange(const Report& report) {
    if (path.empty()) return print(report);
    const std::optional<Reply> reply = line.exchange(report);
    if (!reply) return warn();
    if (!reply->error.empty()) throw std::runtime_error("hpsearch refused the report: " + reply->error);
    return reply->go_on;
  }

  static bool print(const Report& report) {
    std::printf("hpsearch: %s\n", report_text(report).c_str());
    std::fflush(stdout);
    return true;
  }

  bool warn() {
    if (!warned) std::fprintf(stderr, "hpsearch: %s does not answer; reports are dropped from here on\n", path.c_str());
    warned = true;
    return true;
  }
};

Reporter::Reporter() : channel_(std::make_unique<Channel>()) {}
Reporter::~Reporter() = default;
Reporter::Reporter(Reporter&&) noexcept = default;
Reporter& Reporter::operator=(Reporter&&) noexcept = default;

bool Reporter::report(double step, const Metrics& metrics, std::string_view checkpoint) {
  return channel_->exchange(made_report(step, metrics, checkpoint));
}

void Reporter::report(const Metrics& metrics) { channel_->exchange(made_report(std::nullopt, metrics, {})); }

fs::path Reporter::checkpoint_dir() const { return folder("HPSEARCH_CHECKPOINT_DIR"); }

fs::path Reporter::artifact_dir() const { return folder("HPSEARCH_ARTIFACT_DIR"); }

std::optional<fs::path> Reporter::resume_from() const {
  const fs::path folder = variable("HPSEARCH_RESUME_DIR");
  if (folder.empty()) return std::nullopt;
  const std::string name = variable("HPSEARCH_RESUME_CHECKPOINT");
  return name.empty() ? folder : folder / name;
}

std::uint64_t Reporter::seed() const { return parse_integer(variable("HPSEARCH_SEED")).value_or(0); }

std::optional<double> Reporter::resource() const { return parse_number(variable("HPSEARCH_RESOURCE")); }

std::optional<double> Reporter::resource_max() const { return parse_number(variable("HPSEARCH_RESOURCE_MAX")); }

}  // namespace hpsearch
