#include "trials/constraint.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace hpsearch {
namespace {

bool holds(const std::string& rule, const Json& values = Json::object()) { return Constraint(rule).holds(values); }

std::string fault(const std::string& rule) {
  try {
    Constraint constraint(rule);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

TEST(Constraint, Sp6ComparesParameters) {
  const Json values{{"a", 10}, {"b", 20}};
  EXPECT_TRUE(holds("a <= b", values));
  EXPECT_TRUE(holds("a * b <= 200", values));
  EXPECT_FALSE(holds("a * b < 200", values));
  EXPECT_EQ(Constraint("a * b + a < c").names(), (std::vector<std::string>{"a", "b", "c"}));
}

TEST(Constraint, PrecedenceIsThatOfArithmetic) {
  EXPECT_TRUE(holds("1 + 2 * 3 == 7"));
  EXPECT_TRUE(holds("(1 + 2) * 3 == 9"));
  EXPECT_TRUE(holds("2 ^ 3 ^ 2 == 512"));
  EXPECT_TRUE(holds("-2 ^ 2 == -4"));
  EXPECT_TRUE(holds("2 ^ -1 == 0.5"));
  EXPECT_TRUE(holds("8 - 3 - 2 == 3"));
  EXPECT_TRUE(holds("7 / 2 == 3.5 and 6 / 3 == 2"));
  EXPECT_TRUE(holds("-7 % 3 == 2 and 7 % -3 == -2 and 7.5 % 2 == 1.5"));
}

TEST(Constraint, ComparisonsChain) {
  EXPECT_TRUE(holds("1 < 2 <= 2 < 3"));
  EXPECT_FALSE(holds("1 < 3 < 2"));
}

TEST(Constraint, WordsCombineComparisons) {
  EXPECT_TRUE(holds("1 > 2 or 2 > 1 and not 1 > 2"));
  EXPECT_FALSE(holds("not (1 < 2 or 1 / 0 > 1)"));
  EXPECT_TRUE(holds("not a == 'sgd'", {{"a", "adam"}}));
}

TEST(Constraint, FunctionsCompute) {
  EXPECT_TRUE(holds("min(3, 1, 2) == 1 and max(3, 1.5) == 3 and abs(-4) == 4"));
  EXPECT_TRUE(holds("sqrt(9) == 3 and log(1) == 0"));
  EXPECT_TRUE(holds("log + min > 0", {{"log", 1}, {"min", 1}}));
}

TEST(Constraint, IntegersAreExactUntilTheyOverflow) {
  EXPECT_TRUE(holds("n + 1 > n", {{"n", 9007199254740992}}));
  EXPECT_TRUE(holds("9007199254740993 > 9007199254740992.0"));
  EXPECT_TRUE(holds("n * n > 1e37", {{"n", 9223372036854775807}}));
  EXPECT_TRUE(holds("-9223372036854775808 < 0 and 0 - -9223372036854775808 > 9e18"));
  EXPECT_TRUE(holds("-9223372036854775808 % -1 == 0 and -9223372036854775808 / -1 > 0"));
  EXPECT_TRUE(holds("3 ^ 39 == 4052555153018976267 and 3 ^ 60 > 4e28 and (-1) ^ 9223372036854775807 == -1"));
}

TEST(Constraint, ValuesKeepTheirKind) {
  EXPECT_TRUE(holds("k == null", {{"k", nullptr}}));
  EXPECT_TRUE(holds("amp", {{"amp", true}}));
  EXPECT_FALSE(holds("amp and x == '2'", {{"amp", true}, {"x", 2}}));
  EXPECT_TRUE(holds("x != \"2\"", {{"x", 2}}));
  EXPECT_TRUE(holds("x == 2.0", {{"x", 2}}));
  EXPECT_TRUE(holds("'a' < 'b'"));
}

TEST(Constraint, WhatHasNoResultDoesNotHoldEitherWay) {
  for (const char* rule : {"1 / x > 0", "not 1 / x > 0", "sqrt(x - 1) >= 0", "log(x) < 1", "t < 1", "t + 1 > 0", "l == l",
                           "1 % x == 0", "min(1, t) < 9", "t"})
    EXPECT_FALSE(holds(rule, {{"x", 0}, {"t", "text"}, {"l", {1, 2}}})) << rule;
}

TEST(Constraint, RulesAboutInactiveParametersHold) { EXPECT_TRUE(holds("a < b", {{"a", 5}})); }

TEST(Constraint, OddNamesStandInBackquotes) {
  EXPECT_TRUE(holds("`a b.c` == 1 and `not` == 2", {{"a b.c", 1}, {"not", 2}}));
  EXPECT_TRUE(holds("größe > 1", {{"größe", 2}}));
}

TEST(Constraint, FaultsNameTheColumn) {
  EXPECT_EQ(fault("a <= "), "column 6: the rule ends where a value is expected");
  EXPECT_EQ(fault("a = 3"), "column 3: \"=\" is written \"==\" here");
  EXPECT_EQ(fault("a < 3 && b < 2"), "column 7: \"&&\" is written \"and\" here");
  EXPECT_EQ(fault("! a"), "column 1: \"!\" is written \"not\" here");
  EXPECT_EQ(fault("a ** 2 < 3"), "column 3: \"**\" is written \"^\" here");
  EXPECT_EQ(fault("a < 3 b"), "column 7: \"b\" stands where a comparison or the end of the rule is expected");
  EXPECT_EQ(fault("a * 2"), "column 1: this is a value, not a comparison");
  EXPECT_EQ(fault("a < 1 and b + 2"), "column 11: this is a value, not a comparison");
  EXPECT_EQ(fault("a + 'x' < 1"), "column 5: this is no number to calculate with");
  EXPECT_EQ(fault("(a < 1) + 1 < 2"), "column 1: this is no number to calculate with");
  EXPECT_EQ(fault("ü < 'x"), "column 5: a closing ' is missing");
  EXPECT_EQ(fault("a < 1e"), "column 5: \"1e\" is no number");
  EXPECT_EQ(fault("f(a) < 1"), "column 1: \"f\" is no function: abs, log, max, min and sqrt are");
  EXPECT_EQ(fault("abs(a, 1) < 1"), "column 1: abs takes one value");
  EXPECT_EQ(fault("(a < 1"), "column 7: the rule ends where \")\" is expected");
  EXPECT_EQ(fault("a # 1"), "column 3: \"#\" means nothing here");
  EXPECT_EQ(fault(""), "column 1: the rule ends where a value is expected");
}

TEST(Constraint, DeepAndLongRulesAreRefused) {
  for (const char* piece : {"(", "-", "not ", "2^", "abs("}) {
    std::string rule;
    while (rule.size() < 1900) rule += piece;
    EXPECT_NE(fault(rule + "1").find("nested too deep"), std::string::npos) << piece;
  }
  EXPECT_NE(fault(std::string(3000, '(')).find("at most 2000"), std::string::npos);
  std::string sum = "1";
  while (sum.size() < 1900) sum += "+1";
  EXPECT_TRUE(holds(sum + " > 900"));
}

}  // namespace
}  // namespace hpsearch
