#include "store/leaf_scan.h"

#include <bit>

namespace hpsearch {

namespace {

constexpr std::size_t kFileHeader = 100, kPageHeader = 8;
constexpr std::uint8_t kTableLeaf = 0x0d;
constexpr std::size_t kLongestPayload = 64 << 20;

// Reads bytes and remembers when it was asked for more than there are.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}

  bool whole() const { return whole_; }
  std::uint64_t big_endian(std::size_t count) {
    std::uint64_t value = 0;
    for (char byte : take(count)) value = value << 8 | static_cast<std::uint8_t>(byte);
    return value;
  }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int i = 0; i < 8; ++i) {
      const std::uint64_t byte = big_endian(1);
      value = value << 7 | (byte & 0x7f);
      if (byte < 0x80) return value;
    }
    return value << 8 | big_endian(1);
  }
  std::string_view take(std::size_t count) {
    if (count > bytes_.size()) {
      whole_ = false;
      return {};
    }
    const std::string_view taken = bytes_.substr(0, count);
    bytes_.remove_prefix(count);
    return taken;
  }
  std::size_t left() const { return bytes_.size(); }

 private:
  std::string_view bytes_;
  bool whole_ = true;
};

std::int64_t sign_extended(std::uint64_t value, std::size_t bytes) {
  const int shift = static_cast<int>(64 - 8 * bytes);
  return static_cast<std::int64_t>(value << shift) >> shift;
}

Cell read_cell(std::uint64_t type, Bytes& body) {
  static constexpr std::size_t kIntegerBytes[] = {0, 1, 2, 3, 4, 6, 8};
  if (type == 0) return std::monostate{};
  if (type <= 6) return sign_extended(body.big_endian(kIntegerBytes[type]), kIntegerBytes[type]);
  if (type == 7) return std::bit_cast<double>(body.big_endian(8));
  if (type <= 9) return static_cast<std::int64_t>(type - 8);
  return std::string(body.take((type - 12) / 2));
}

std::optional<std::vector<Cell>> read_record(std::string_view payload) {
  Bytes length(payload);
  const std::uint64_t header_bytes = length.varint();
  const std::size_t length_bytes = payload.size() - length.left();
  if (!length.whole() || header_bytes < length_bytes || header_bytes > payload.size()) return std::nullopt;
  Bytes header(payload.substr(length_bytes, header_bytes - length_bytes)), body(payload.substr(header_bytes));
  std::vector<Cell> cells;
  while (header.left() > 0 && header.whole()) {
    const std::uint64_t type = header.varint();
    if (type == 10 || type == 11) return std::nullopt;  // Reserved by the format.
    cells.push_back(read_cell(type, body));
  }
  if (!header.whole() || !body.whole() || body.left() > 0) return std::nullopt;
  return cells;
}

class LeafScan {
 public:
  explicit LeafScan(std::string_view file) : file_(file) {
    if (file.size() < kFileHeader) return;
    Bytes header(file.substr(16));
    const std::uint64_t size = header.big_endian(2);
    if (size >= 512 && std::has_single_bit(size)) page_size_ = size;
  }

  std::int64_t run(const std::function<void(LeafRow&&)>& visit) {
    for (std::size_t number = 1; number <= file_.size() / page_size_; ++number) scan_page(number, visit);
    return unreadable_;
  }

 private:
  std::string_view page(std::size_t number) const {
    if (number == 0 || number > file_.size() / page_size_) return {};
    return file_.substr((number - 1) * page_size_, page_size_);
  }

  void scan_page(std::size_t number, const std::function<void(LeafRow&&)>& visit) {
    const std::string_view bytes = page(number);
    const std::size_t start = number == 1 ? kFileHeader : 0;
    if (static_cast<std::uint8_t>(bytes[start]) != kTableLeaf) return;
    Bytes header(bytes.substr(start + 3));
    Bytes pointers(bytes.substr(start + kPageHeader));
    for (std::uint64_t left = header.big_endian(2); left > 0 && pointers.whole(); --left) {
      const std::size_t offset = pointers.big_endian(2);
      std::optional<LeafRow> row;
      if (pointers.whole() && offset < bytes.size()) row = read_row(bytes.substr(offset));
      if (row) visit(std::move(*row));
      else ++unreadable_;
    }
  }

  std::optional<LeafRow> read_row(std::string_view bytes) const {
    Bytes cell(bytes);
    const std::uint64_t payload_bytes = cell.varint();
    LeafRow row{static_cast<std::int64_t>(cell.varint()), {}};
    if (!cell.whole() || payload_bytes > kLongestPayload) return std::nullopt;
    const std::optional<std::string> payload = read_payload(cell, payload_bytes);
    std::optional<std::vector<Cell>> cells = payload ? read_record(*payload) : std::nullopt;
    if (!cells) return std::nullopt;
    row.cells = std::move(*cells);
    return row;
  }

  // What does not fit into the page goes on in a chain of pages.
  std::optional<std::string> read_payload(Bytes& cell, std::size_t bytes) const {
    std::string payload(cell.take(local_bytes(bytes)));
    std::size_t next = payload.size() < bytes ? cell.big_endian(4) : 0;
    while (cell.whole() && payload.size() < bytes) {
      const std::string_view overflow = page(next);
      if (overflow.empty()) return std::nullopt;
      next = Bytes(overflow).big_endian(4);
      payload += overflow.substr(4, bytes - payload.size());
    }
    return cell.whole() ? std::optional(payload) : std::nullopt;
  }

  std::size_t local_bytes(std::size_t bytes) const {
    const std::size_t most = page_size_ - 35, least = (page_size_ - 12) * 32 / 255 - 23;
    if (bytes <= most) return bytes;
    const std::size_t fitting = least + (bytes - least) % (page_size_ - 4);
    return fitting <= most ? fitting : least;
  }

  std::string_view file_;
  std::size_t page_size_ = 4096;
  std::int64_t unreadable_ = 0;
};

}  // namespace

std::int64_t scan_leaves(std::string_view file, const std::function<void(LeafRow&&)>& visit) {
  return LeafScan(file).run(visit);
}

}  // namespace hpsearch
