#include <array>
#include <cmath>
#include <limits>

#include "trials/number.h"
#include "trials/spec_parts.h"

namespace hpsearch {
namespace {

struct ByteUnit {
  std::string_view name;
  double bytes;
};
constexpr std::array<ByteUnit, 10> kByteUnits{{{"", 1}, {"B", 1}, {"kB", 1e3}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9},
                                               {"TB", 1e12}, {"MiB", 0x1p20}, {"GiB", 0x1p30}, {"TiB", 0x1p40}}};

std::optional<std::int64_t> parse_bytes(const std::string& text) {
  const std::size_t digits = text.find_first_not_of("0123456789.");
  const std::size_t end = digits == std::string::npos ? text.size() : digits;
  const auto amount = parse_number(text.substr(0, end));
  const std::size_t unit_at = std::min(text.find_first_not_of(' ', end), text.size());
  for (const ByteUnit& unit : kByteUnits) {
    if (!amount || text.substr(unit_at) != unit.name) continue;
    const double bytes = *amount * unit.bytes;
    return bytes >= 1 && bytes < 9e18 ? std::optional(std::llround(bytes)) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<Span> read_span(const Fields& fields, const std::string& key) {
  const auto field = fields.find(key);
  return field ? field->span() : std::nullopt;
}

std::optional<double> read_positive(const Fields& fields, const std::string& key) {
  const auto field = fields.find(key);
  return field ? field->positive() : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> read_bytes(const Field& field) {
  if (!field.value().is_string()) return field.integer(1, kMostInteger);
  const auto bytes = parse_bytes(field.value().get<std::string>());
  if (!bytes) field.fault("must be a size, as \"20GB\" or \"500 MiB\", not " + shown(field.value()));
  return bytes;
}

Limits read_limits(const Fields& root) {
  Limits limits;
  const auto field = root.find("limits");
  if (!field) return limits;
  const Fields fields(*field, "limits");
  if (const auto trials = fields.find("trials")) limits.trials = trials->integer(1, std::numeric_limits<int>::max());
  limits.time = read_span(fields, "time");
  limits.trial_time = read_span(fields, "trial_time");
  limits.silence = read_span(fields, "silence");
  limits.gpu_hours = read_positive(fields, "gpu_hours");
  limits.cost = read_positive(fields, "cost");
  if (const auto disk = fields.find("disk")) {
    limits.disk_bytes = read_bytes(*disk);
    disk->faults().warn(disk->path(), "is not watched yet: it ends nothing");
  }
  if (const auto failures = fields.find("failures_in_a_row"))
    limits.failures_in_a_row = static_cast<int>(failures->integer(1, 1'000'000).value_or(limits.failures_in_a_row));
  return limits;
}

}  // namespace hpsearch
