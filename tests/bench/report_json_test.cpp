#include "benchmarks/load/report_json.h"

#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <random>

#include "tests/bench/support/reports.h"

using namespace cordon::load;
using namespace cordon::test;
using nlohmann::json;

namespace {

BenchReport full_report() {
  auto jobs = sweep_reports();
  jobs.push_back(trips_report());
  jobs.push_back(memory_report());
  JobReport mix = trips_report();
  mix.job = "mix";
  mix.kinds = {{"J1", summarise({1, 2}), {{0.5, 1}, {1, 2}}}, {"denied", summarise({0.25})}};
  mix.footprints = {{.seconds = 0.5,
                     .host_kib = 1,
                     .service_kib = 2,
                     .descriptors = 3,
                     .threads = 4,
                     .processes = 5}};
  jobs.push_back(mix);
  jobs[1].open->wrong = 1;
  jobs[1].open->first_wrong = "expected 42, got \x80";
  BenchReport report = report_of(jobs);
  report.machine.stalls =
      Stalls{.watched_s = 2, .over_one_ms = 30, .longest_ms = 14.25, .lost_percent = 2.5};
  return report;
}

std::string refusal(const std::string& text) {
  const auto report = read_report(text);
  return report ? std::string() : report.error().message;
}

// The full report with one thing changed.
template <class Change>
std::string refusal_after(const Change& change) {
  json report = json::parse(report_json(full_report()));
  change(report);
  return refusal(report.dump());
}

}  // namespace

