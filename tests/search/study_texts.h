#pragma once

#include <limits>
#include <string>

namespace hpsearch::testing {

inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kInf = std::numeric_limits<double>::infinity();

// Space files for tests of search: one searched parameter unless `params` says otherwise.
struct StudyText {
  std::string params = R"({"x": {"type": "float", "low": 0, "high": 1}})";
  std::string constraints = "[]";
  std::string sampler = R"("random")";
  std::string pruner = R"("none")";
  std::string resource;  // Members of the object; empty: none.
  std::string goal = "minimize";
  std::string limits = R"({"trials": 1000000})";
  bool checkpoint = false;

  std::string text() const {
    return R"({"command": ["train", "{args}"], "metric": {"name": "loss", "goal": ")" + goal + R"("}, "params": )" +
           params + R"(, "constraints": )" + constraints + R"(, "search": {"sampler": )" + sampler + R"(, "pruner": )" +
           pruner + R"(}, "limits": )" + limits + R"(, "trial": {"checkpoint": )" + (checkpoint ? "true" : "false") +
           "}" + (resource.empty() ? "" : R"(, "resource": {"name": "epoch", )" + resource + "}") + "}";
  }
};

inline std::string resource_text(int min, int max) {
  return R"("min": )" + std::to_string(min) + R"(, "max": )" + std::to_string(max);
}

// ASHA over min..max (`eta` is left out where levels are listed); `options` are further members of the pruner's object, each with a comma before it.
inline std::string asha_text(const std::string& variant, int eta, int min, int max, const std::string& options = "",
                             const std::string& goal = "minimize") {
  StudyText study;
  const bool listed = options.find("levels") != options.npos;
  const std::string step = listed ? "" : R"(, "eta": )" + std::to_string(eta);
  study.pruner = R"({"type": "asha", "variant": ")" + variant + "\"" + step + options + "}";
  study.resource = resource_text(min, max);
  study.goal = goal;
  study.checkpoint = variant == "promote";
  return study.text();
}

}  // namespace hpsearch::testing
