#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/fuzz/targets.h"

namespace hpsearch::fuzz {
namespace {

struct Target {
  const char* name;
  void (*run)(std::string_view);
};

class FuzzCorpus : public ::testing::TestWithParam<Target> {};

TEST_P(FuzzCorpus, StoredInputsKeepTheReadersPromises) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(HPSEARCH_CORPUS) / GetParam().name)) {
    std::ostringstream text;
    text << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    SCOPED_TRACE(entry.path().string());
    GetParam().run(text.str());
    ++count;
  }
  EXPECT_GT(count, 0);
}

INSTANTIATE_TEST_SUITE_P(Targets, FuzzCorpus,
                         ::testing::Values(Target{"space_file", space_file}, Target{"report_line", report_line},
                                           Target{"events_line", events_line}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace hpsearch::fuzz
