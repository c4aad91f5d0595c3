#pragma once

#include <optional>

#include "search/pruner.h"

namespace hpsearch {

// Stops nobody: a trial ends by itself or, where the study has a resource, at its maximum.
class NoPruner : public Pruner {
 public:
  explicit NoPruner(const std::optional<Resource>& resource);

  void apply(const Study&, const Event&) override {}
  Admission admit(const Study& study) const override;
  Judgement judge(const Study& study, const Reported& report, double value) const override;
  std::optional<Promotion> next(const Study&) const override { return std::nullopt; }

 private:
  std::string resource_;
  std::optional<double> top_;
};

}  // namespace hpsearch
