#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>

#include "tests/trials/spec_support.h"
#include "trials/spec_keys.h"

namespace hpsearch {
namespace {

std::string file_text(const std::string& name) {
  std::ifstream stream(std::string(HPSEARCH_SOURCE_DIR) + "/" + name);
  EXPECT_TRUE(stream) << name;
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::set<std::string> keys_of(const Json& definition) {
  std::set<std::string> keys;
  for (const auto& [key, value] : definition.at("properties").items()) keys.insert(key);
  return keys;
}

// Definitions that stand for one object of the file.
std::map<std::string, std::set<std::string>> schema_sections(const Json& schema) {
  std::map<std::string, std::set<std::string>> sections{{"space_file", keys_of(schema)}};
  for (const auto& [name, definition] : schema.at("$defs").items()) {
    if (definition.contains("properties")) sections[name] = keys_of(definition);
  }
  return sections;
}

TEST(SpaceSchema, HasExactlyTheKeysThatTheParserKnows) {
  const Json schema = Json::parse(file_text("docs/space.schema.json"));
  std::map<std::string, std::set<std::string>> known;
  for (const auto& [section, keys] : known_keys()) known[section] = {keys.begin(), keys.end()};
  EXPECT_EQ(schema_sections(schema), known);
}

TEST(SpaceSchema, RefusesUnknownKeysWhereTheParserDoes) {
  const Json schema = Json::parse(file_text("docs/space.schema.json"));
  EXPECT_EQ(schema.at("additionalProperties"), false);
  for (const auto& [section, keys] : known_keys()) {
    if (section == "space_file") continue;
    EXPECT_EQ(schema["$defs"][section].at("additionalProperties"), false) << section;
  }
}

TEST(SpaceSchema, EveryKeyIsInTheManual) {
  const std::string manual = file_text("docs/space-file.md");
  for (const auto& [section, keys] : known_keys()) {
    for (const std::string& key : keys)
      EXPECT_NE(manual.find("`" + key + "`"), std::string::npos) << key << " of " << section;
  }
}

TEST(SpaceSchema, TheManualsExampleIsAGoodFile) {
  const std::string manual = file_text("docs/space-file.md");
  const std::size_t begin = manual.find("```jsonc\n") + 9;
  EXPECT_EQ(faults_of(manual.substr(begin, manual.find("```", begin) - begin)), "");
}

TEST(SpaceSchema, TheManualsHostsAreGood) {
  const std::string manual = file_text("docs/space-file.md");
  int count = 0;
  for (std::size_t at = 0; (at = manual.find("```jsonc\n\"hosts\"", at)) != std::string::npos; ++count) {
    const std::size_t begin = at + 9;
    at = manual.find("```", begin);
    const std::string part = manual.substr(begin, at - begin);
    EXPECT_EQ(faults_of(space_text("{\"settings\": {\"data\": 1}, " + part + "}")), "") << part;
  }
  EXPECT_EQ(count, 3);
}

}  // namespace
}  // namespace hpsearch
