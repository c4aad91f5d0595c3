#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace hpsearch {

// A parameter's value, a setting, the body of an event. Objects of parameters keep the order of the space file.
using Json = nlohmann::ordered_json;

// One line, whole; bytes that are no UTF-8 are replaced.
inline std::string compact(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace hpsearch

// An absent optional is left out of objects by the writers and is null elsewhere.
template <typename T>
struct nlohmann::adl_serializer<std::optional<T>> {
  template <typename J>
  static void to_json(J& json, const std::optional<T>& value) {
    if (value) json = *value;
    else json = nullptr;
  }
  template <typename J>
  static void from_json(const J& json, std::optional<T>& value) {
    if (json.is_null()) value.reset();
    else value = json.template get<T>();
  }
};
