// Messages whose segment table is sound and whose pointers lie.

#include <kj/exception.h>
#include <catch2/catch.hpp>

#include <random>

#include "tests/messages/messages.h"

namespace cordon {
namespace {

using Words = std::vector<std::uint64_t>;

constexpr std::uint64_t struct_pointer(std::int32_t offset, std::uint32_t data,
                                       std::uint32_t pointers) {
  return (std::uint64_t{data | pointers << 16} << 32) | (static_cast<std::uint32_t>(offset) << 2);
}

// `size`: the encoding's element size, 2 for bytes, 6 for pointers, 7 for structs.
constexpr std::uint64_t list_pointer(std::int32_t offset, std::uint32_t size, std::uint32_t count) {
  return (std::uint64_t{size | count << 3} << 32) | (static_cast<std::uint32_t>(offset) << 2) | 1;
}

// A message of one segment.
Payload message_of(const Words& segment) {
  Words words{std::uint64_t{segment.size()} << 32};
  words.insert(words.end(), segment.begin(), segment.end());
  const Payload payload = test::payload_of(words);
  REQUIRE(payload.has_sound_segment_table());
  return payload;
}

Message<wire::Command> many_texts_in_one_place(std::uint32_t texts, std::uint32_t words_each) {
  Words segment{struct_pointer(0, 0, 2), 0, list_pointer(0, 6, texts)};
  for (std::uint32_t i = 0; i < texts; ++i) {
    segment.push_back(list_pointer(static_cast<std::int32_t>(texts - 1 - i), 2, words_each * 8));
  }
  segment.resize(segment.size() + words_each, 0);
  return Message<wire::Command>(message_of(segment));
}

std::size_t bytes_read(const Message<wire::Command>& message) {
  std::size_t total = 0;
  const auto view = message.read();
  for (const auto argument : view->getArguments()) total += argument.size();
  return total;
}

TEST_CASE("pointers that share one text cannot multiply it") {
  CHECK(bytes_read(many_texts_in_one_place(2, 1000)) == 2 * 7999);
  CHECK_THROWS_AS(bytes_read(many_texts_in_one_place(1000, 1000)), kj::Exception);
}

TEST_CASE("a list of half a billion empty elements is refused") {
  // HttpRequest: url, method, headers, body; the headers' elements take no space at all.
  const Message<wire::HttpRequest> message(message_of(
      {struct_pointer(0, 0, 4), 0, 0, list_pointer(1, 7, 0), 0, struct_pointer(0x1FFFFFFF, 0, 0)}));
  CHECK_THROWS_AS(message.read()->getHeaders().size(), kj::Exception);
}

TEST_CASE("nesting is bounded") {
  const auto nested = [](std::size_t depth) {
    Words segment(depth, struct_pointer(0, 0, 1));
    segment.push_back(0);
    return test::ChildMessage(message_of(segment));
  };
  CHECK(nested(20).read()->totalSize().wordCount > 0);
  CHECK_THROWS_AS(nested(100).read()->totalSize(), kj::Exception);
  CHECK_THROWS_AS(nested(100'000).read()->totalSize(), kj::Exception);
}

TEST_CASE("a pointer to itself ends") {
  // offset -1: the struct lies where its own pointer is.
  const test::ChildMessage message(message_of({struct_pointer(-1, 0, 1)}));
  CHECK_THROWS_AS(message.read()->totalSize(), kj::Exception);
}

TEST_CASE("a message without a root is refused") {
  CHECK_THROWS_AS(test::ChildMessage(message_of({})).read(), kj::Exception);
}

TEST_CASE("pointers out of the message are refused") {
  const auto read = [](const Words& segment) {
    return test::ChildMessage(message_of(segment)).read()->totalSize();
  };
  CHECK_THROWS_AS(read({struct_pointer(1000, 1, 1)}), kj::Exception);
  CHECK_THROWS_AS(read({struct_pointer(-100, 1, 1)}), kj::Exception);
  CHECK_THROWS_AS(read({struct_pointer(0, 0xFFFF, 0xFFFF)}), kj::Exception);
  // A far pointer into a segment that does not exist.
  CHECK_THROWS_AS(read({(std::uint64_t{7} << 32) | 2}), kj::Exception);
}

// Reads every field, as the host would, and tells how many bytes of text there were.
std::size_t walk(wire::ChildFrame::Reader frame) {
  switch (frame.which()) {
    case wire::ChildFrame::RESULT:
      return frame.getResult().size();
    case wire::ChildFrame::CONSOLE:
      return frame.getConsole().getText().size();
    case wire::ChildFrame::FAILURE: {
      const auto failure = frame.getFailure();
      return failure.getName().size() + failure.getMessage().size() + failure.getStack().size();
    }
    case wire::ChildFrame::REQUEST:
      break;
  }
  const auto request = frame.getRequest();
  switch (request.which()) {
    case wire::Request::ENVIRONMENT:
      return request.getEnvironment().size();
    case wire::Request::SECRET:
      return request.getSecret().size();
    case wire::Request::READ_TEXT:
      return request.getReadText().size();
    case wire::Request::WRITE_TEXT:
      return request.getWriteText().getPath().size() + request.getWriteText().getText().size();
    case wire::Request::FETCH_TEXT: {
      const auto fetch = request.getFetchText();
      std::size_t total = fetch.getUrl().size() + fetch.getMethod().size() + fetch.getBody().size();
      for (const auto header : fetch.getHeaders()) {
        total += header.getName().size() + header.getValue().size();
      }
      return total;
    }
    case wire::Request::SPAWN: {
      std::size_t total = request.getSpawn().getExecutable().size();
      for (const auto argument : request.getSpawn().getArguments()) total += argument.size();
      return total;
    }
    case wire::Request::TOOL: {
      const auto use = request.getTool();
      const auto arguments = use.getArguments();
      return use.getSpecifier().size() + use.getName().size() +
             (arguments.isJson() ? arguments.getJson().size() : 0);
    }
  }
  return 0;
}

Payload fetch_request() {
  return test::ChildMessage::build([](wire::ChildFrame::Builder frame) {
    auto request = frame.initRequest();
    request.setId(1);
    auto fetch = request.initFetchText();
    fetch.setUrl("http://localhost:8080/path");
    auto headers = fetch.initHeaders(3);
    for (unsigned i = 0; i < headers.size(); ++i) {
      headers[i].setName("name");
      headers[i].setValue("some value");
    }
    fetch.setBody("body text");
  });
}

TEST_CASE("mutated messages end in a reading of bounded size or in kj::Exception") {
  std::mt19937 random(8);
  const std::vector<Payload> seeds = {fetch_request(), test::request(9, "NAME"), test::result(64)};
  int read = 0;
  int refused = 0;
  for (int round = 0; round < 20'000; ++round) {
    const Payload& seed = seeds[random() % seeds.size()];
    Payload mutant = Payload::uninitialised(seed.bytes().size());
    const auto bytes = mutant.mutable_bytes();
    std::copy(seed.bytes().begin(), seed.bytes().end(), bytes.begin());
    for (std::size_t edits = 1 + random() % 4; edits > 0; --edits) {
      bytes[random() % bytes.size()] = static_cast<std::byte>(random());
    }
    if (!mutant.has_sound_segment_table()) continue;
    std::size_t total = 0;
    try {
      const test::ChildMessage message(mutant);
      total = walk(*message.read());
      ++read;
    } catch (const kj::Exception&) {
      ++refused;
    }
    REQUIRE(total <= 4 * bytes.size() + 64 * sizeof(capnp::word));
  }
  CHECK(read > 1000);
  CHECK(refused > 1000);
}

}  // namespace
}  // namespace cordon
