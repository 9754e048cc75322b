#include "audit/sha256.h"

#include <catch2/catch.hpp>

using namespace cordon;

// The vectors of FIPS 180-4's examples (NIST, "Secure Hashing", SHA-256).
TEST_CASE("digests are those of the standard") {
  CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST_CASE("the digest of pieces is that of the whole") {
  Sha256 pieces;
  pieces.update("a");
  pieces.update("");
  pieces.update("bc");
  CHECK(hex(pieces.finish()) == sha256_hex("abc"));
}
