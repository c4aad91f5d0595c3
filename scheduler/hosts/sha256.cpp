#include "scheduler/hosts/sha256.h"

#include <sha2.h>

namespace hpsearch {

struct Sha256::Context {
  SHA2_CTX state;
};

Sha256::Sha256() : context_(std::make_unique<Context>()) { SHA256Init(&context_->state); }
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::update(std::string_view bytes) {
  SHA256Update(&context_->state, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
}

std::string Sha256::hex() const {
  SHA2_CTX state = context_->state;
  char digits[SHA256_DIGEST_STRING_LENGTH];
  return SHA256End(&state, digits);
}

bool is_sha256_hex(std::string_view text) {
  return text.size() == SHA256_DIGEST_LENGTH * 2 &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace hpsearch
