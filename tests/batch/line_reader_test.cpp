#include "cli/batch/line_reader.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <string>
#include <string_view>
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
  LineReader reader(holding(text), max);
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

TEST_CASE("a byte order mark is no part of the first line, and of none but that") {
  const auto all = lines("\xef\xbb\xbf{}\n\xef\xbb\xbf{}");
  REQUIRE(all.size() == 2);
  CHECK(all[0].text == "{}");
  CHECK(all[0].bytes == 6);
  CHECK(all[1].text == "\xef\xbb\xbf{}");
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

TEST_CASE("what was read can be had line by line without blocking") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  UniqueFd write_end(ends[1]);
  LineReader reader{UniqueFd(ends[0])};
  const auto write = [&](std::string_view text) {
    REQUIRE(::write(write_end.get(), text.data(), text.size()) ==
            static_cast<ssize_t>(text.size()));
  };
  CHECK_FALSE(reader.take());
  write("one\ntwo\nth");
  reader.fill();
  CHECK(reader.take()->text == "one");
  reader.fill();  // nothing is lost of what was not taken, and nothing is waited for
  CHECK(reader.take()->text == "two");
  CHECK_FALSE(reader.take());
  write("ree\nend");
  reader.fill();
  CHECK(reader.take()->text == "three");
  CHECK_FALSE(reader.take());
  CHECK_FALSE(reader.ended());
  write_end = {};
  reader.fill();
  CHECK(reader.ended());
  CHECK(reader.take()->text == "end");
  CHECK_FALSE(reader.take());
}

TEST_CASE("a descriptor that does not block has nothing yet, which is not its end") {
  int ends[2];
  REQUIRE(::pipe2(ends, O_NONBLOCK) == 0);
  const UniqueFd write_end(ends[1]);
  LineReader reader{UniqueFd(ends[0])};
  reader.fill();
  CHECK_FALSE(reader.ended());
  CHECK_FALSE(reader.take());
  REQUIRE(::write(write_end.get(), "a\n", 2) == 2);
  reader.fill();
  CHECK(reader.take()->text == "a");
  CHECK(reader.error() == 0);
}

TEST_CASE("a line that breaks off in an error is not handed out") {
  LineReader reader(UniqueFd(::open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
  CHECK_FALSE(reader.next());
  CHECK(reader.error() == EISDIR);
  CHECK(reader.ended());
}
