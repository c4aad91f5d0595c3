#include "objectives/idx.h"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>

#include "tests/objectives/idx_writer.h"

namespace hpsearch {
namespace {

constexpr std::uint32_t kLabels = 0x0801;
constexpr std::uint32_t kImages = 0x0803;

std::string error_of(const std::function<void()>& act) {
  try {
    act();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

class IdxTest : public testing::Test {
 protected:
  std::filesystem::path gzip(const Bytes& bytes) {
    write_gzip(folder_ / "file.gz", bytes);
    return folder_ / "file.gz";
  }

  void write_plain(const std::filesystem::path& path, const std::string& text) { std::ofstream(path) << text; }

  ScratchFolder folder_;
};

TEST_F(IdxTest, ReadsGzippedImages) {
  const IdxImages images = read_idx_images(gzip(idx_bytes({kImages, 2, 1, 3}, {1, 2, 3, 4, 5, 255})));
  EXPECT_EQ(images.count, 2u);
  EXPECT_EQ(images.rows, 1u);
  EXPECT_EQ(images.columns, 3u);
  EXPECT_EQ(images.pixels, (Bytes{1, 2, 3, 4, 5, 255}));
}

TEST_F(IdxTest, ReadsPlainLabels) {
  const Bytes bytes = idx_bytes({kLabels, 3}, {7, 0, 9});
  write_plain(folder_ / "labels", std::string(bytes.begin(), bytes.end()));
  EXPECT_EQ(read_idx_labels(folder_ / "labels"), (Bytes{7, 0, 9}));
}

TEST_F(IdxTest, NamesTheFileThatIsMissing) {
  const std::string error = error_of([&] { read_idx_labels(folder_ / "nothing.gz"); });
  EXPECT_NE(error.find("nothing.gz: cannot be opened"), std::string::npos) << error;
}

TEST_F(IdxTest, RefusesLabelsInPlaceOfImages) {
  const auto path = gzip(idx_bytes({kLabels, 3}, {7, 0, 9}));
  const std::string error = error_of([&] { read_idx_images(path); });
  EXPECT_NE(error.find("not an IDX file of images (magic number 2049, expected 2051)"), std::string::npos) << error;
}

TEST_F(IdxTest, RefusesTruncatedData) {
  const auto path = gzip(idx_bytes({kImages, 2, 2, 2}, {1, 2, 3}));
  const std::string error = error_of([&] { read_idx_images(path); });
  EXPECT_NE(error.find("file.gz: truncated"), std::string::npos) << error;
}

TEST_F(IdxTest, RefusesATruncatedHeader) {
  const auto path = gzip({0, 0, 8});
  EXPECT_NE(error_of([&] { read_idx_labels(path); }).find("truncated"), std::string::npos);
}

TEST_F(IdxTest, RefusesACutGzipStream) {
  const auto path = gzip(idx_bytes({kLabels, 1000}, Bytes(1000, 3)));
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  EXPECT_NE(error_of([&] { read_idx_labels(path); }), "");
}

TEST_F(IdxTest, RefusesMoreThanTheHeaderSays) {
  const auto path = gzip(idx_bytes({kLabels, 2}, {1, 2, 3}));
  EXPECT_NE(error_of([&] { read_idx_labels(path); }).find("more than its header says"), std::string::npos);
}

TEST_F(IdxTest, RefusesImplausibleSizes) {
  const auto path = gzip(idx_bytes({kImages, 0xffffffff, 0xffff, 0xffff}, {}));
  EXPECT_NE(error_of([&] { read_idx_images(path); }).find("implausible size"), std::string::npos);
}

}  // namespace
}  // namespace hpsearch
