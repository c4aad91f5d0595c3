#include "cli/program_mark.h"

#include <array>
#include <filesystem>
#include <fstream>

#include "scheduler/hosts/find_program.h"

namespace hpsearch {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kReadWhole = 16 << 20;

// FNV-1a, 64 bits.
struct Mark {
  std::uint64_t state = 14695981039346656037ull;

  void add(const char* bytes, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) state = (state ^ static_cast<unsigned char>(bytes[i])) * 1099511628211ull;
  }
  void add(const std::string& text) { add(text.data(), text.size() + 1); }

  void add_file(const fs::path& file) {
    std::error_code error;
    const std::uintmax_t size = fs::file_size(file, error);
    if (error || size > kReadWhole) {
      add(std::to_string(error ? 0 : size));
      return add(std::to_string(fs::last_write_time(file, error).time_since_epoch().count()));
    }
    std::ifstream in(file, std::ios::binary);
    for (std::array<char, 65536> buffer; in.read(buffer.data(), buffer.size()) || in.gcount() > 0;)
      add(buffer.data(), in.gcount());
  }
};

}  // namespace

std::string program_mark(const StudySpec& spec) {
  Mark mark;
  bool first = true;
  for (const CommandElement& element : spec.command.elements)
    for (const std::string& arg : element.args) {
      mark.add(arg);
      std::error_code error;
      const fs::path file = fs::path(spec.folder) / arg;
      if (first) {
        if (auto program = find_program(arg, spec.folder)) mark.add_file(*program);
      } else if (fs::is_regular_file(file, error)) {
        mark.add_file(file);
      }
      first = false;
    }
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(mark.state));
  return text;
}

}  // namespace hpsearch
