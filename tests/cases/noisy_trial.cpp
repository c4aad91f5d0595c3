// The trial of case IN-4: five megabytes of noise on one stream, unflushed lines on the other, reports in between.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <thread>

#include "trials/reporter.h"

int main(int argc, char** argv) {
  const std::chrono::milliseconds pause(argc > 1 ? std::atoi(argv[1]) : 1000);
  hpsearch::Reporter reporter;
  for (int i = 0; i < 200000; ++i) std::fputs("noise on the error stream\n", stderr);
  for (int step = 1; step <= 10; ++step) {
    std::cout << "epoch " << step << '\n';
    reporter.report(step, {{"loss", 1.0 / step}});
    std::this_thread::sleep_for(pause);
  }
  reporter.report({{"loss", 0.1}});
}
