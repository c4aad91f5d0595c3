#include "scheduler/hosts/report_verb.h"

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "trials/json_scanner.h"
#include "trials/number.h"
#include "trials/report_channel.h"
#include "trials/report_parts.h"

namespace hpsearch {

namespace {

constexpr int kGoOn = 0, kRefused = 2, kEnd = 3;
constexpr std::string_view kCheckpoint = "--checkpoint=";

Report read_arguments(const std::vector<std::string>& args) {
  Report report;
  for (const std::string& arg : args) {
    if (!valid_utf8(arg)) throw std::invalid_argument("not UTF-8: an argument");
    const std::size_t equals = arg.find('=');
    if (arg.starts_with(kCheckpoint)) report.checkpoint = arg.substr(kCheckpoint.size());
    else if (equals != std::string::npos) add_metric(report, arg.substr(0, equals), arg.substr(equals + 1));
    else if (&arg == &args.front() && parse_number(arg)) report.step = *parse_number(arg);
    else throw std::invalid_argument("neither a step nor NAME=VALUE: \"" + arg + "\"");
  }
  check_report(report);
  return report;
}

int refuse(const std::string& reason) {
  std::fprintf(stderr, "hpsearch report: %s\n", reason.c_str());
  return kRefused;
}

}  // namespace

int report_main(const std::vector<std::string>& args) {
  try {
    const Report report = read_arguments(args);
    const char* path = std::getenv("HPSEARCH_CHANNEL");
    if (!path || !*path) {
      std::printf("hpsearch: %s\n", report_text(report).c_str());
      return kGoOn;
    }
    const std::optional<Reply> reply = ReportChannel(path).exchange(report);
    if (!reply) {
      std::fprintf(stderr, "hpsearch report: %s does not answer; the report is dropped\n", path);
      return kGoOn;
    }
    if (!reply->error.empty()) return refuse(reply->error);
    return reply->go_on ? kGoOn : kEnd;
  } catch (const std::invalid_argument& fault) {
    return refuse(fault.what());
  }
}

}  // namespace hpsearch
