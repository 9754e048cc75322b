#include "capabilities/environment.h"

#include <catch2/catch.hpp>

#include "tests/capabilities/fixture.h"

namespace cordon {
namespace {

Authority granted() {
  AISandboxOptions options;
  options.environment = {{"MODE", "analysis"}, {"", "empty name"}, {"EMPTY", ""}};
  options.secrets = {{"TOKEN", "tok-12345"}};
  return Authority::validate(options);
}

TEST_CASE("granted variables and secrets are given by exact name") {
  const Authority authority = granted();
  CHECK(*environment(authority, "MODE") == "analysis");
  CHECK(*environment(authority, "EMPTY") == "");
  CHECK(*environment(authority, "") == "empty name");
  CHECK(*secret(authority, "TOKEN") == "tok-12345");
}

TEST_CASE("any other name is refused, however it resembles a granted one") {
  const Authority authority = granted();
  for (const std::string_view name :
       {std::string_view("mode"), std::string_view("MODE "), std::string_view("MODE\0", 5),
        std::string_view("PATH"), std::string_view("__proto__"), std::string_view("constructor"),
        std::string_view("TOKEN"), std::string_view("\xff")}) {
    const Refusal refusal = test::refusal_of(environment(authority, name));
    CHECK(refusal.capability == "environment");
    CHECK_THAT(refusal.message, Catch::StartsWith("Environment variable ") &&
                                    Catch::Contains(" is not granted: add it to `environment`"));
    CHECK(refusal.reason == "name is not in environment");
  }
  const Refusal refusal = test::refusal_of(secret(authority, "MODE"));
  CHECK(refusal.capability == "secret");
  CHECK_THAT(refusal.message, Catch::StartsWith("Secret MODE is not granted"));
  CHECK_THAT(refusal.message, !Catch::Contains("tok-"));
}

TEST_CASE("the host's own environment is not granted by accident") {
  const Authority nothing = Authority::validate({});
  CHECK(test::refusal_of(environment(nothing, "PATH")).message ==
        "Environment variable PATH is not granted: add it to `environment` (--allow-env=PATH)");
}

TEST_CASE("a hostile name appears in a message in one short line") {
  const std::string name = "X\n{\"forged\":1}" + std::string(10'000, 'a');
  const Refusal refusal = test::refusal_of(environment(granted(), name));
  CHECK(refusal.message.size() < 1000);
  CHECK(refusal.message.find('\n') == std::string::npos);
}

}  // namespace
}  // namespace cordon
