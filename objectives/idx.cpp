#include "objectives/idx.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>
#include <string>

namespace hpsearch {
namespace {

constexpr std::uint32_t kLabelMagic = 0x0801;  // Unsigned bytes, one dimension.
constexpr std::uint32_t kImageMagic = 0x0803;  // Unsigned bytes, three dimensions.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 32;

// A file read front to back; gzopen passes plain files through unchanged.
class IdxFile {
 public:
  explicit IdxFile(const std::filesystem::path& path) : path_(path), file_(gzopen(path.c_str(), "rb"), &gzclose) {
    if (!file_) fail("cannot be opened");
  }

  [[noreturn]] void fail(const std::string& what) const { throw std::runtime_error(path_.string() + ": " + what); }

  void read(std::uint8_t* bytes, std::size_t count) {
    constexpr std::size_t kChunk = std::size_t{1} << 30;
    while (count > 0) {
      const int got = gzread(file_.get(), bytes, static_cast<unsigned>(std::min(count, kChunk)));
      if (got <= 0) fail(damage());
      bytes += got;
      count -= static_cast<std::size_t>(got);
    }
  }

  std::uint32_t big_endian_word() {
    std::array<std::uint8_t, 4> b;
    read(b.data(), b.size());
    return std::uint32_t{b[0]} << 24 | std::uint32_t{b[1]} << 16 | std::uint32_t{b[2]} << 8 | std::uint32_t{b[3]};
  }

  void expect_magic(std::uint32_t magic, const std::string& kind) {
    const std::uint32_t found = big_endian_word();
    if (found != magic) {
      fail("not an IDX file of " + kind + " (magic number " + std::to_string(found) + ", expected " +
           std::to_string(magic) + ")");
    }
  }

  std::vector<std::uint8_t> rest(std::uint64_t count) {
    if (count > kMostBytes) fail("implausible size in the header");
    std::vector<std::uint8_t> bytes(count);
    read(bytes.data(), bytes.size());
    std::uint8_t extra;
    if (gzread(file_.get(), &extra, 1) != 0) fail("holds more than its header says, or is damaged");
    return bytes;
  }

 private:
  std::string damage() const {
    int code = Z_OK;
    const std::string message = gzerror(file_.get(), &code);
    return code == Z_OK || code == Z_BUF_ERROR ? "truncated" : "damaged (" + message + ")";
  }

  std::filesystem::path path_;
  std::unique_ptr<gzFile_s, int (*)(gzFile)> file_;
};

}  // namespace

IdxImages read_idx_images(const std::filesystem::path& path) {
  IdxFile file(path);
  file.expect_magic(kImageMagic, "images");
  IdxImages images;
  images.count = file.big_endian_word();
  images.rows = file.big_endian_word();
  images.columns = file.big_endian_word();
  if (images.rows > 4096 || images.columns > 4096) file.fail("implausible size in the header");
  images.pixels = file.rest(std::uint64_t{images.count} * images.rows * images.columns);
  return images;
}

std::vector<std::uint8_t> read_idx_labels(const std::filesystem::path& path) {
  IdxFile file(path);
  file.expect_magic(kLabelMagic, "labels");
  return file.rest(file.big_endian_word());
}

}  // namespace hpsearch
