#include "scheduler/hosts/exit_record.h"

#include <gtest/gtest.h>

namespace hpsearch {
namespace {

TEST(ExitRecord, ReadsWhatItWrites) {
  for (EndKind kind : {EndKind::exited, EndKind::signalled, EndKind::timed_out, EndKind::silent, EndKind::launch_failed, EndKind::lost}) {
    const ExitRecord record{{kind, 9, true, "over \"5s\"", "last\nwords", "CUDA out of memory"}, Time(Span(1234))};
    const auto read = parse_exit(exit_text(record));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->end.kind, kind);
    EXPECT_EQ(read->end.code, 9);
    EXPECT_TRUE(read->end.ordered);
    EXPECT_EQ(read->end.detail, "over \"5s\"");
    EXPECT_EQ(read->end.log_tail, "last\nwords");
    EXPECT_EQ(read->end.out_of_memory, "CUDA out of memory");
    EXPECT_EQ(read->at, record.at);
  }
}

TEST(ExitRecord, BytesThatAreNoTextAreReplaced) {
  const auto read = parse_exit(exit_text({{EndKind::exited, 0, false, "", "a\xff\xfe é"}, Time{}}));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->end.log_tail, "a?? é");
}

TEST(ExitRecord, KeepsWhoseEndItIs) {
  const AttemptEnd end{EndKind::exited, 3, false, "", ""};
  EXPECT_EQ(parse_exit(exit_text({end, Time{}, 2}))->rank, 2);
  EXPECT_EQ(parse_exit(exit_text({end, Time{}}))->rank, 0);
}

TEST(ExitRecord, DamageIsNone) {
  for (const char* text : {"", "{", "{}", "[1]", R"({"kind":"odd","code":0,"ordered":false,"detail":"","at":0,"log_tail":""})"})
    EXPECT_FALSE(parse_exit(text)) << text;
}

}  // namespace
}  // namespace hpsearch
