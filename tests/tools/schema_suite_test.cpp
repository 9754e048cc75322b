// The JSON Schema organisation's own test suite, as Debian packages it: every schema of ours in it
// must judge every value as the suite says.

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <iostream>

#include <cordon/options.h>

#include "capabilities/tools/schema.h"

using namespace cordon;
using nlohmann::json;

TEST_CASE("the official test suite agrees") {
  const std::filesystem::path suite = CORDON_SCHEMA_SUITE;
  if (!std::filesystem::exists(suite)) {
    WARN("cordon-test-skipped: the package json-schema-test-suite is not installed");
    return;
  }
  int judged = 0;
  for (const auto& file : std::filesystem::directory_iterator(suite)) {
    if (!file.is_regular_file()) continue;
    for (const auto& group : json::parse(std::ifstream(file.path()))) {
      std::optional<Schema> schema;
      try {
        schema = read_schema("schema", group["schema"].dump());
      } catch (const InvalidOption&) {
        continue;  // it needs a keyword that tools do not have
      }
      for (const auto& test : group["tests"]) {
        INFO(file.path().filename() << ": " << group["description"] << ": " << test["description"]);
        CHECK(!find_mismatch(*schema, test["data"], "value") == test["valid"].get<bool>());
        ++judged;
      }
    }
  }
  CHECK(judged > 150);  // else the suite is not what it was
}
