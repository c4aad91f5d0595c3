#include "scheduler/hosts/event_log_file.h"

#include <gtest/gtest.h>

#include <fstream>

#include "scheduler/hosts/text_file.h"
#include "trial_lab.h"

namespace hpsearch::testing {
namespace {

std::string line(int seq) { return events_text({static_cast<std::uint64_t>(seq), Time{}, Report{{}, {{"a", MetricValue(seq)}}, ""}}); }

TEST(EventLogFile, GivesLinesFromAnyNumberOn) {
  TemporaryFolder home;
  EventLogFile log(home.path() / "events.jsonl");
  for (int i = 1; i <= 5; ++i) log.append(line(i));
  EXPECT_EQ(log.lines_from(4, 1000), line(4) + '\n' + line(5) + '\n');
  EXPECT_EQ(log.lines_from(1, 1000).size(), 5 * (line(1).size() + 1));
  EXPECT_EQ(log.lines_from(6, 1000), "");
  log.append(line(6));
  EXPECT_EQ(log.lines_from(6, 1000), line(6) + '\n');
}

TEST(EventLogFile, ALongLogIsReadInPieces) {
  TemporaryFolder home;
  EventLogFile log(home.path() / "events.jsonl");
  constexpr int kLines = 5000;
  for (int i = 1; i <= kLines; ++i) log.append(line(i));
  int next = 1;
  while (true) {
    const std::string text = log.lines_from(next, 10'000);
    if (text.empty()) break;
    EXPECT_TRUE(text.starts_with(line(next)));
    next += static_cast<int>(std::count(text.begin(), text.end(), '\n'));
  }
  EXPECT_EQ(next, kLines + 1);
}

TEST(EventLogFile, WhatTheDiskRefusesWaitsAndIsWrittenLater) {
  TemporaryFolder home;
  const auto file = home.path() / "later" / "events.jsonl";
  EventLogFile log(file);
  log.append(line(1));
  log.append(line(2));
  EXPECT_FALSE(log.flush());
  EXPECT_EQ(log.lines_from(2, 1000), line(2) + '\n');
  std::filesystem::create_directory(home.path() / "later");
  EXPECT_TRUE(log.flush());
  EXPECT_EQ(read_file(file), line(1) + '\n' + line(2) + '\n');
}

TEST(EventLogFile, ReadersStopAtATornOrDamagedLine) {
  TemporaryFolder home;
  const auto file = home.path() / "events.jsonl";
  const auto seen = [&](std::uint64_t after) {
    std::vector<std::uint64_t> seqs;
    read_events(file, after, [&](const EventsLine& line) { seqs.push_back(line.seq); });
    return seqs;
  };
  EXPECT_TRUE(seen(0).empty());
  std::ofstream(file) << line(1) << '\n' << line(2) << '\n' << line(3).substr(0, 20);
  EXPECT_EQ(seen(0), (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(seen(1), (std::vector<std::uint64_t>{2}));
  std::ofstream(file) << line(1) << '\n' << "gibberish\n" << line(3) << '\n';
  EXPECT_EQ(seen(0), (std::vector<std::uint64_t>{1}));
}

}  // namespace
}  // namespace hpsearch::testing
