#include "cli/batch/line_reader.h"

#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <string>
#include <vector>

using cordon::UniqueFd;
using cordon::batch::Line;
using cordon::batch::LineReader;

namespace {

UniqueFd holding(const std::string& text) {
  UniqueFd file(::memfd_create("lines", MFD_CLOEXEC));
  REQUIRE(::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()));
  ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

std::vector<Line> lines(const std::string& text, std::size_t max = 1000) {
  LineReader reader(holding(text), {}, max);
  std::vector<Line> all;
  while (auto line = reader.next()) all.push_back(*std::move(line));
  CHECK(reader.error() == 0);
  return all;
}

}  // namespace

TEST_CASE("lines are cut at line breaks, and the last one needs none") {
  CHECK(lines("").empty());
  const auto all = lines("a\n\nb\r\nc");
  REQUIRE(all.size() == 4);
  CHECK(all[0].text == "a");
  CHECK(all[0].number == 1);
  CHECK(all[0].bytes == 2);
  CHECK(all[1].text.empty());
  CHECK(all[2].text == "b");
  CHECK(all[2].bytes == 3);
  CHECK(all[3].text == "c");
  CHECK(all[3].bytes == 1);
}

TEST_CASE("of a line that is too long only the beginning is kept") {
  const auto all = lines("ab\n" + std::string(200'000, 'x') + "\nabcd\nabcde\ny", 4);
  REQUIRE(all.size() == 5);
  CHECK_FALSE(all[0].too_long);
  CHECK(all[1].too_long);
  CHECK(all[1].text == "xxxx");
  CHECK(all[1].bytes == 200'001);
  CHECK_FALSE(all[2].too_long);
  CHECK(all[3].too_long);
  CHECK(all[4].text == "y");
}

TEST_CASE("lines may hold any bytes and lie across chunks") {
  const std::string odd("\0\xff\x01", 3);
  const std::string long_line(100'000, 'q');
  const auto all = lines(odd + "\n" + long_line + "\n", 1'000'000);
  REQUIRE(all.size() == 2);
  CHECK(all[0].text == odd);
  CHECK(all[1].text == long_line);
}

TEST_CASE("reading stops when it is told to, though nothing comes") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const UniqueFd write_end(ends[1]);
  UniqueFd stop(::eventfd(1, EFD_CLOEXEC));
  LineReader reader(UniqueFd(ends[0]), std::move(stop));
  CHECK_FALSE(reader.next().has_value());
  CHECK(reader.error() == ECANCELED);
}