TEST_CASE("JSON holds every figure, unrounded") {
  const auto report = json::parse(report_json(report_of({trips_report(), memory_report()})));
  CHECK(report["format"] == "cordon-bench");
  CHECK(report["version"] == 1);
  CHECK(report["cordon"] == "0.1.0");
  CHECK(report["engine"] == "mozjs-1");
  CHECK(report["hugeTextKib"] == 10'240);
  CHECK(report["hugeDataKib"] == 12'288);
  CHECK(report["machine"]["cpu"] == "Chip");
  CHECK(report["machine"]["loadAfter"] == 11.25);
  CHECK_FALSE(report["machine"].contains("stalls"));
  CHECK(json::parse(report_json(full_report()))["machine"]["stalls"] ==
        json{{"watchedS", 2.0}, {"overOneMs", 30}, {"longestMs", 14.25}, {"lostPercent", 2.5}});
  REQUIRE(report["jobs"].size() == 2);
  const auto& loop = report["jobs"][0];
  CHECK(loop["job"] == "J2");
  CHECK(loop["loop"] == "closed");
  CHECK(loop["samples"] == 4);
  CHECK(loop["p50"] == 20);
  CHECK(loop["p999"] == 40);
  CHECK(loop["callsPerSecond"] == 1234.5);
  CHECK(loop["cpuMsPerCall"]["host"] == 0.25);
  CHECK(loop["hostKib"][1] == 2048);
  CHECK(report["jobs"][1]["loop"] == "none");
  CHECK_FALSE(report["jobs"][1].contains("callsPerSecond"));
  CHECK_FALSE(report.contains("standings"));
}

TEST_CASE("standings are in it where there are some") {
  const std::vector<Standing> standings = {{&targets()[0], 1.0, 2.0, true}};
  const auto report = json::parse(report_json(report_of({}), standings));
  REQUIRE(report["standings"].size() == 1);
  CHECK(report["standings"][0]["figure"] == "J1");
  CHECK(report["standings"][0]["verdict"] == "stretch");
}

TEST_CASE("what is written is read back as it was") {
  const std::string text = report_json(full_report());
  const auto read = read_report(text);
  REQUIRE(read.has_value());
  CHECK(report_json(*read) == text);
}

TEST_CASE("what is no report is refused") {
  for (const char* text : {"", "{", "nul", "\xff\xfe", "[1,2", "{\"format\": \"cordon-bench\""}) {
    CHECK(refusal(text) == "it is not JSON");
  }
  CHECK(refusal("[]") == "it is not an object");
  CHECK(refusal("7") == "it is not an object");
  CHECK(refusal("{}") == "it is no report of cordon bench");
  CHECK(refusal(R"({"format": "other"})") == "it is no report of cordon bench");
  CHECK(refusal(R"({"format": 1})") == "format is not a short text");
  CHECK(refusal(R"({"format": "cordon-bench"})") == "version is missing");
}

TEST_CASE("another version of the format is refused, and both are named") {
  CHECK(refusal_after([](json& report) { report["version"] = 2; }) ==
        "it has version 2 of the format; this cordon reads 1");
}

TEST_CASE("a member of another type, and a number that cannot have been measured, are named") {
  CHECK(refusal_after([](json& r) { r["jobs"] = 1; }) == "jobs is not a list");
  CHECK(refusal_after([](json& r) { r["jobs"][0] = 1; }) == "jobs[0] is not an object");
  CHECK(refusal_after([](json& r) { r["jobs"][1]["job"] = 1; }) ==
        "jobs[1].job is not a short text");
  CHECK(refusal_after([](json& r) { r["jobs"][0].erase("p99"); }) == "jobs[0].p99 is missing");
  CHECK(refusal_after([](json& r) { r["jobs"][0]["p99"] = "1"; }) ==
        "jobs[0].p99 is not a number from 0");
  CHECK(refusal_after([](json& r) { r["jobs"][0]["p99"] = -1; }) ==
        "jobs[0].p99 is not a number from 0");
  CHECK(refusal_after([](json& r) { r["jobs"][0]["p50"] = 1e300; }) ==
        "jobs[0].p50 is not a number from 0");
  CHECK(refusal_after([](json& r) { r["jobs"][0]["calls"] = 1.5; }) ==
        "jobs[0].calls is not a whole number");
  CHECK(refusal_after([](json& r) { r["machine"]["stalls"]["longestMs"] = "14"; }) ==
        "machine.stalls.longestMs is not a number from 0");
  CHECK(refusal_after([](json& r) { r["machine"]["cpus"] = 1e12; }) ==
        "machine.cpus is not a whole number");
  CHECK(refusal_after([](json& r) {
          r["jobs"][0]["hostKib"] = {1, 2, 3};
        }) == "jobs[0].hostKib holds more than 2 items");
  CHECK(refusal_after([](json& r) { r["jobs"][0]["distribution"] = {1}; }) ==
        "jobs[0].distribution holds what is not a pair of numbers");
  CHECK(refusal_after([](json& r) { r["jobs"][1]["open"] = nullptr; }) ==
        "jobs[1].open is not an object");
}

TEST_CASE("what is too long is refused") {
  CHECK(refusal_after([](json& r) { r["engine"] = std::string(2000, 'x'); }) ==
        "engine is not a short text");
  CHECK(refusal_after([](json& r) { r["jobs"] = std::vector<int>(1001, 1); }) ==
        "jobs holds more than 1000 items");
}

TEST_CASE("a number that JSON can write and a double cannot hold is refused") {
  CHECK(refusal(R"({"format": "cordon-bench", "version": 1e999})") == "it is not JSON");
}

TEST_CASE("deep nesting is no problem") {
  const std::string deep(200'000, '[');
  CHECK(refusal(deep) == "it is not JSON");
  CHECK(refusal(deep + std::string(deep.size(), ']')) == "it is not an object");
}

TEST_CASE("a report with bytes changed is read or refused, and nothing else") {
  const std::string good = report_json(full_report());
  std::mt19937 random(1);
  int refused = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string text = good;
    for (int change = 0; change < 3; ++change) {
      text[random() % text.size()] = static_cast<char>(random());
    }
    if (round % 3 == 0) text.resize(random() % text.size());
    const auto report = read_report(text);
    refused += report ? 0 : 1;
    if (!report) CHECK_FALSE(report.error().message.empty());
  }
  CHECK(refused > 1000);
}
