#pragma once

#include <filesystem>
#include <string>
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

}  // namespace hpsearch::testing
