#include "search/asha_reason.h"

#include <cmath>

#include "trials/number.h"

namespace hpsearch {
namespace {

std::string ordinal(std::int64_t n) {
  const bool teen = n / 10 % 10 == 1;
  const char* suffix = teen ? "th" : n % 10 == 1 ? "st" : n % 10 == 2 ? "nd" : n % 10 == 3 ? "rd" : "th";
  return std::to_string(n) + suffix;
}

std::string kept_text(std::int64_t n, std::int64_t k) {
  if (k == 0) return "none goes on yet";
  if (k >= n) return "all go on so far";
  return k == 1 ? "the best goes on" : "best " + std::to_string(k) + " go on";
}

std::string place_text(const RungEntry& entry) {
  if (!std::isfinite(entry.value)) return "nan, so last of " + std::to_string(entry.n);
  return ordinal(entry.rank) + " of " + std::to_string(entry.n);
}

std::string outcome_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::go_on: return "goes on";
    case Verdict::pause: return "paused";
    case Verdict::stop: return "stopped";
    case Verdict::complete: return "complete";
  }
  return {};
}

std::string rung_text(double level) { return "rung " + format_number(level); }

}  // namespace

std::string verdict_reason(const RungEntry& entry, double step, Verdict verdict) {
  const std::string at = entry.approximate ? " (reported at " + format_number(step) + ")" : "";
  return rung_text(entry.level) + at + ": " + place_text(entry) + ", " + kept_text(entry.n, entry.k) + ": " +
         outcome_text(verdict);
}

std::string promotion_reason(const Promotion& promotion) {
  return rung_text(promotion.from) + ": " + ordinal(promotion.rank) + " of " + std::to_string(promotion.n) + ", " +
         kept_text(promotion.n, promotion.k) + ": promoted to " + format_number(promotion.to);
}

std::string complete_reason(const std::string& resource, std::int64_t top) {
  return "reached " + resource + " " + std::to_string(top) + ": complete";
}

std::string missed_reason(const std::string& resource, std::int64_t level, double step) {
  return "rung " + std::to_string(level) + " was missed: " + resource + " " + format_number(step) +
         " was reported without it, and milestone is \"exact\": stopped";
}

}  // namespace hpsearch
