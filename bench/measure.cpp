// Runs a command so many times, its output thrown away, and prints one line of JSON: median wall time and CPU time in
// milliseconds, largest resident set in MB. A program of its own because a child's resident set counts from its
// parent's: a Python driver would measure Python.
// Usage: measure RUNS COMMAND [ARGUMENT...]

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

struct Run {
  double wall_ms = 0, cpu_ms = 0, rss_mb = 0;
  int status = 0;
};

double milliseconds(const timeval& time) { return time.tv_sec * 1e3 + time.tv_usec / 1e3; }

[[noreturn]] void become(char** command) {
  const int nothing = ::open("/dev/null", O_RDWR);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(nothing, STDOUT_FILENO);
  ::execvp(command[0], command);
  std::perror(command[0]);
  ::_exit(127);
}

Run run(char** command) {
  const auto begin = std::chrono::steady_clock::now();
  const pid_t child = ::fork();
  if (child == 0) become(command);
  Run run;
  rusage usage{};
  ::wait4(child, &run.status, 0, &usage);
  run.wall_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  run.cpu_ms = milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime);
  run.rss_mb = usage.ru_maxrss / 1024.0;
  return run;
}

double median(const std::vector<Run>& runs, double Run::* what) {
  std::vector<double> values;
  for (const Run& run : runs) values.push_back(run.*what);
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 2 ? std::atoi(argv[1]) : 0;
  if (count < 1) return std::fprintf(stderr, "usage: measure RUNS COMMAND [ARGUMENT...]\n"), 2;
  std::vector<Run> runs;
  for (int i = 0; i < count; ++i) {
    runs.push_back(run(argv + 2));
    if (runs.back().status != 0) return std::fprintf(stderr, "%s failed\n", argv[2]), 1;
  }
  double rss = 0;
  for (const Run& run : runs) rss = std::max(rss, run.rss_mb);
  std::printf("{\"wall_ms\": %.3f, \"cpu_ms\": %.3f, \"rss_mb\": %.2f}\n", median(runs, &Run::wall_ms),
              median(runs, &Run::cpu_ms), rss);
}
