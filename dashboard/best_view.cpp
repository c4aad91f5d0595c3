#include "dashboard/best_view.h"

#include <algorithm>

#include "dashboard/text_width.h"
#include "dashboard/trial_view.h"
#include "dashboard/value_text.h"
#include "trials/command.h"
#include "trials/number.h"

namespace hpsearch {

namespace {

std::string level_text(const Study& study, const Trial& trial) {
  if (!study.spec().resource || trial.resource <= 0) return "";
  return " at " + one_line(study.spec().resource->name) + " " + format_number(trial.resource);
}

std::string exact_params(const Json& params) {
  std::size_t width = 0;
  for (auto it = params.begin(); it != params.end(); ++it) width = std::max(width, text_width(one_line(it.key())));
  std::string text;
  for (auto it = params.begin(); it != params.end(); ++it)
    text += "  " + pad_right(one_line(it.key()), width) + "  " + one_line(argument_text(it.value())) + "\n";
  return text;
}

}  // namespace

std::vector<int> ranking(const Study& study, std::size_t top) {
  std::vector<int> numbers;
  for (const Trial& trial : study.trials())
    if (study.ranks(trial)) numbers.push_back(trial.number);
  const auto before = [&](int a, int b) { return study.ranks_before(study.trial(a), study.trial(b)); };
  const auto middle = numbers.begin() + static_cast<std::ptrdiff_t>(std::min(top, numbers.size()));
  std::partial_sort(numbers.begin(), middle, numbers.end(), before);
  numbers.erase(middle, numbers.end());
  return numbers;
}

std::optional<int> better_unfinished(const Study& study) {
  const std::optional<int> best = study.best();
  if (!best || study.trial(*best).state != TrialState::completed) return std::nullopt;
  std::optional<int> found;
  double threshold = study.trial(*best).value->number;
  for (const Trial& trial : study.trials()) {
    if (!study.ranks(trial) || !study.better(trial.value->number, threshold)) continue;
    found = trial.number;
    threshold = trial.value->number;
  }
  return found;
}

std::string better_unfinished_note(const Study& study) {
  const std::optional<int> number = better_unfinished(study);
  if (!number) return "";
  const Trial& trial = study.trial(*number);
  return "trial " + std::to_string(*number) + " (" + to_string(trial.state) + level_text(study, trial) + ") has " +
         short_value(trial.value) + ", better than every completed trial, but was not run to the end";
}

std::string best_text(const Study& study, int number) {
  const Trial& trial = study.trial(number);
  const std::string closing = closing_text(trial);
  return "trial " + std::to_string(number) + ": " + one_line(study.spec().metric().name) + " " +
         exact_value(trial.value) + level_text(study, trial) + " (" + state_text(view_of(trial)) + ")" +
         (closing.empty() ? "" : ", " + closing) + "\n" + exact_params(trial.suggestion.params);
}

std::string ranking_table(const Study& study, const std::vector<int>& trials) {
  std::vector<TrialView> views;
  for (int number : trials) views.push_back(view_of(study.trial(number)));
  return trials_table(views, study.spec().metric().name, study.spec().resource ? study.spec().resource->name : "step");
}

Json ranking_json(const Study& study, const std::vector<int>& trials) {
  Json rows = Json::array();
  for (int number : trials) {
    rows.push_back(trial_json(view_of(study.trial(number))));
    rows.back()["closing_metrics"] = closing_metrics(study.trial(number));
  }
  const std::optional<int> better = better_unfinished(study);
  return {{"study", study.name()},
          {"metric", study.spec().metric().name},
          {"goal", study.spec().maximize() ? "maximize" : "minimize"},
          {"resource", study.spec().resource ? Json(study.spec().resource->name) : Json(nullptr)},
          {"best", std::move(rows)},
          {"better_unfinished", better ? Json(*better) : Json(nullptr)}};
}

}  // namespace hpsearch
