#pragma once

#include <gtest/gtest.h>

#include <string>

#include "trials/spec.h"
#include "trials/user_error.h"

namespace hpsearch {

// A small whole space file, changed by a JSON merge patch (null removes a key).
inline std::string space_text(const std::string& patch = "{}") {
  Json document = Json::parse(R"({
    "command": ["train", "{args}"],
    "metric": {"name": "loss", "goal": "minimize"},
    "params": {"lr": {"type": "float", "low": 0.001, "high": 0.1}},
    "limits": {"trials": 5}})");
  document.merge_patch(Json::parse(patch));
  return document.dump();
}

// With these parameters only.
inline std::string params_text(const std::string& params, const std::string& patch = "{}") {
  Json document = Json::parse(space_text());
  document["params"] = Json::parse(params);
  document.merge_patch(Json::parse(patch));
  return document.dump();
}

inline StudySpec spec_of(const std::string& text) { return parse_spec(text, "space.json"); }

// All faults, or "" for a file without any.
inline std::string faults_of(const std::string& text) {
  try {
    parse_spec(text, "space.json");
    return "";
  } catch (const UserError& error) {
    return error.what();
  }
}

// One fault, without its place.
inline std::string fault_of(const std::string& text) {
  const std::string faults = faults_of(text);
  const std::size_t place = faults.find(": ");
  return place == std::string::npos ? faults : faults.substr(place + 2);
}

inline void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "looked for: " << part << "\nin: " << text;
}

}  // namespace hpsearch
