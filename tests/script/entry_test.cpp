// How a job is run: entries, awaiting, errors of the top level.

#include <catch2/catch.hpp>

#include "tests/script/script_host.h"

using namespace cordon::testing;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

TEST_CASE("The default export is called with the arguments and its result comes back") {
  CHECK(outcome("export default (a, b) => a + b;", "[1,2]") == "3");
  CHECK(outcome("export default async (a) => { await null; return [a]; };", "[\"x\"]") == "[\"x\"]");
  CHECK(outcome("export default function () { return arguments.length; }", "[1,2,3]") == "3");
}
