#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "trials/json.h"

namespace hpsearch {

// A fault in a JSON text, with its place (line and column from 1).
struct JsonFault {
  int line = 0, column = 0;
  std::string path;  // "params.lr.low"; empty for the root or for text that is no JSON.
  std::string message;
};

// JSON read strictly, through the SAX interface: no key is lost and no number rounded. Comments (// and /* */) and a
// byte-order mark are accepted. A key given twice, an integer beyond 64 bits and text that is no JSON are faults.
// `lines` gives the line of each value (of its key, inside an object) by path, the root's being "".
struct JsonDocument {
  Json root;
  std::map<std::string, int> lines;
  std::vector<JsonFault> faults;     // Empty: root is whole.

  static JsonDocument parse(std::string_view text);
};

// The path of a child: "params" + "lr" -> "params.lr"; odd keys are quoted: params["a b"]; elements "command[2]".
std::string json_path(const std::string& parent, const std::string& key);
std::string json_path(const std::string& parent, std::size_t index);

}  // namespace hpsearch
