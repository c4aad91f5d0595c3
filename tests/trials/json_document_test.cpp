#include "trials/json_document.h"

#include <gtest/gtest.h>

namespace hpsearch {
namespace {

JsonFault only_fault(std::string_view text) {
  const JsonDocument document = JsonDocument::parse(text);
  EXPECT_EQ(document.faults.size(), 1u) << text;
  return document.faults.empty() ? JsonFault{} : document.faults[0];
}

void expect_fault(std::string_view text, int line, int column, const std::string& message) {
  const JsonFault fault = only_fault(text);
  EXPECT_EQ(fault.line, line) << text << ": " << fault.message;
  EXPECT_EQ(fault.column, column) << text << ": " << fault.message;
  EXPECT_NE(fault.message.find(message), std::string::npos) << text << ": " << fault.message;
}

TEST(JsonDocument, KeepsOrderTypesAndBigIntegers) {
  const JsonDocument document =
      JsonDocument::parse(R"({"z":1,"a":[2.0,"2",null,true],"n":9007199254740993,"u":18446744073709551615})");
  ASSERT_TRUE(document.faults.empty());
  EXPECT_EQ(document.root.dump(), R"({"z":1,"a":[2.0,"2",null,true],"n":9007199254740993,"u":18446744073709551615})");
}

TEST(JsonDocument, GivesLinesByPath) {
  const JsonDocument document = JsonDocument::parse("\n{\"a\":\n {\"b c\": 1,\n\"d\":[7,\n8\n,\"x\"]}, \"e\"\n:\n2}");
  ASSERT_TRUE(document.faults.empty());
  EXPECT_EQ(document.lines.at(""), 2);
  EXPECT_EQ(document.lines.at("a"), 2);
  EXPECT_EQ(document.lines.at("a[\"b c\"]"), 3);
  EXPECT_EQ(document.lines.at("a.d"), 4);
  EXPECT_EQ(document.lines.at("a.d[0]"), 4);
  EXPECT_EQ(document.lines.at("a.d[1]"), 5);
  EXPECT_EQ(document.lines.at("a.d[2]"), 6);
  EXPECT_EQ(document.lines.at("e"), 6);
}

TEST(JsonDocument, AcceptsCommentsAndAByteOrderMark) {
  const JsonDocument document = JsonDocument::parse("\xEF\xBB\xBF// first\n{/* , */ \"a\": 1 // last\n}");
  EXPECT_TRUE(document.faults.empty());
  EXPECT_EQ(document.root["a"], 1);
  EXPECT_EQ(document.lines.at("a"), 2);
}

TEST(JsonDocument, NamesAKeyGivenTwice) {
  const JsonDocument document = JsonDocument::parse("{\"lr\": {\n\"low\": 1,\n  \"low\": 2}, \"x\": 3}");
  ASSERT_EQ(document.faults.size(), 1u);
  EXPECT_EQ(document.faults[0].path, "lr.low");
  EXPECT_EQ(document.faults[0].line, 3);
  EXPECT_EQ(document.faults[0].column, 3);
  EXPECT_EQ(document.faults[0].message, "key given twice; first on line 2");
  EXPECT_EQ(document.root["lr"]["low"], 1);
  EXPECT_EQ(document.root["x"], 3);
}

TEST(JsonDocument, NamesIntegersBeyond64Bits) {
  const JsonFault fault = only_fault("{\"n\": {\"high\":\n 1" + std::string(64, '0') + "}}");
  EXPECT_EQ(fault.path, "n.high");
  EXPECT_EQ(fault.line, 2);
  EXPECT_EQ(fault.column, 2);
  EXPECT_NE(fault.message.find("from -9223372036854775808 to 9223372036854775807"), std::string::npos);
  EXPECT_EQ(only_fault("[-9223372036854775809]").path, "[0]");
  EXPECT_TRUE(JsonDocument::parse("[-9223372036854775808, 1e30]").faults.empty());
}

TEST(JsonDocument, SyntaxFaultsHaveLineColumnAndAPlainReason) {
  expect_fault("{\"a\": 1,\n \"b\": 2, // more\n}", 2, 8, "a comma after the last item");
  expect_fault("[1, 2,]", 1, 6, "a comma after the last item");
  expect_fault("[1,,2]", 1, 4, "two commas");
  expect_fault("{\"a\": 1\n \"b\": 2}", 2, 2, "comma or colon is missing");
  expect_fault("{\"a\" 1}", 1, 6, "comma or colon is missing");
  expect_fault("{\"a\": NaN}", 1, 7, "NaN is not a JSON number");
  expect_fault("{\"a\": -Infinity}", 1, 7, "-Infinity is not a JSON number");
  expect_fault("{'a': 1}", 1, 2, "double quotes");
  expect_fault("{\"a\": True}", 1, 7, "write true");
  expect_fault("{\"a\": .5}", 1, 7, "begin with a digit");
  expect_fault("{\"a\": 1} x", 1, 10, "something follows");
  expect_fault(std::string("{\"a\": 1}\n\0 x", 12), 2, 1, "a NUL byte");
  expect_fault("{\"\xC3\xA9\": nul}", 1, 7, "not JSON: invalid literal");
  expect_fault("{\"a\": \"x\ny\"}", 1, 7, "not JSON: invalid string: control character");
  expect_fault("{\"a\": 1e999}", 1, 7, "not JSON: number overflow");
}

TEST(JsonDocument, SyntaxFaultsNameThePath) {
  EXPECT_EQ(only_fault(R"({"params": {"lr": {"low": NaN}}})").path, "params.lr.low");
}

TEST(JsonDocument, TextsThatEndEarlyAreNamed) {
  expect_fault("", 1, 1, "the file is empty");
  expect_fault(" \n", 1, 1, "the file is empty");
  expect_fault("{\"a\": [1", 1, 9, "ends too early");
  expect_fault("{\"a\":\n", 2, 1, "ends too early");
  expect_fault("{\"a\": \"x", 1, 7, "missing closing quote");
}

TEST(JsonDocument, RefusesDeepNesting) {
  EXPECT_TRUE(JsonDocument::parse(std::string(64, '[') + std::string(64, ']')).faults.empty());
  EXPECT_NE(only_fault(std::string(100000, '[')).message.find("64 levels"), std::string::npos);
}

TEST(JsonDocument, AnyBytesGiveFaultsAndNoException) {
  for (const std::string& text : {std::string("\0", 1), std::string("\xff\xfe"), std::string("{\"\xc3"), std::string("/*"),
                                 std::string("[\"\\ud800\"]"), std::string("]"), std::string("-"), std::string("{,}")})
    EXPECT_FALSE(JsonDocument::parse(text).faults.empty());
}

TEST(JsonPath, QuotesOddKeys) {
  EXPECT_EQ(json_path("", "a"), "a");
  EXPECT_EQ(json_path("params", "lr"), "params.lr");
  EXPECT_EQ(json_path("params", "a.b \"c\""), "params[\"a.b \\\"c\\\"\"]");
  EXPECT_EQ(json_path("command", std::size_t{2}), "command[2]");
  EXPECT_EQ(json_path("", ""), "[\"\"]");
}

}  // namespace
}  // namespace hpsearch
