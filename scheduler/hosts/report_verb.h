#pragma once

#include <string>
#include <vector>

namespace hpsearch {

// `hpsearch report [STEP] NAME=VALUE... [--checkpoint=NAME]`, for trials that are shell scripts. A first argument
// that is a plain number is the step; without it the values are closing ones. Each other argument is one metric, its
// name up to the first "=", its value passed on unchanged. Returns the exit status: 0 go on, 3 pause or stop, 2 the
// report is malformed or refused. Outside hpsearch the report is printed and the status is 0.
int report_main(const std::vector<std::string>& args);

}  // namespace hpsearch
