#include "trials/space.h"

#include <gtest/gtest.h>

#include <limits>

namespace hpsearch {
namespace {

Condition is(const std::string& param, std::vector<Json> values) { return {param, std::move(values), {}, {}}; }

Space conditional_space() {
  Space space;
  space.params = {{"optimizer", ChoiceDomain{{"sgd", "adam"}}, {}},
                  {"momentum", FloatDomain{0, 0.9, 0.3}, {is("optimizer", {"sgd"})}},
                  {"nesterov", ChoiceDomain{{true, false}}, {{"momentum", {}, 0.5, {}}}},
                  {"layers", IntDomain{1, 4}, {}},
                  {"data", FixedDomain{"mnist"}, {}}};
  space.constraints.emplace_back("momentum < layers");
  return space;
}

std::string fault(const Space& space, const Json& values) { return space.fault(values).value_or(""); }

TEST(SameValue, ComparesTypeAndValue) {
  EXPECT_TRUE(same_value(2, Json::parse("2")));
  EXPECT_FALSE(same_value(2, 2.0));
  EXPECT_FALSE(same_value(2, "2"));
  EXPECT_FALSE(same_value(1, true));
  EXPECT_FALSE(same_value({1, 2}, {1, 2.0}));
  EXPECT_TRUE(same_value({64, 32}, Json::parse("[64,32]")));
  EXPECT_FALSE(same_value({64, 32}, {64}));
  EXPECT_FALSE(same_value(-1, std::numeric_limits<std::uint64_t>::max()));
  EXPECT_FALSE(same_value({{"a", 1}}, {{"b", 1}}));
}

TEST(Space, ParametersAreActiveByTheirConditions) {
  const Space space = conditional_space();
  const Param& momentum = *space.find("momentum");
  const Param& nesterov = *space.find("nesterov");
  EXPECT_TRUE(space.active(momentum, {{"optimizer", "sgd"}}));
  EXPECT_FALSE(space.active(momentum, {{"optimizer", "adam"}}));
  EXPECT_TRUE(space.active(nesterov, {{"optimizer", "sgd"}, {"momentum", 0.6}}));
  EXPECT_FALSE(space.active(nesterov, {{"optimizer", "sgd"}, {"momentum", 0.3}}));
  EXPECT_FALSE(space.active(nesterov, {{"optimizer", "adam"}}));
  EXPECT_EQ(space.find("x"), nullptr);
}

TEST(Space, SaysWhyAPointIsNotInIt) {
  const Space space = conditional_space();
  EXPECT_EQ(fault(space, {{"optimizer", "adam"}, {"layers", 2}}), "");
  EXPECT_EQ(fault(space, {{"optimizer", "sgd"}, {"momentum", 0.6}, {"nesterov", true}, {"layers", 2}}), "");
  EXPECT_EQ(fault(space, {{"optimizer", "sgd"}, {"momentum", 0.9}, {"nesterov", true}, {"layers", 1}}), "");
  EXPECT_EQ(fault(space, {{"optimizer", "adam"}}), "layers is missing");
  EXPECT_EQ(fault(space, {{"optimiser", "adam"}}),
            "no parameter is called \"optimiser\"; did you mean \"optimizer\"?");
  EXPECT_EQ(fault(space, {{"optimizer", "adam"}, {"momentum", 0.3}, {"layers", 2}}),
            "momentum is not active here: only when optimizer is \"sgd\"");
  EXPECT_EQ(fault(space, {{"optimizer", "lamb"}, {"layers", 2}}),
            "optimizer: \"lamb\" is not among the choices [\"sgd\",\"adam\"]");
  EXPECT_EQ(fault(space, {{"optimizer", "adam"}, {"layers", 5}}), "layers: 5 is above 4");
  EXPECT_EQ(fault(space, {{"optimizer", "adam"}, {"layers", 2.0}}), "layers: 2.0 is not a whole number");
  EXPECT_EQ(fault(space, {{"optimizer", "sgd"}, {"momentum", 0.25}, {"layers", 2}}),
            "momentum: 0.25 is not 0 plus a multiple of 0.3");
  EXPECT_EQ(fault(space, {{"optimizer", "adam"}, {"layers", 2}, {"data", "x"}}),
            "data: \"x\" is not the fixed value \"mnist\"");
  EXPECT_NE(fault(space, Json::array()), "");
}

TEST(Space, ConstraintsBoundPoints) {
  Space space;
  space.params = {{"a", IntDomain{1, 50}, {}}, {"b", IntDomain{1, 50}, {}}};
  space.constraints = {Constraint("a <= b"), Constraint("a * b <= 200")};
  EXPECT_TRUE(space.allows({{"a", 10}, {"b", 20}}));
  EXPECT_FALSE(space.allows({{"a", 11}, {"b", 20}}));
  EXPECT_EQ(fault(space, {{"a", 3}, {"b", 2}}), "the rule \"a <= b\" does not hold");
}

TEST(Space, CompletesPointsInItsOwnOrder) {
  const Space space = conditional_space();
  EXPECT_EQ(space.completed({{"layers", 2}, {"momentum", 0}, {"optimizer", "sgd"}}).dump(),
            R"({"optimizer":"sgd","momentum":0.0,"layers":2,"data":"mnist"})");
}

TEST(Space, FullIntegerRangeHasNoOverflow) {
  const IntDomain whole{std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
  EXPECT_FALSE(domain_size(whole));
  EXPECT_FALSE(domain_fault(whole, std::numeric_limits<std::int64_t>::min()));
  EXPECT_TRUE(domain_fault(whole, std::numeric_limits<std::uint64_t>::max()));
  EXPECT_EQ(domain_value(IntDomain{9007199254740993, 9007199254740999}, 6), 9007199254740999);
}

TEST(Space, FloatStepsCountTheirUpperBound) {
  EXPECT_EQ(domain_size(FloatDomain{0, 0.3, 0.1}), 4u);
  EXPECT_EQ(domain_value(FloatDomain{0, 0.3, 0.1}, 3), 0.3);
  EXPECT_FALSE(domain_fault(FloatDomain{0, 0.3, 0.1}, 0.3));
  EXPECT_EQ(domain_size(FloatDomain{0, 0.35, 0.1}), 4u);
  EXPECT_EQ(domain_size(FloatDomain{1, 1, {}}), 1u);
  EXPECT_FALSE(domain_size(FloatDomain{}));
}

TEST(SpaceSize, CountsOnlyDistinctConfigurations) {
  // sgd: momentum 0, 0.3 | 0.6, 0.9 with nesterov twice each = 6; adam: 1; times 4 layers.
  EXPECT_EQ(conditional_space().size(), 28u);
}

TEST(SpaceSize, CountsByIntegerConditions) {
  Space space;
  space.params = {{"n", IntDomain{0, 1000000, 2}, {}},
                  {"x", ChoiceDomain{{1, 2, 3}}, {{"n", {}, 10, 20}}},
                  {"y", ChoiceDomain{{1, 2}}, {is("n", {4, 12})}}};
  // 10..20 has six values; 4 has y only, 12 has both.
  EXPECT_EQ(space.size(), 500001u - 7 + 5 * 3 + 2 + 3 * 2);
}

TEST(SpaceSize, HasNoneWhenContinuousOrHuge) {
  Space space;
  space.params = {{"u", FloatDomain{}, {}}};
  EXPECT_FALSE(space.size());
  space.params.clear();
  for (int i = 0; i < 60; ++i) space.params.push_back({"p" + std::to_string(i), ChoiceDomain{{0, 1}}, {}});
  EXPECT_FALSE(space.size());
  space.params.resize(53);
  EXPECT_EQ(space.size(), std::uint64_t{1} << 53);
}

TEST(SpaceSize, ManyIndependentConditionsAreCountedQuickly) {
  Space space;
  for (int i = 0; i < 20; ++i) space.params.push_back({"p" + std::to_string(i), ChoiceDomain{{true, false}}, {}});
  for (int i = 0; i < 20; ++i)
    space.params.push_back({"size" + std::to_string(i), IntDomain{1, 2}, {is("p" + std::to_string(i), {true})}});
  EXPECT_EQ(space.size(), 3486784401u);  // 3^20
}

TEST(SpaceSize, TangledConditionsGiveUpInsteadOfTakingForever) {
  Space space;
  std::vector<Condition> all;
  for (int i = 0; i < 30; ++i) {
    space.params.push_back({"p" + std::to_string(i), IntDomain{0, 1}, {}});
    all.push_back(is("p" + std::to_string(i), {1}));
  }
  space.params.push_back({"last", IntDomain{1, 2}, all});
  EXPECT_FALSE(space.size());
}

TEST(Condition, SaysItself) {
  EXPECT_EQ(is("k", {"a"}).text(), "k is \"a\"");
  EXPECT_EQ(is("k", {"a", "b"}).text(), "k is in [\"a\",\"b\"]");
  EXPECT_EQ((Condition{"n", {}, 2, 4}).text(), "n >= 2 and <= 4");
}

}  // namespace
}  // namespace hpsearch
