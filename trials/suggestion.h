#pragma once

#include <optional>
#include <string>
#include <vector>

namespace hpsearch {

// The candidate that `word` most likely meant, by edit distance (a swap of neighbours counts 1) without regard to
// case; none when nothing is near. The first of equally near ones.
std::optional<std::string> nearest_word(const std::string& word, const std::vector<std::string>& candidates);

// `; did you mean "low"?`, or nothing.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates);

bool contains(const std::vector<std::string>& words, const std::string& word);

// "a, b, c", or with quotes around each.
std::string joined(const std::vector<std::string>& words);
std::string joined_quoted(const std::vector<std::string>& words);

}  // namespace hpsearch
