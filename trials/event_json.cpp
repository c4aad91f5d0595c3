#include <cmath>
#include <stdexcept>
#include <type_traits>

#include "trials/event.h"
#include "trials/event_fields.h"
#include "trials/event_names.h"
#include "trials/number.h"

namespace hpsearch {

namespace {

template <typename T> constexpr bool is_optional = false;
template <typename T> constexpr bool is_optional<std::optional<T>> = true;
template <typename T> constexpr bool is_vector = false;
template <typename T> constexpr bool is_vector<std::vector<T>> = true;

struct FieldWriter {
  Json& out;
  template <typename T> void operator()(const char* name, T& field);
};

struct FieldReader {
  const Json& in;
  template <typename T> void operator()(const char* name, T& field);
};

template <typename T>
Json encode(T& value) {
  if constexpr (std::is_same_v<T, Json> || std::is_same_v<T, std::string> || std::is_integral_v<T>) {
    return value;
  } else if constexpr (std::is_same_v<T, double>) {
    return std::isfinite(value) ? Json(value) : Json(format_number(value));  // JSON has no NaN.
  } else if constexpr (std::is_enum_v<T>) {
    return to_string(value);
  } else if constexpr (std::is_same_v<T, Time>) {
    return value.time_since_epoch().count();
  } else if constexpr (is_optional<T>) {
    return value ? encode(*value) : Json();
  } else if constexpr (is_vector<T>) {
    Json list = Json::array();
    for (auto& element : value) list.push_back(encode(element));
    return list;
  } else {
    Json object = Json::object();
    FieldWriter writer{object};
    fields(writer, value);
    return object;
  }
}

template <typename T>
void decode(const Json& json, T& value) {
  if constexpr (std::is_same_v<T, Json>) {
    value = json;
  } else if constexpr (std::is_same_v<T, double>) {
    value = json.is_string() ? parse_number(json.get<std::string>()).value_or(std::nan("")) : json.get<double>();
  } else if constexpr (std::is_same_v<T, std::string> || std::is_integral_v<T>) {
    value = json.get<T>();
  } else if constexpr (std::is_enum_v<T>) {
    parse_name(json.get<std::string>(), value);
  } else if constexpr (std::is_same_v<T, Time>) {
    value = Time(Span(json.get<std::int64_t>()));
  } else if constexpr (is_optional<T>) {
    if (json.is_null()) value.reset();
    else decode(json, value.emplace());
  } else if constexpr (is_vector<T>) {
    value.clear();
    for (const Json& element : json) decode(element, value.emplace_back());
  } else {
    FieldReader reader{json};
    fields(reader, value);
  }
}

// Fields that hold nothing are left out: most events are a few words.
bool empty(const Json& json) {
  return json.is_null() || (json.is_string() && json.get_ref<const std::string&>().empty()) ||
         (json.is_array() && json.empty());
}

template <typename T>
void FieldWriter::operator()(const char* name, T& field) {
  Json json = encode(field);
  if (!empty(json)) out[name] = std::move(json);
}

template <typename T>
void FieldReader::operator()(const char* name, T& field) {
  if (auto found = in.find(name); found != in.end()) decode(*found, field);
}

template <typename T> constexpr const char* kind_of = nullptr;
template <> constexpr const char* kind_of<StudyCreated> = "study_created";
template <> constexpr const char* kind_of<SpecChanged> = "spec_changed";
template <> constexpr const char* kind_of<SessionStarted> = "session_started";
template <> constexpr const char* kind_of<HostSeen> = "host_seen";
template <> constexpr const char* kind_of<AttemptStarted> = "attempt_started";
template <> constexpr const char* kind_of<Reported> = "reported";
template <> constexpr const char* kind_of<ReportRejected> = "report_rejected";
template <> constexpr const char* kind_of<AttemptEnded> = "attempt_ended";
template <> constexpr const char* kind_of<CheckpointSaved> = "checkpoint_saved";
template <> constexpr const char* kind_of<Contended> = "contended";
template <> constexpr const char* kind_of<Enqueued> = "enqueued";
template <> constexpr const char* kind_of<Excluded> = "excluded";
template <> constexpr const char* kind_of<StopRequested> = "stop_requested";
template <> constexpr const char* kind_of<Interrupted> = "interrupted";
template <> constexpr const char* kind_of<SessionEnded> = "session_ended";
template <> constexpr const char* kind_of<TrialSuggested> = "trial_suggested";
template <> constexpr const char* kind_of<AttemptPlanned> = "attempt_planned";
template <> constexpr const char* kind_of<Judged> = "judged";
template <> constexpr const char* kind_of<Promoted> = "promoted";
template <> constexpr const char* kind_of<EndOrdered> = "end_ordered";
template <> constexpr const char* kind_of<TrialSettled> = "trial_settled";
template <> constexpr const char* kind_of<HostOrdered> = "host_ordered";
template <> constexpr const char* kind_of<StudyEnded> = "study_ended";

template <typename V, std::size_t I = 0>
std::optional<V> decode_variant(const std::string& kind, const Json& body) {
  if constexpr (I < std::variant_size_v<V>) {
    using E = std::variant_alternative_t<I, V>;
    if (kind != kind_of<E>) return decode_variant<V, I + 1>(kind, body);
    E event;
    decode(body, event);
    return event;
  } else {
    return std::nullopt;
  }
}

}  // namespace

std::string event_kind(const std::variant<Fact, Decision>& body) {
  return std::visit(
      [](const auto& group) {
        return std::visit([](const auto& event) { return std::string(kind_of<std::decay_t<decltype(event)>>); }, group);
      },
      body);
}

Json event_body(const std::variant<Fact, Decision>& body) {
  return std::visit(
      [](const auto& group) {
        return std::visit([](auto event) { return encode(event); }, group);  // By value: encode takes references.
      },
      body);
}

std::variant<Fact, Decision> parse_event(const std::string& kind, const Json& body) try {
  if (auto fact = decode_variant<Fact>(kind, body)) return *fact;
  if (auto decision = decode_variant<Decision>(kind, body)) return *decision;
  throw std::invalid_argument("unknown event kind \"" + kind + "\"");
} catch (const Json::exception& error) {
  throw std::invalid_argument("event " + kind + ": " + error.what());
}

}  // namespace hpsearch
