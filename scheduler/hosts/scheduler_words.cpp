#include "scheduler/hosts/scheduler_words.h"

namespace hpsearch {

namespace {

struct Writer {
  Json operator()(const Hello& hello) const { return {{"hello", "scheduler"}, {"from", hello.from}}; }
  Json operator()(const VerdictWord& word) const {
    return {{"verdict", to_string(word.verdict)}, {"milestone", word.milestone}};
  }
  Json operator()(const OrderWord& word) const { return {{"order", to_string(word.order)}}; }
};

template <typename Enum>
std::optional<Enum> named(const std::string& name, std::initializer_list<Enum> all) {
  for (Enum value : all)
    if (to_string(value) == name) return value;
  return std::nullopt;
}

std::optional<SchedulerWord> read_verdict(const Json& json) {
  const auto verdict =
      named(json.at("verdict"), {Verdict::go_on, Verdict::pause, Verdict::stop, Verdict::complete});
  if (!verdict) return std::nullopt;
  return VerdictWord{*verdict, json.at("milestone").get<std::optional<double>>()};
}

std::optional<SchedulerWord> read_order(const Json& json) {
  const auto order = named(json.at("order"), {OrderKind::pause_at_report, OrderKind::terminate, OrderKind::kill});
  if (!order) return std::nullopt;
  return OrderWord{*order};
}

}  // namespace

std::string word_text(const SchedulerWord& word) { return std::visit(Writer{}, word).dump() + '\n'; }

std::optional<SchedulerWord> parse_word(std::string_view line) {
  try {
    const Json json = Json::parse(line);
    if (json.contains("hello")) return Hello{json.at("from").get<std::uint64_t>()};
    if (json.contains("verdict")) return read_verdict(json);
    if (json.contains("order")) return read_order(json);
    return std::nullopt;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace hpsearch
