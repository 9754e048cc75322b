#include "messages/payload.h"

#include <catch2/catch.hpp>

#include <thread>

#include "tests/messages/messages.h"

namespace cordon {
namespace {

TEST_CASE("an empty payload") {
  const Payload payload;
  CHECK(payload.empty());
  CHECK(payload.bytes().empty());
  CHECK(payload.words().size() == 0);
  CHECK_FALSE(payload.has_sound_segment_table());
}

TEST_CASE("copies share one block, which lives as long as the last of them") {
  test::ChildMessage copy;
  const std::byte* block = nullptr;
  {
    const auto original = test::request(7, "MODE");
    block = original.bytes().data();
    copy = original;
    const Payload another = original;
    CHECK(another.bytes().data() == block);
  }
  CHECK(copy.bytes().data() == block);
  CHECK(copy.read()->getRequest().getId() == 7);
}

TEST_CASE("moving and assigning keep the count right") {
  Payload first = test::request(1, "A");
  Payload second = test::request(2, "B");
  const std::byte* const block = second.bytes().data();
  Payload moved = std::move(first);
  CHECK(first.empty());  // NOLINT: a moved-from payload is empty by promise
  moved = second;
  CHECK(moved.bytes().data() == block);
  Payload& self = moved;
  moved = self;
  CHECK(moved.bytes().data() == block);
  second = std::move(moved);
  CHECK(second.bytes().data() == block);
  second = Payload();
  CHECK(second.empty());
}

TEST_CASE("a view outlives the message it was made from") {
  auto message = std::make_unique<test::ChildMessage>(test::request(3, "NAME"));
  const auto view = message->read();
  message.reset();
  CHECK(view->getRequest().getEnvironment() == "NAME");
}

TEST_CASE("a large message is the same wherever it is built") {
  constexpr unsigned kBytes = 100'000;
  const auto fill = [](wire::ChildFrame::Builder frame) {
    auto data = frame.initResult(kBytes + 3);
    for (unsigned i = 0; i < data.size(); ++i) data[i] = static_cast<kj::byte>(i * 31);
  };
  const auto copied = test::ChildMessage::build(fill);
  // In place; with what was expected; with more than that, so that it is copied after all.
  for (const std::size_t expected : {2 * kBytes, kBytes + 3, kBytes / 2}) {
    CAPTURE(expected);
    const auto message = test::ChildMessage::build(fill, expected);
    CHECK(message.has_sound_segment_table());
    const auto view = message.read();
    const auto data = view->getResult();
    REQUIRE(data.size() == kBytes + 3);
    CHECK(data == copied.read()->getResult());
    CHECK(message.bytes().size() <= copied.bytes().size() + 2 * Payload::kWordBytes);
  }
}

TEST_CASE("many threads read and copy one message") {
  const auto message = test::result(10'000);
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&message, &good] {
      for (int round = 0; round < 2000; ++round) {
        const auto copy = message;
        if (copy.read()->getResult().size() == 10'000) ++good;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(good == 8000);
}

TEST_CASE("a message larger than the scratch space is whole") {
  const std::string name(100'000, 'n');
  const auto message = test::request(1, name);
  CHECK(message.has_sound_segment_table());
  CHECK(message.read()->getRequest().getEnvironment() == name.c_str());
}

TEST_CASE("a sound message may be read to its end") {
  const auto message = test::ChildMessage::build([](wire::ChildFrame::Builder frame) {
    auto command = frame.initRequest().initSpawn();
    command.setExecutable("/bin/true");
    auto arguments = command.initArguments(20'000);
    for (unsigned i = 0; i < arguments.size(); ++i) arguments.set(i, "x");
  });
  std::size_t total = 0;
  const auto view = message.read();
  for (const auto argument : view->getRequest().getSpawn().getArguments()) total += argument.size();
  CHECK(total == 20'000);
}

}  // namespace
}  // namespace cordon
