#include <gtest/gtest.h>

#include "search/asha_options.h"
#include "search/pruner.h"
#include "search/sampler.h"
#include "trials/user_error.h"

namespace hpsearch {
namespace {

StudySpec spec_with(const AlgorithmSpec& sampler, const AlgorithmSpec& pruner) {
  StudySpec spec;
  spec.metrics.emplace_back();
  spec.metrics[0].goal = Goal::minimize;
  spec.space.params = {{"x", FloatDomain{}, {}}};
  spec.resource = Resource{"epoch", 1, 27};
  spec.search.sampler = sampler;
  spec.search.pruner = pruner;
  return spec;
}

StudySpec asha_spec(Json options = Json::object()) { return spec_with({"random"}, {"asha", std::move(options)}); }

std::string refusal(const StudySpec& spec) {
  try {
    make_pruner(spec);
    make_sampler(spec, 1);
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Factories, KnowTheirNames) {
  for (const char* sampler : {"auto", "random", "grid"})
    for (const char* pruner : {"none", "asha"}) EXPECT_EQ(refusal(spec_with({sampler}, {pruner})), "accepted");
}

TEST(Factories, RefuseOtherNamesAndListTheirOwn) {
  EXPECT_EQ(refusal(spec_with({"random"}, {"ash"})), "search.pruner: \"ash\" is not a pruner; known are none, asha");
  EXPECT_EQ(refusal(spec_with({"sobolev"}, {"none"})),
            "search.sampler: \"sobolev\" is not a sampler; known are auto, grid, random");
}

TEST(AshaOptions, VariantFollowsCheckpointsUnlessGiven) {
  StudySpec spec = asha_spec();
  EXPECT_EQ(asha_options(spec).variant, AshaVariant::stop);
  spec.trial.checkpoint = true;
  EXPECT_EQ(asha_options(spec).variant, AshaVariant::promote);
  spec.search.pruner.options["variant"] = "stop";
  EXPECT_EQ(asha_options(spec).variant, AshaVariant::stop);
}

TEST(AshaOptions, EtaIsThreeUnlessGiven) {
  EXPECT_EQ(asha_options(asha_spec()).ladder.level(1), 3);
  EXPECT_EQ(asha_options(asha_spec({{"eta", 2.5}})).ladder.level(2), 6);
}

TEST(AshaOptions, LowestRungIsTheResourceMinimumUnlessGiven) {
  EXPECT_EQ(asha_options(asha_spec()).ladder.level(0), 1);
  EXPECT_EQ(asha_options(asha_spec({{"min", 4}})).ladder.level(0), 4);
}

TEST(AshaOptions, SmallestCountIsAFullStepOfTheLadder) {
  EXPECT_EQ(asha_options(asha_spec()).fewest(0), 3);
  EXPECT_EQ(asha_options(asha_spec({{"eta", 2.5}})).fewest(0), 3);
  const AshaOptions listed = asha_options(asha_spec({{"levels", {2, 4, 9}}}));
  EXPECT_EQ(listed.fewest(0), 2);
  EXPECT_EQ(listed.fewest(1), 3);
  EXPECT_EQ(listed.fewest(2), 3);
  EXPECT_EQ(asha_options(asha_spec({{"n_min", 7}})).fewest(1), 7);
}

TEST(AshaOptions, WrongOnesAreRefusedByName) {
  EXPECT_EQ(refusal(asha_spec({{"eta", 1}})), "search.pruner.eta: must be a number of at least 1.01");
  EXPECT_EQ(refusal(asha_spec({{"eta", "3"}})), "search.pruner.eta: must be a number");
  EXPECT_EQ(refusal(asha_spec({{"variant", "halt"}})), "search.pruner.variant: must be \"promote\" or \"stop\"");
  EXPECT_EQ(refusal(asha_spec({{"levels", {3, 3}}})), "search.pruner.levels: must rise strictly");
  EXPECT_EQ(refusal(asha_spec({{"levels", {1.5}}})), "search.pruner.levels: must be a list of whole numbers");
  EXPECT_EQ(refusal(asha_spec({{"n_min", 0}})), "search.pruner.n_min: must be a whole number of at least 1");
  EXPECT_EQ(refusal(spec_with({"grid", {{"points", 0}}}, {"none"})),
            "search.sampler.points: must be a whole number of at least 1");
  StudySpec spec = asha_spec();
  spec.resource.reset();
  EXPECT_EQ(refusal(spec), "search.pruner: asha needs \"resource\", what a trial spends");
}

}  // namespace
}  // namespace hpsearch
