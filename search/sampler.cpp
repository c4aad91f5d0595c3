#include "search/sampler.h"

#include "search/grid_sampler.h"
#include "search/random_sampler.h"
#include "trials/user_error.h"

namespace hpsearch {

std::unique_ptr<Sampler> make_sampler(const StudySpec& spec, std::uint64_t seed) {
  const std::string& type = spec.search.sampler.type;
  if (type == "random" || type == "auto") return std::make_unique<RandomSampler>(spec, seed);
  if (type == "grid") return std::make_unique<GridSampler>(spec);
  throw UserError("search.sampler: \"" + type + "\" is not a sampler; known are auto, grid, random");
}

}  // namespace hpsearch
