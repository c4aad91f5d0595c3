#include <algorithm>
#include <limits>

#include "trials/number.h"
#include "trials/spec_parts.h"
#include "trials/suggestion.h"

namespace hpsearch {
namespace {

// Names of samplers or of pruners, and what other tools call them.
struct Family {
  std::string what;
  std::vector<std::string> available, to_come;
  std::map<std::string, std::string> peers;
};

const Family kSamplers{"sampler",
                       {"auto", "random", "grid"},
                       {"tpe", "gp", "sobol", "cmaes"},
                       {{"bayesian", "\"auto\" or \"gp\""}, {"bayes", "\"auto\" or \"gp\""},
                        {"bo", "\"auto\" or \"gp\""}, {"bayesopt", "\"auto\" or \"gp\""},
                        {"gaussian_process", "\"gp\""}, {"cma-es", "\"cmaes\""}, {"cma", "\"cmaes\""},
                        {"hyperopt", "\"tpe\""}, {"optuna", "\"auto\""}, {"quasirandom", "\"sobol\""},
                        {"qmc", "\"sobol\""}, {"randomsearch", "\"random\""}, {"gridsearch", "\"grid\""}}};
const Family kPruners{"pruner",
                      {"none", "asha"},
                      {"hyperband", "median", "percentile", "patience", "threshold", "halving", "wilcoxon", "pbt"},
                      {{"successive_halving", "\"asha\""}, {"sha", "\"asha\""}, {"async_hyperband", "\"asha\""},
                       {"medianstop", "\"median\""}, {"bohb", "\"hyperband\""}, {"fifo", "\"none\""},
                       {"off", "\"none\""}, {"nop", "\"none\""}, {"no", "\"none\""}}};

bool known_type(const Field& field, const std::string& type, const Family& family) {
  if (contains(family.available, type)) return true;
  const std::string available = "available: " + joined(family.available);
  if (contains(family.to_come, type)) {
    field.fault("the " + family.what + " \"" + type + "\" is not available yet; " + available);
    return false;
  }
  std::vector<std::string> all = family.available;
  all.insert(all.end(), family.to_come.begin(), family.to_come.end());
  const auto peer = family.peers.find(type);
  const bool foreign = peer != family.peers.end();
  const std::string meant = foreign ? "; did you mean " + peer->second + "?" : did_you_mean(type, all);
  field.fault("no " + family.what + " is called " + shown(field.value()) + meant + " (" + available +
              "; later: " + joined(family.to_come) + ")");
  return false;
}

// The type, when it is one of the family, from "asha" or {"type": "asha", ...}.
std::optional<std::string> read_type(const Field& field, const Family& family) {
  if (field.value().is_string()) {
    const std::string type = field.value().get<std::string>();
    return known_type(field, type, family) ? std::optional(type) : std::nullopt;
  }
  if (!field.value().is_object()) {
    field.expected("the name of a " + family.what + " or an object with its \"type\"");
    return std::nullopt;
  }
  const auto type = field.value().find("type");
  if (type == field.value().end()) {
    field.faults().add_missing(field.path(), "type", "missing; one of " + joined_quoted(family.available));
    return std::nullopt;
  }
  const Field name(*type, json_path(field.path(), "type"), field.faults());
  const auto word = name.text();
  return word && known_type(name, *word, family) ? word : std::nullopt;
}

Json options_of(const Json& algorithm) {
  Json options = Json::object();
  if (!algorithm.is_object()) return options;
  for (const auto& [key, value] : algorithm.items()) {
    if (key != "type") options[key] = value;
  }
  return options;
}

AlgorithmSpec read_sampler(const Field& field) {
  const auto type = read_type(field, kSamplers);
  if (!type) return {"auto"};
  if (field.value().is_object()) {
    const Fields fields(field, "sampler_" + *type);
    if (const auto points = fields.find("points")) points->integer(1, 1'000'000);
  }
  return {*type, options_of(field.value())};
}

void check_levels(const Fields& fields, const Field& levels, std::int64_t top) {
  levels.refuse_empty();
  std::int64_t last = 0;
  for (const Field& item : levels.items("a list of whole numbers, as [1, 3, 9]")) {
    const auto level = item.integer(1, kMostInteger);
    if (!level) return;
    if (*level <= last) item.fault(shown(item.value()) + " is not above the level before it, " + std::to_string(last));
    if (*level > top) item.fault(shown(item.value()) + " is above resource.max, " + std::to_string(top));
    last = *level;
  }
  for (const char* key : {"min", "eta"}) {
    if (const auto other = fields.find(key)) other->fault("does not go with \"levels\"");
  }
}

void check_asha(const Fields& fields, const std::optional<Resource>& resource) {
  const auto top = static_cast<std::int64_t>(resource ? resource->max : 1e15);
  const auto eta = fields.find("eta"), min = fields.find("min"), levels = fields.find("levels");
  const auto factor = eta ? eta->number() : std::nullopt;
  if (factor && *factor <= 1) eta->fault(shown(eta->value()) + " is not above 1");
  const auto first = min ? min->integer(1, kMostInteger) : std::nullopt;
  if (first && *first > top) min->fault(shown(min->value()) + " is above resource.max, " + std::to_string(top));
  if (levels) check_levels(fields, *levels, top);
  if (const auto n = fields.find("n_min")) n->integer(1, kMostInteger);
  if (const auto variant = fields.find("variant")) variant->word({"promote", "stop"});
  if (const auto rounding = fields.find("promote_rounding")) rounding->word({"floor", "ceil"});
  if (const auto milestone = fields.find("milestone")) milestone->word({"first", "exact"});
  const auto brackets = fields.find("brackets");
  const auto number = brackets ? brackets->integer(1, 100) : std::nullopt;
  if (number && *number != 1) brackets->fault("more than one bracket is not available yet");
}

AlgorithmSpec read_pruner(const Field& field, const std::optional<Resource>& resource, bool checkpoint) {
  const auto type = read_type(field, kPruners);
  if (!type) return {"none"};
  AlgorithmSpec pruner{*type, options_of(field.value())};
  if (*type == "asha" && !resource)
    field.fault("asha needs to know what a trial spends; for example \"resource\": {\"name\": \"epoch\", \"max\": 27}");
  if (!field.value().is_object()) return pruner;
  const Fields fields(field, "pruner_" + *type);
  if (*type == "asha") check_asha(fields, resource);
  if (!checkpoint && pruner.options.value("variant", Json()) == "promote")
    field.faults().warn(field.path(), "without \"checkpoint\": true in \"trial\", promoted trials start anew");
  return pruner;
}

std::optional<std::uint64_t> read_seed(const Field& field) {
  const Json& value = field.value();
  const bool natural = value.is_number_unsigned() || (value.is_number_integer() && value.get<std::int64_t>() >= 0);
  if (natural) return value.get<std::uint64_t>();
  field.expected("a whole number from 0 to 18446744073709551615");
  return std::nullopt;
}

}  // namespace

SearchSpec read_search(const Fields& root, const std::optional<Resource>& resource, bool checkpoint) {
  SearchSpec search;
  if (resource) search.pruner.type = "asha";
  if (const auto field = root.find("search")) {
    const Fields fields(*field, "search");
    if (const auto sampler = fields.find("sampler")) search.sampler = read_sampler(*sampler);
    if (const auto pruner = fields.find("pruner")) search.pruner = read_pruner(*pruner, resource, checkpoint);
    if (const auto seed = fields.find("seed")) search.seed = read_seed(*seed);
  }
  const bool asha = search.pruner.type == "asha" && !search.pruner.options.contains("variant");
  if (asha) search.pruner.options["variant"] = checkpoint ? "promote" : "stop";
  return search;
}

}  // namespace hpsearch
