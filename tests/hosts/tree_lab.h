#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "scheduler/hosts/tree_store.h"

namespace hpsearch::testing {

// Writes a file and the folders above it.
void put(const std::filesystem::path& file, const std::string& text = "x");
std::string text_of(const std::filesystem::path& file);
std::string hash_of(const std::string& text);

// Sends what `store` lacks of `tree` from `folder`, as one machine does to another, in pieces of `piece` bytes. Returns
// how many contents it sent.
int send(const FileTree& tree, const std::filesystem::path& folder, const TreeStore& store, std::size_t piece = 4);

std::vector<std::string> paths(const FileTree& tree);
// How many folders, files and links lie below `folder`, at any depth; 0 when there is no such folder.
int entries_below(const std::filesystem::path& folder);

using Paths = std::vector<std::string_view>;
// `rule` (for messages) chooses all of `chosen` and none of `others`.
void expect_chosen(const std::string& rule, const std::function<bool(std::string_view)>& chooses, const Paths& chosen, const Paths& others);

}  // namespace hpsearch::testing
