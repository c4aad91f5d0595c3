#include "scheduler/hosts/sha256.h"

#include <gtest/gtest.h>

namespace hpsearch::testing {
namespace {

constexpr const char* kOfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
constexpr const char* kOfAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

std::string sha256(std::string_view text) {
  Sha256 hash;
  hash.update(text);
  return hash.hex();
}

// FIPS 180-4, the examples of NIST.
TEST(Sha256, GivesTheKnownAnswers) {
  EXPECT_EQ(Sha256().hex(), kOfNothing);
  EXPECT_EQ(sha256(""), kOfNothing);
  EXPECT_EQ(sha256("abc"), kOfAbc);
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PiecesAreAsGoodAsTheWhole) {
  const std::string text(1000, 'q');
  for (std::size_t piece : {1, 55, 56, 63, 64, 65, 999}) {
    Sha256 hash;
    for (std::size_t at = 0; at < text.size(); at += piece) hash.update(std::string_view(text).substr(at, piece));
    EXPECT_EQ(hash.hex(), sha256(text)) << piece;
  }
}

TEST(Sha256, MoreMayFollowAnAnswer) {
  Sha256 hash;
  hash.update("ab");
  EXPECT_EQ(hash.hex(), hash.hex());
  hash.update("c");
  Sha256 moved = std::move(hash);
  EXPECT_EQ(moved.hex(), kOfAbc);
}

TEST(Sha256, AHashIs64LowerCaseDigits) {
  EXPECT_TRUE(is_sha256_hex(kOfAbc));
  EXPECT_FALSE(is_sha256_hex(""));
  EXPECT_FALSE(is_sha256_hex(std::string(kOfAbc) + "0"));
  EXPECT_FALSE(is_sha256_hex(std::string(64, 'A')));
  EXPECT_FALSE(is_sha256_hex("../" + std::string(61, 'a')));
  EXPECT_FALSE(is_sha256_hex(std::string(63, 'a') + '\0'));
}

}  // namespace
}  // namespace hpsearch::testing
