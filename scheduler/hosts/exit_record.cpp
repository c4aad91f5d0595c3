#include "scheduler/hosts/exit_record.h"

#include "scheduler/hosts/text_file.h"

namespace hpsearch {

namespace {

constexpr EndKind kKinds[] = {EndKind::exited, EndKind::signalled,     EndKind::timed_out,
                              EndKind::silent, EndKind::launch_failed, EndKind::lost};

std::optional<EndKind> kind_named(const std::string& name) {
  for (EndKind kind : kKinds)
    if (to_string(kind) == name) return kind;
  return std::nullopt;
}

}  // namespace

std::string exit_text(const ExitRecord& record) {
  const AttemptEnd& end = record.end;
  Json json = {{"kind", to_string(end.kind)},
               {"code", end.code},
               {"ordered", end.ordered},
               {"detail", as_utf8(end.detail)},
               {"at", record.at.time_since_epoch().count()},
               {"log_tail", as_utf8(end.log_tail)}};
  if (record.rank > 0) json["rank"] = record.rank;
  if (!end.out_of_memory.empty()) json["out_of_memory"] = end.out_of_memory;
  return json.dump();
}

std::optional<ExitRecord> parse_exit(std::string_view text) {
  try {
    const Json json = Json::parse(text);
    const auto kind = kind_named(json.at("kind").get<std::string>());
    if (!kind) return std::nullopt;
    ExitRecord record;
    record.end = {*kind, json.at("code"), json.at("ordered"), json.at("detail"), json.at("log_tail"), json.value("out_of_memory", "")};
    record.at = Time(Span(json.at("at").get<std::int64_t>()));
    record.rank = json.value("rank", 0);
    return record;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

}  // namespace hpsearch
