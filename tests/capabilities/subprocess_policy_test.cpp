#include "capabilities/subprocess_policy.h"

#include <catch2/catch.hpp>

namespace cordon {
namespace {

Authority granted() {
  AISandboxOptions options;
  options.subprocess.emplace().commands = {"/bin/sh"};
  return Authority::validate(options);
}

TEST_CASE("a granted command runs by its exact string") {
  const auto decision = decide_subprocess(granted(), "/bin/sh", {"-c", "", "a\nb", "$(id)"});
  REQUIRE(decision.has_value());
  CHECK(decision->command.path == "/bin/sh");
  CHECK(decision->command.canonical.front() == '/');
  CHECK(decision->arguments == std::vector<std::string>{"-c", "", "a\nb", "$(id)"});
}

TEST_CASE("every other spelling is refused") {
  for (const std::string_view name :
       {std::string_view("sh"), std::string_view("/bin/../bin/sh"), std::string_view("//bin/sh"),
        std::string_view("/bin/sh "), std::string_view("/bin/sh\0", 8), std::string_view("/BIN/SH"),
        std::string_view("./sh"), std::string_view(""), std::string_view("/bin/./sh"),
        std::string_view("/bin/echo")}) {
    const auto decision = decide_subprocess(granted(), name, {});
    REQUIRE(decision.has_error());
    CHECK(decision.error().capability == "subprocess");
    CHECK_THAT(decision.error().message, Catch::Matches("^Subprocess .* is not granted: .*"));
  }
}

TEST_CASE("nothing runs without a grant, and the message says how to give one") {
  CHECK(decide_subprocess(Authority::validate({}), "/bin/true", {}).error().message ==
        "Subprocess /bin/true is not granted: add its absolute path to `subprocess.commands` "
        "(--allow-run=/bin/true)");
}

TEST_CASE("an argument cannot hold NUL") {
  const auto decision = decide_subprocess(granted(), "/bin/sh", {"a", std::string("b\0c", 3)});
  REQUIRE(decision.has_error());
  CHECK_THAT(decision.error().message, Catch::Contains("not granted: an argument holds NUL"));
}

}  // namespace
}  // namespace cordon
