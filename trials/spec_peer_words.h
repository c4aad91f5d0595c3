#pragma once

#include <map>
#include <string>

namespace hpsearch {

// Words that other tools use in a section of their files, and where the same thing is said here: a key of the same
// section, or a path such as "limits.trials".
using Words = std::map<std::string, std::string>;

extern const Words kFileWords;
extern const Words kMetricWords;
extern const Words kParamWords;
extern const Words kWhenWords;
extern const Words kResourceWords;
extern const Words kSearchWords;
extern const Words kAlgorithmWords;
extern const Words kLimitsWords;
extern const Words kTrialWords;
extern const Words kHostWords;
extern const Words kSlurmWords;
extern const Words kElasticWords;
extern const Words kFilesWords;
extern const Words kCollectWords;
extern const Words kElementWords;

}  // namespace hpsearch
