// Console output: streamed call by call, and cut at the limit.

#include <catch2/catch.hpp>

#include "tests/script/script_host.h"

using namespace cordon::testing;
using cordon::wire::ConsoleText;

namespace {

std::vector<ConsoleCall> console_of(const std::string& body, std::uint64_t limit) {
  const Ending ending =
      host().run({.code = "export default () => {" + body + "};", .console_bytes = limit});
  CHECK(ending.result);
  return ending.console;
}

}  // namespace

TEST_CASE("Each call is one frame with its level") {
  const auto calls = console_of(
      "console.log('a', 1); console.info('b'); console.warn('c'); console.error('d'); "
      "console.debug('');",
      100);
  REQUIRE(calls.size() == 5);
  CHECK(calls[0].text == "a 1");
  CHECK(calls[0].level == ConsoleText::Level::LOG);
  CHECK(calls[1].level == ConsoleText::Level::INFO);
  CHECK(calls[2].level == ConsoleText::Level::WARN);
  CHECK(calls[3].level == ConsoleText::Level::ERROR);
  CHECK(calls[4].level == ConsoleText::Level::DEBUG);
  CHECK(calls[4].text.empty());
  CHECK_FALSE(calls[4].truncated);
}

TEST_CASE("Output is there before the run ends") {
  Session session =
      host().start({.code = "console.log('first'); export default () => new Promise(() => {});"});
  const cordon::Payload frame = session.next();
  REQUIRE_FALSE(frame.empty());
  const auto view = cordon::Message<cordon::wire::ChildFrame>(frame).read();
  REQUIRE(view->isConsole());
  CHECK(std::string(view->getConsole().getText().cStr()) == "first");
}

TEST_CASE("Text beyond the limit is cut between characters, flagged, and the last") {
  auto calls = console_of("console.log('12345'); console.log('ab€def'); console.log('gone');", 10);
  REQUIRE(calls.size() == 2);
  CHECK(calls[0].text == "12345");
  CHECK_FALSE(calls[0].truncated);
  CHECK(calls[1].text == "ab");  // four bytes are left, and the euro sign needs three
  CHECK(calls[1].truncated);

  calls = console_of("console.log('x'.repeat(1e6));", 1000);
  REQUIRE(calls.size() == 1);
  CHECK(calls[0].text == std::string(1000, 'x'));
  CHECK(calls[0].truncated);
}

TEST_CASE("Text of exactly the limit is whole, what follows is not there") {
  auto calls = console_of("console.log('12345');", 5);
  REQUIRE(calls.size() == 1);
  CHECK_FALSE(calls[0].truncated);
  calls = console_of("console.log('12345'); console.log('6');", 5);
  REQUIRE(calls.size() == 2);
  CHECK(calls[1].text.empty());
  CHECK(calls[1].truncated);
}

TEST_CASE("Empty lines are not free") {
  const auto calls = console_of("for (let i = 0; i < 1000; i++) console.log('');", 10);
  CHECK(calls.size() == 11);
  CHECK(calls.back().truncated);
}

TEST_CASE("Lone surrogates leave as U+FFFD") {
  const auto calls = console_of("console.log('a\\ud800b');", 100);
  REQUIRE(calls.size() == 1);
  CHECK(calls[0].text ==
        "a\xEF\xBF\xBD"
        "b");
}
