#include "audit/log_reader.h"

#include <catch2/catch.hpp>

#include "audit/event_json.h"
#include "tests/audit/records.h"

namespace cordon {
namespace {

using Kind = LogReader::Kind;

std::vector<LogReader::Line> read_all(const std::filesystem::path& path) {
  auto reader = LogReader::open(path);
  REQUIRE(reader.has_value());
  std::vector<LogReader::Line> lines;
  while (auto line = reader->next()) lines.push_back(std::move(*line));
  CHECK_FALSE(reader->next());
  return lines;
}

TEST_CASE("lines come in order, whatever their lengths") {
  const test::ScratchDirectory directory;
  std::vector<std::string> expected;
  for (std::size_t i = 0; i < 300; ++i) {
    expected.emplace_back(i * 7919 % kMaxLineBytes, static_cast<char>('a' + i % 26));
  }
  expected.emplace_back(kMaxLineBytes, 'm');
  expected.emplace_back();
  test::spill(directory / "log", test::joined(expected));
  const auto lines = read_all(directory / "log");
  REQUIRE(lines.size() == expected.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    REQUIRE(lines[i].kind == Kind::kLine);
    REQUIRE(lines[i].number == i + 1);
    REQUIRE(lines[i].text == expected[i]);
  }
}

TEST_CASE("an empty file has no lines") {
  const test::ScratchDirectory directory;
  test::spill(directory / "log", "");
  CHECK(read_all(directory / "log").empty());
}

TEST_CASE("a last line without newline is torn") {
  const test::ScratchDirectory directory;
  test::spill(directory / "log", "one\ntw");
  const auto lines = read_all(directory / "log");
  REQUIRE(lines.size() == 2);
  CHECK(lines[1].kind == Kind::kTorn);
  CHECK(lines[1].number == 2);
  CHECK(lines[1].text == "tw");
}

TEST_CASE("an overlong line ends the reading in bounded memory") {
  const test::ScratchDirectory directory;
  const std::string rest =
      GENERATE(std::string("\nmore\n"), std::string(), std::string(1 << 20, 'y'));
  test::spill(directory / "log", "one\n" + std::string(kMaxLineBytes + 1, 'x') + rest);
  const auto lines = read_all(directory / "log");
  REQUIRE(lines.size() == 2);
  CHECK(lines[1].kind == Kind::kTooLong);
  CHECK(lines[1].text.empty());
}

TEST_CASE("only regular files are read") {
  const test::ScratchDirectory directory;
  const auto missing = LogReader::open(directory / "none");
  REQUIRE_FALSE(missing.has_value());
  CHECK(missing.error().find("No such file") != std::string::npos);
  const auto folder = LogReader::open(directory / ".");
  REQUIRE_FALSE(folder.has_value());
  CHECK(folder.error().find("not a regular file") != std::string::npos);
  REQUIRE_FALSE(LogReader::open("/dev/zero").has_value());
}

}  // namespace
}  // namespace cordon
