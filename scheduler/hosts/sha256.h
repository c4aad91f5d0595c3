#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace hpsearch {

// SHA-256 (FIPS 180-4) of bytes that come in pieces.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  void update(std::string_view bytes);
  // Of all bytes so far, as 64 lower-case hexadecimal digits; more may follow.
  std::string hex() const;

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

// 64 lower-case hexadecimal digits: what may be a hash, and is safe as a file's name.
bool is_sha256_hex(std::string_view text);

}  // namespace hpsearch
