#pragma once

#include <functional>
#include <string>

#include "trials/json.h"

namespace hpsearch {

// The files of one machine, asked in the same words wherever it is: this one, or another through its agent. Paths are
// absolute on this machine, and on others relative to the folder that holds their studies.
//
//   {"do": "tree", "path", ["only": names]}                 -> {"tree"}          what lies there, with hashes
//   {"do": "snapshot", "path", "patterns", "limit"}         -> {"tree"}          code, less what .hpsearchignore says
//   {"do": "read", "path", "offset"}                        -> {"end"} + bytes   at most kFileChunk of them
//   {"do": "missing", "store", "tree"}                      -> {"missing": [hashes]}
//   {"do": "write", "store", "hash", "size", "offset", "end"} + bytes -> {}                the next of these contents
//   {"do": "unpack", "store", "tree", "path", "use"}        -> {}                leaves what exists
//   {"do": "replace", "store", "tree", "path"}              -> {}                its entries, and no others, lie there
//   {"do": "merge", "store", "tree", "path"}                -> {}                the same; other entries stay
//   {"do": "delete", "path"}                                -> {}
class FileDesk {
 public:
  // {"fault": text} when it can't be done, also when the machine went out of reach.
  using Reply = std::function<void(const Json& answer, std::string bytes)>;

  virtual ~FileDesk() = default;
  // The reply comes later, once, from the io_context; in the order of the words.
  virtual void ask(const Json& word, std::string bytes, Reply reply) = 0;
};

inline constexpr std::size_t kFileChunk = 1 << 20;

}  // namespace hpsearch
