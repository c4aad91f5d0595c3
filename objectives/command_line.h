#pragma once

#include <CLI/CLI.hpp>

#include <functional>

namespace hpsearch {

// The frame of an objective's main: parses the options bound to `app`, runs `body`, and returns the exit status:
// 0, 2 when the command line is wrong, 1 when `body` threw (the message goes to standard error).
int run_objective(CLI::App& app, int argc, char** argv, const std::function<void()>& body);

}  // namespace hpsearch
