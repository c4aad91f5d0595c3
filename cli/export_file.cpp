#include "cli/export_file.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "cli/output.h"
#include "trials/user_error.h"

namespace hpsearch {

namespace fs = std::filesystem;

ExportTarget::ExportTarget(const std::string& file, bool force) : file_(file) {
  if (file_.empty()) return;
  std::error_code error;
  if (!force && fs::exists(fs::symlink_status(file_, error)))
    throw UserError(file + " exists; --force replaces it");
  if (fs::is_directory(file_, error)) throw UserError(file + " is a folder");
  if (fs::is_regular_file(file_, error)) file_ = fs::canonical(file_);  // Through a link, to what it names.
  if (!fs::is_other(file_, error)) draft_ = file_.string() + ".part-" + std::to_string(::getpid());
  // A device or a pipe is written to and not replaced.
  out_.open(draft_.empty() ? file_ : draft_, std::ios::binary);
  if (!out_) fail();
}

ExportTarget::~ExportTarget() {
  std::error_code ignored;
  if (!draft_.empty()) fs::remove(draft_, ignored);
}

bool ExportTarget::write(std::string_view text) {
  if (file_.empty()) return print(text);
  if (!out_.write(text.data(), static_cast<std::streamsize>(text.size()))) fail();
  return true;
}

void ExportTarget::finish() {
  if (file_.empty()) return;
  out_.close();
  if (!out_) fail();
  if (!draft_.empty()) fs::rename(draft_, file_);
  draft_.clear();
}

void ExportTarget::fail() const { throw std::system_error(errno, std::generic_category(), file_.string()); }

}  // namespace hpsearch
