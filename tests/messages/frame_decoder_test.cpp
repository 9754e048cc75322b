#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <fstream>
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

// The same by reads that give at most as many bytes as `next_size` tells.
template <class NextSize>
std::vector<Payload> receive(FrameDecoder& decoder, std::span<const std::byte> stream,
                             NextSize next_size) {
  std::vector<Payload> payloads;
  while (!stream.empty() && !decoder.error()) {
    const auto read = [&](std::span<std::byte> into) {
      REQUIRE_FALSE(into.empty());
      const auto count =
          std::min({into.size(), std::max<std::size_t>(next_size(), 1), stream.size()});
      std::memcpy(into.data(), stream.data(), count);
      stream = stream.subspan(count);
      return static_cast<ssize_t>(count);
    };
    decoder.receive(read, [&](Payload frame) { payloads.push_back(std::move(frame)); });
  }
  return payloads;
}

TEST_CASE("frames of all lengths come out of reads of all sizes") {
  const std::vector<Payload> payloads{
      test::request(1, "MODE"), test::result(700'000),   test::request(2, ""),
      test::result(64 << 10),   test::result(65'530),    test::result((64 << 10) + 8),
      test::result(2'000'000),  test::result(256 << 10), test::request(3, "A")};
  const Bytes stream = stream_of(payloads);
  std::mt19937 random(7);
  for (int round = 0; round < 40; ++round) {
    FrameDecoder decoder(kMaxPayloadBytes);
    const auto largest = 12 + random() % 10;
    check_same(receive(decoder, stream, [&] { return random() % (std::size_t{1} << largest); }),
               payloads);
    CHECK_FALSE(decoder.error());
  }
}

TEST_CASE("a read that gives nothing changes nothing, and is told of") {
  const Payload payload = test::result(300'000);
  const Bytes stream = test::frame_of(payload);
  FrameDecoder decoder(kMaxPayloadBytes);
  const auto nothing = [](ssize_t returned) {
    return [returned](std::span<std::byte>) { return returned; };
  };
  const auto on_frame = [](const Payload&) { FAIL("no frame is complete"); };
  CHECK(decoder.receive(nothing(-1), on_frame) == -1);
  std::span<const std::byte> begun = std::span(stream).first(100'000);
  CHECK(decoder.next(begun).empty());
  CHECK(decoder.receive(nothing(-1), on_frame) == -1);
  CHECK(decoder.receive(nothing(0), on_frame) == 0);
  const auto rest = receive(decoder, std::span(stream).subspan(100'000), [] { return 1 << 20; });
  check_same(rest, {payload});
}

TEST_CASE("a long payload that was read in place is checked like any other") {
  Bytes frame = test::frame_of(test::result(300'000));
  frame[kFrameHeaderBytes + 4] = std::byte{1};  // words of the first segment
  FrameDecoder decoder(kMaxPayloadBytes);
  CHECK(receive(decoder, frame, [] { return 1 << 20; }).empty());
  CHECK(decoder.error() == FrameError::kSegments);
  CHECK(decoder.receive([](std::span<std::byte>) { return ssize_t{8}; },
                        [](const Payload&) { FAIL("after an error"); }) == 8);
}

TEST_CASE("a length that is only announced takes little memory") {
  const std::size_t announced = kMaxPayloadBytes;
  FrameDecoder decoder(announced);
  const Bytes header = header_with(announced);
  std::span<const std::byte> input = header;
  CHECK(decoder.next(input).empty());
  const auto resident = [] {
    std::ifstream statm("/proc/self/statm");
    std::size_t pages = 0;
    statm >> pages >> pages;
    return pages * 4096;
  };
  const std::size_t before = resident();
  std::size_t offered = 0;
  decoder.receive(
      [&](std::span<std::byte> into) {
        offered = into.size();
        return ssize_t{8};
      },
      [](const Payload&) { FAIL("not complete"); });
  CHECK(offered <= (std::size_t{256} << 10));
  CHECK(resident() <= before + (std::size_t{1} << 20));
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
