#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "trials/number.h"
#include "trials/spec_parts.h"
#include "trials/suggestion.h"

namespace hpsearch {
namespace {

const std::vector<std::string> kTypes{"float", "int", "choice", "categorical"};

// Types of other tools: the type meant here and how to write it.
struct PeerType {
  std::string word, type, advice;
};
const std::vector<PeerType> kPeerTypes{
    {"integer", "int", "did you mean \"int\"?"},
    {"quniform", "float", "did you mean \"float\" with \"step\"?"},
    {"randint", "int", "did you mean \"int\"?"},
    {"real", "float", "did you mean \"float\"?"},
    {"double", "float", "did you mean \"float\"?"},
    {"number", "float", "did you mean \"float\"?"},
    {"uniform", "float", "did you mean \"float\"?"},
    {"loguniform", "float", "did you mean \"float\" with \"log\": true?"},
    {"log_uniform", "float", "did you mean \"float\" with \"log\": true?"},
    {"log_uniform_values", "float", "did you mean \"float\" with \"log\": true?"},
    {"qloguniform", "float", "did you mean \"float\" with \"log\": true?"},
    {"log", "float", "did you mean \"float\" with \"log\": true?"},
    {"discrete", "choice", "did you mean \"choice\"?"},
    {"ordinal", "choice", "did you mean \"choice\" with \"ordered\": true?"},
    {"ordered", "choice", "did you mean \"choice\" with \"ordered\": true?"},
    {"bool", "choice", "write [true, false]"},
    {"boolean", "choice", "write [true, false]"},
    {"constant", "choice", "a fixed parameter is written as its value alone"},
    {"fixed", "choice", "a fixed parameter is written as its value alone"}};

// A word of other tools or a slip; the type meant, to go on with.
std::string meant_type(const Field& type, const std::string& word) {
  const auto named = [&word](const PeerType& peer) { return peer.word == word; };
  const auto peer = std::find_if(kPeerTypes.begin(), kPeerTypes.end(), named);
  const std::string known = "known: " + joined(kTypes);
  const std::string unknown = "unknown type " + shown(type.value()) + "; ";
  if (peer != kPeerTypes.end()) {
    type.fault(unknown + peer->advice + " (" + known + ")");
    return peer->type;
  }
  const auto nearest = nearest_word(word, kTypes);
  type.fault(unknown + (nearest ? "did you mean \"" + *nearest + "\"? (" + known + ")" : known));
  return nearest.value_or("");
}

std::string type_of(const Field& param) {
  const Json& object = param.value();
  const auto type = object.find("type");
  if (type == object.end()) {
    if (object.contains("choices")) return "choice";
    param.faults().add_missing(param.path(), "type", "missing; \"float\", \"int\" or \"choice\"");
    return object.contains("values") ? "choice" : "float";
  }
  const Field field(*type, json_path(param.path(), "type"), param.faults());
  const auto word = field.text();
  if (!word) return "";
  return std::find(kTypes.begin(), kTypes.end(), *word) != kTypes.end() ? *word : meant_type(field, *word);
}

bool flag(const Fields& fields, const std::string& key) {
  const auto field = fields.find(key);
  return field && field->truth().value_or(false);
}

void refuse_log_step(const Fields& fields, bool log) {
  const auto step = fields.find("step");
  if (log && step) step->fault("\"step\" does not go with \"log\"");
}

// Messages of the order of two bounds name the lower one's place.
template <typename Number>
bool ordered(const Field& low, Number lower, Number upper, const std::string& shown_upper) {
  if (lower <= upper) return true;
  low.fault(shown(low.value()) + " is above \"high\", " + shown_upper);
  return false;
}

void check_float(const Fields& fields, const FloatDomain& domain, const Field& low, const Field& high) {
  if (!ordered(low, domain.low, domain.high, shown(high.value()))) return;
  if (domain.log && !(domain.low > 0)) low.fault(shown(low.value()) + " is not above 0, as \"log\" needs it");
  if (!std::isfinite(domain.high - domain.low)) high.fault("high - low is beyond a double");
  if (domain.step && (domain.high - domain.low) / *domain.step > kExactIntegers)
    fields.find("step")->fault(shown(fields.find("step")->value()) + " makes more than 2^53 values");
}

FloatDomain read_float(const Fields& fields) {
  FloatDomain domain;
  const auto low = fields.require("low", "1e-4"), high = fields.require("high", "0.1");
  const auto lower = low ? low->number() : std::nullopt, upper = high ? high->number() : std::nullopt;
  domain.log = flag(fields, "log");
  if (const auto step = fields.find("step")) domain.step = step->positive();
  refuse_log_step(fields, domain.log);
  if (!lower || !upper) return domain;
  domain.low = *lower;
  domain.high = *upper;
  check_float(fields, domain, *low, *high);
  return domain;
}

IntDomain read_int(const Fields& fields) {
  IntDomain domain;
  const auto low = fields.require("low", "1"), high = fields.require("high", "8");
  const auto lower = low ? low->integer(kLeastInteger, kMostInteger) : std::nullopt;
  const auto upper = high ? high->integer(kLeastInteger, kMostInteger) : std::nullopt;
  domain.log = flag(fields, "log");
  if (const auto step = fields.find("step")) domain.step = step->integer(1, kMostInteger).value_or(1);
  refuse_log_step(fields, domain.log);
  if (!lower || !upper) return domain;
  domain.low = *lower;
  domain.high = *upper;
  if (domain.log && domain.low < 1) low->fault(shown(low->value()) + " is below 1, the least that \"log\" takes");
  ordered(*low, domain.low, domain.high, shown(high->value()));
  return domain;
}

Domain read_domain(const std::string& type, const Field& param) {
  if (type == "int") return read_int(Fields(param, "param_int"));
  if (type == "float") return read_float(Fields(param, "param_float"));
  const Fields fields(param, "param_choice");
  ChoiceDomain domain;
  domain.ordered = flag(fields, "ordered");
  if (const auto choices = fields.require("choices", "[\"sgd\", \"adam\"]")) domain.choices = read_choices(*choices);
  return domain;
}

// The same text for values that a program can't tell apart: 1 and 1.0, objects whose keys stand in another order.
std::string equal_text(const Json& value) {
  const double number = value.is_number_float() ? value.get<double>() : 0.5;
  const bool whole = number == std::trunc(number) && std::abs(number) < static_cast<double>(kMostInteger);
  if (whole) return std::to_string(static_cast<std::int64_t>(number));
  if (!value.is_structured()) return compact(value);
  std::vector<std::string> parts;
  for (const auto& [key, part] : value.items()) parts.push_back((value.is_object() ? compact(Json(key)) + ":" : "") + equal_text(part));
  if (value.is_object()) std::sort(parts.begin(), parts.end());
  return (value.is_object() ? "{" : "[") + joined(parts) + "]";
}

std::optional<Json> read_was(const Field& was, const Domain& domain) {
  if (const auto fault = domain_fault(domain, was.value())) was.fault(*fault);
  if (was.value().is_number_integer() && std::holds_alternative<FloatDomain>(domain)) return Json(was.value().get<double>());
  return std::optional(was.value());
}

}  // namespace

std::vector<Json> read_choices(const Field& list) {
  list.refuse_empty("a list of choices must not be empty");
  std::vector<Json> choices;
  std::map<std::string, std::size_t> places;
  for (const Field& item : list.items("a list of choices, as [16, 32, 64]")) {
    if (!item.passable()) continue;
    const auto [twin, fresh] = places.emplace(equal_text(item.value()), choices.size());
    if (fresh) choices.push_back(item.value());
    else if (const Json& first = choices[twin->second]; first.is_number() && !same_value(first, item.value()))
      item.fault(shown(first) + " and " + shown(item.value()) + " are the same number; keep one");
    else item.fault("the choice " + shown(item.value()) + " is given twice");
  }
  return choices;
}

Param read_typed_param(const Field& param, const ParamScope& above) {
  Param result{param.key(), FixedDomain{}, {}};
  const std::string type = type_of(param);
  if (!type.empty()) result.domain = read_domain(type, param);
  const auto when = param.value().find("when"), was = param.value().find("was");
  if (when != param.value().end())
    result.when = read_conditions(Field(*when, json_path(param.path(), "when"), param.faults()), above);
  if (was != param.value().end()) result.was = read_was(Field(*was, json_path(param.path(), "was"), param.faults()), result.domain);
  return result;
}

}  // namespace hpsearch
