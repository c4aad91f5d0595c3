#include "trials/pattern.h"

#include <re2/re2.h>

#include <stdexcept>

namespace hpsearch {

namespace {

RE2::Options quiet() {
  RE2::Options options;
  options.set_log_errors(false);
  options.set_encoding(RE2::Options::EncodingLatin1);  // A program's output may hold any bytes.
  return options;
}

}  // namespace

Pattern::Pattern(const std::string& text) : regex_(std::make_unique<RE2>(text, quiet())) {
  if (!regex_->ok()) throw std::invalid_argument(regex_->error());
}

Pattern::~Pattern() = default;
Pattern::Pattern(Pattern&&) noexcept = default;

std::size_t Pattern::groups() const { return static_cast<std::size_t>(regex_->NumberOfCapturingGroups()); }

std::optional<std::vector<std::optional<std::string_view>>> Pattern::search(std::string_view text) const {
  std::vector<re2::StringPiece> found(groups() + 1);
  const re2::StringPiece whole(text.data(), text.size());
  if (!regex_->Match(whole, 0, whole.size(), RE2::UNANCHORED, found.data(), static_cast<int>(found.size()))) return std::nullopt;
  std::vector<std::optional<std::string_view>> groups;
  for (std::size_t i = 1; i < found.size(); ++i)
    groups.push_back(found[i].data() ? std::optional(std::string_view(found[i].data(), found[i].size())) : std::nullopt);
  return groups;
}

}  // namespace hpsearch
