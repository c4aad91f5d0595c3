#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "trials/spec_faults.h"
#include "trials/time.h"

namespace hpsearch {

// A value of a space file and its path. What reads it also checks it: a wrong value leaves a fault and gives none.
class Field {
 public:
  Field(const Json& value, std::string path, SpecFaults& faults)
      : value_(&value), path_(std::move(path)), faults_(&faults) {}

  const Json& value() const { return *value_; }
  const std::string& path() const { return path_; }
  SpecFaults& faults() const { return *faults_; }
  void fault(const std::string& message) const { faults_->add(path_, message); }
  // "must be a list, not 3"; a number in quotes is said to be text.
  void expected(const std::string& what) const;

  std::optional<double> number() const;
  std::optional<double> positive() const;
  std::optional<std::int64_t> integer(std::int64_t low, std::int64_t high) const;
  std::optional<bool> truth() const;
  std::optional<std::string> text() const;            // Without a zero byte, which no program could be given.
  std::optional<std::string> name() const;            // Such a text, not empty, without control characters.
  std::optional<std::string> word(const std::vector<std::string>& allowed) const;
  std::optional<Span> span() const;                   // "2h", or a number of seconds.
  std::vector<Field> items(const std::string& what) const;    // Of a list; none, with a fault, of anything else.
  std::vector<Field> members(const std::string& what) const;  // Of an object.
  void refuse_empty(const std::string& message = "must not be empty") const;  // A list or object without items.
  std::string key() const { return key_; }            // Of a member; empty elsewhere.
  // False, with a fault, when the value is a text that has a zero byte.
  bool passable() const;

 private:
  const Json* value_;
  std::string path_;
  std::string key_;
  SpecFaults* faults_;
};

// An object of a space file whose keys are those of a section of known_keys(): every other key is a fault, with the
// key that was meant where one is near. A misspelt key is read as the key it stands for, so that its value is checked.
class Fields {
 public:
  Fields(const Field& object, const std::string& section);

  const Field& self() const { return self_; }
  std::optional<Field> find(const std::string& key) const;
  // With a fault "missing; for example ..." when absent.
  std::optional<Field> require(const std::string& key, const std::string& example) const;
  void missing(const std::string& key, const std::string& message) const;

 private:
  void refuse(const std::string& key, const Json& value, const std::string& section);

  Field self_;
  std::map<std::string, std::string> written_;  // Known key -> key as written.
};

bool control_character(char c);

// A value for a message: compact JSON, shortened.
std::string shown(const Json& value);

}  // namespace hpsearch
