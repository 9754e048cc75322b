#include "messages/write_all.h"

#include <fcntl.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <cerrno>
#include <string>
#include <string_view>
#include <thread>

#include "messages/unique_fd.h"

using namespace cordon;

TEST_CASE("All of a text is written where there is room for a part of it at a time") {
  int ends[2];
  REQUIRE(::pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0);
  const UniqueFd from(ends[0]);
  UniqueFd to(ends[1]);
  REQUIRE(::fcntl(from.get(), F_SETFL, 0) == 0);
  std::string all;
  for (int i = 0; all.size() < (std::size_t{1} << 20); ++i) all += std::to_string(i);
  std::string got;
  std::thread reader([&] {
    char buffer[5000];
    for (ssize_t count = 0; (count = ::read(from.get(), buffer, sizeof buffer)) > 0;)
      got.append(buffer, static_cast<std::size_t>(count));
  });
  std::string_view rest = all;
  const int error = write_all(to.get(), rest);
  to.reset();
  reader.join();
  CHECK(error == 0);
  CHECK(rest.empty());
  CHECK((got == all));
}

TEST_CASE("What could not be written is left, with the reason") {
  const UniqueFd full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  REQUIRE(full);
  std::string_view rest = "text";
  CHECK(write_all(full.get(), rest) == ENOSPC);
  CHECK(rest == "text");
  CHECK(write_all(-1, rest) == EBADF);
}
