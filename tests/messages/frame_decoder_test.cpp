#include <catch2/catch.hpp>

#include <random>

#include "messages/frame.h"
#include "tests/messages/allocation_watch.h"
#include "tests/messages/messages.h"

namespace cordon {
namespace {

using test::Bytes;

constexpr std::size_t kCap = std::size_t{1} << 16;

Bytes header_with(std::uint64_t length) {
  Bytes bytes(kFrameHeaderBytes);
  std::memcpy(bytes.data(), &length, sizeof length);
  return bytes;
}

// Feeds `stream` in pieces whose sizes `next_size` tells, until its end or an error.
template <class NextSize>
std::vector<Payload> feed(FrameDecoder& decoder, std::span<const std::byte> stream,
                          NextSize next_size) {
  std::vector<Payload> payloads;
  while (!stream.empty() && !decoder.error()) {
    auto piece = stream.first(std::min<std::size_t>(next_size(), stream.size()));
    stream = stream.subspan(piece.size());
    while (!piece.empty() && !decoder.error()) {
      if (Payload payload = decoder.next(piece); !payload.empty()) {
        payloads.push_back(std::move(payload));
      }
    }
  }
  return payloads;
}

std::vector<Payload> samples() {
  return {test::request(1, "MODE"), test::result(0), test::result(1), test::result(5000),
          test::request(2, "")};
}

Bytes stream_of(const std::vector<Payload>& payloads) {
  Bytes stream;
  for (const Payload& payload : payloads) {
    const Bytes frame = test::frame_of(payload);
    stream.insert(stream.end(), frame.begin(), frame.end());
  }
  return stream;
}

void check_same(const std::vector<Payload>& left, const std::vector<Payload>& right) {
  REQUIRE(left.size() == right.size());
  for (std::size_t i = 0; i < left.size(); ++i) CHECK(test::same(left[i], right[i]));
}

std::optional<FrameError> error_after(std::span<const std::byte> bytes, std::size_t cap = kCap) {
  FrameDecoder decoder(cap);
  CHECK(feed(decoder, bytes, [] { return 7u; }).empty());
  return decoder.error();
}

TEST_CASE("a stream is cut into its frames, whatever the pieces it arrives in") {
  const auto payloads = samples();
  const Bytes stream = stream_of(payloads);
  SECTION("byte by byte") {
    FrameDecoder decoder(kCap);
    check_same(feed(decoder, stream, [] { return 1u; }), payloads);
  }
  SECTION("at once") {
    FrameDecoder decoder(kCap);
    check_same(feed(decoder, stream, [&] { return stream.size(); }), payloads);
  }
  SECTION("in random pieces") {
    std::mt19937 random(1);
    for (int round = 0; round < 200; ++round) {
      FrameDecoder decoder(kCap);
      check_same(feed(decoder, stream, [&] { return 1 + random() % (1u << random() % 12); }),
                 payloads);
      CHECK_FALSE(decoder.error());
    }
  }
}

TEST_CASE("next() takes no byte beyond the frame it returns") {
  const Payload first = test::request(1, "A");
  const Bytes stream = stream_of({first, test::request(2, "B")});
  std::span<const std::byte> rest = stream;
  FrameDecoder decoder(kCap);
  CHECK(test::same(decoder.next(rest), first));
  CHECK(rest.size() == stream.size() - kFrameHeaderBytes - first.bytes().size());
  rest = {};
  CHECK(decoder.next(rest).empty());
  CHECK_FALSE(decoder.error());
}

TEST_CASE("a length that is not allowed is an error before anything is allocated") {
  test::forget_allocations();
  for (const std::uint64_t length :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{9},
        std::uint64_t{kCap - 4}, std::uint64_t{kCap + 8}, std::uint64_t{1} << 32,
        std::uint64_t{1} << 63, ~std::uint64_t{0}, ~std::uint64_t{7}}) {
    CAPTURE(length);
    CHECK(error_after(header_with(length)) == FrameError::kLength);
  }
  CHECK(test::largest_allocation() < 4096);
}

TEST_CASE("the cap itself is allowed") {
  const Payload payload = test::result(kCap / 2);
  const std::size_t size = payload.bytes().size();
  FrameDecoder exact(size);
  CHECK(feed(exact, test::frame_of(payload), [] { return 1000u; }).size() == 1);
  CHECK(error_after(test::frame_of(payload), size - 8) == FrameError::kLength);
}

TEST_CASE("no cap allows more than the largest payload") {
  CHECK(error_after(header_with(kMaxPayloadBytes + 8), ~std::size_t{0}) == FrameError::kLength);
}

TEST_CASE("a segment table that does not add up is an error") {
  const auto with_table = [](std::vector<std::uint32_t> table, std::size_t words) {
    Payload payload = Payload::uninitialised(words * 8);
    std::memset(payload.mutable_bytes().data(), 0, words * 8);
    std::memcpy(payload.mutable_bytes().data(), table.data(), table.size() * sizeof table[0]);
    return test::frame_of(payload);
  };
  // {segments - 1, words of each}, and the words in all.
  const auto error_of = [&](std::vector<std::uint32_t> table, std::size_t words) {
    return error_after(with_table(std::move(table), words));
  };
  CHECK(error_of({0, 2}, 2) == FrameError::kSegments);
  CHECK(error_of({0, 0}, 2) == FrameError::kSegments);
  CHECK(error_of({0, 0xFFFFFFFF}, 2) == FrameError::kSegments);
  CHECK(error_of({1, 1}, 2) == FrameError::kSegments);
  CHECK(error_of({1, 1, 0xFFFFFFFF}, 3) == FrameError::kSegments);
  CHECK(error_of({0xFFFFFFFF, 1}, 2) == FrameError::kSegments);
  CHECK(error_of({512, 1}, 1000) == FrameError::kSegments);
  CHECK(error_of({99}, 2) == FrameError::kSegments);

  FrameDecoder decoder(kCap);
  CHECK(feed(decoder, with_table({1, 1, 2}, 5), [] { return 3u; }).size() == 1);
  CHECK(feed(decoder, with_table({0, 0}, 1), [] { return 3u; }).size() == 1);
}

TEST_CASE("after an error nothing more comes out") {
  FrameDecoder decoder(kCap);
  const Bytes bad = header_with(3);
  std::span<const std::byte> input = bad;
  CHECK(decoder.next(input).empty());
  REQUIRE(decoder.error() == FrameError::kLength);
  const Bytes good = test::frame_of(test::request(1, "A"));
  input = good;
  CHECK(decoder.next(input).empty());
  CHECK(input.size() == good.size());
  CHECK(decoder.error() == FrameError::kLength);
}

TEST_CASE("random bytes never crash the decoder nor make it allocate more than the cap") {
  std::mt19937 random(20);
  const Bytes stream = stream_of(samples());
  test::forget_allocations();
  std::size_t frames = 0;
  std::size_t errors = 0;
  for (int round = 0; round < 3000; ++round) {
    Bytes bytes = stream;
    if (round % 3 == 0) {
      for (auto& byte : bytes) byte = static_cast<std::byte>(random());
      // A length that passes now and then, so that the segment tables are reached.
      if (round % 2 == 0) bytes = header_with(8 * (1 + random() % 64));
      bytes.resize(1000, static_cast<std::byte>(random() % 3));
    } else {
      for (std::size_t edits = 1 + random() % 4; edits > 0; --edits) {
        bytes[random() % bytes.size()] = static_cast<std::byte>(random());
      }
    }
    FrameDecoder decoder(kCap);
    for (const Payload& payload : feed(decoder, bytes, [&] { return 1 + random() % 2000; })) {
      REQUIRE(payload.bytes().size() <= kCap);
      REQUIRE(payload.has_sound_segment_table());
      ++frames;
    }
    errors += decoder.error() ? 1 : 0;
  }
  CHECK(frames > 1000);
  CHECK(errors > 1000);
  CHECK(test::largest_allocation() <= kCap + 64);
}

}  // namespace
}  // namespace cordon
