#include "objectives/csv.h"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/objectives/idx_writer.h"

namespace hpsearch {
namespace {

class CsvTest : public testing::Test {
 protected:
  CsvTable read(const std::string& text) {
    std::ofstream(folder_ / "t.csv") << text;
    return read_csv(folder_ / "t.csv");
  }

  std::string error_of(const std::string& text) {
    try {
      read(text);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  }

  ScratchFolder folder_;
};

TEST_F(CsvTest, ReadsNumbersUnderNamedColumns) {
  const CsvTable table = read("a,\"b, c\",d\r\n1, -2.5e3 ,3\r\n\n4,5,6\n");
  EXPECT_EQ(table.columns, (std::vector<std::string>{"a", "b, c", "d"}));
  EXPECT_EQ(table.rows, (std::vector<std::vector<double>>{{1, -2500, 3}, {4, 5, 6}}));
  EXPECT_EQ(table.column("d"), 2u);
}

TEST_F(CsvTest, NamesLineAndColumnOfWhatIsNoNumber) {
  EXPECT_NE(error_of("a,b\n1,2\n3,red\n").find("t.csv:3, column b: \"red\" is not a finite number"), std::string::npos);
  EXPECT_NE(error_of("a,b\n1,nan\n").find("t.csv:2, column b"), std::string::npos);
}

TEST_F(CsvTest, RefusesRowsOfAnotherLength) {
  EXPECT_NE(error_of("a,b\n1,2,3\n").find("t.csv:2: has 3 fields, the header has 2"), std::string::npos);
}

TEST_F(CsvTest, RefusesAFileWithoutRows) { EXPECT_NE(error_of("a,b\n").find("holds no rows"), std::string::npos); }

TEST_F(CsvTest, ListsTheColumnsWhenOneIsMissing) {
  const CsvTable table = read("a,b\n1,2\n");
  try {
    table.column("c");
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "no column \"c\"; there are: a, b");
  }
}

}  // namespace
}  // namespace hpsearch
