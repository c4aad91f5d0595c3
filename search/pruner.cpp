#include "search/pruner.h"

#include "search/asha.h"
#include "search/no_pruner.h"
#include "trials/user_error.h"

namespace hpsearch {

std::unique_ptr<Pruner> make_pruner(const StudySpec& spec) {
  const std::string& type = spec.search.pruner.type;
  if (type == "none") return std::make_unique<NoPruner>(spec.resource);
  if (type == "asha") return std::make_unique<Asha>(asha_options(spec));
  throw UserError("search.pruner: \"" + type + "\" is not a pruner; known are none, asha");
}

}  // namespace hpsearch
