#include "trials/suggestion.h"

#include <algorithm>

namespace hpsearch {
namespace {

constexpr std::size_t kLongestWord = 64;

std::string lower(std::string text) {
  const auto lowered = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 'a' - 'A') : c; };
  std::transform(text.begin(), text.end(), text.begin(), lowered);
  return text;
}

// Optimal string alignment: insertions, deletions, replacements, swaps of neighbours.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) cost[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) cost[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      cost[i][j] = std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  }
  return cost[a.size()][b.size()];
}

std::string joined_with(const std::vector<std::string>& words, const std::string& around) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + around + word + around;
  return text;
}

}  // namespace

std::optional<std::string> nearest_word(const std::string& word, const std::vector<std::string>& candidates) {
  if (word.empty() || word.size() > kLongestWord) return std::nullopt;
  std::size_t least = std::max<std::size_t>(1, (word.size() + 1) / 3) + 1;
  std::optional<std::string> best;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kLongestWord) continue;
    const std::size_t edits = distance(lower(word), lower(candidate));
    if (edits >= least || edits >= candidate.size()) continue;
    least = edits;
    best = candidate;
  }
  return best;
}

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates) {
  const auto nearest = nearest_word(word, candidates);
  return nearest ? "; did you mean \"" + *nearest + "\"?" : "";
}

std::string joined(const std::vector<std::string>& words) { return joined_with(words, ""); }
std::string joined_quoted(const std::vector<std::string>& words) { return joined_with(words, "\""); }

}  // namespace hpsearch
