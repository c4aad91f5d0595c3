// A trial that does nothing but report, and writes how long each answer took: one line a report with the milliseconds
// until the verdict and, with `probe`, those of an fsync of 8 KB appended to a file beside OUT, made between two
// reports, so that both are measured under the same load.
// Usage: reporting_trial STEPS OUT [probe]

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "trials/reporter.h"

namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) { return std::chrono::duration<double, std::milli>(Clock::now() - begin).count(); }

class FsyncProbe {
 public:
  explicit FsyncProbe(const std::string& file) : fd_(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644)) {}
  ~FsyncProbe() { ::close(fd_); }

  double measure() {
    const std::string page(8192, 'x');
    if (::write(fd_, page.data(), page.size()) < 0) std::perror("probe");
    const auto begin = Clock::now();
    ::fsync(fd_);
    return since(begin);
  }

 private:
  int fd_;
};

struct Line {
  double report_ms = 0, fsync_ms = 0;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::fprintf(stderr, "usage: reporting_trial STEPS OUT [probe]\n"), 2;
  const int steps = std::atoi(argv[1]);
  const std::string out = argv[2];
  const bool probing = argc > 3 && std::strcmp(argv[3], "probe") == 0;
  hpsearch::Reporter reporter;
  FsyncProbe probe(probing ? out + ".probe" : "/dev/null");
  std::vector<Line> lines(steps);
  for (int step = 1; step <= steps; ++step) {
    Line& line = lines[step - 1];
    const auto begin = Clock::now();
    const bool go_on = reporter.report(step, {{"loss", 1.0 / step}});
    line.report_ms = since(begin);
    if (probing) line.fsync_ms = probe.measure();
    if (!go_on) break;
  }
  std::FILE* file = std::fopen(out.c_str(), "w");
  for (const Line& line : lines) std::fprintf(file, "%.4f %.4f\n", line.report_ms, line.fsync_ms);
  std::fclose(file);
}
