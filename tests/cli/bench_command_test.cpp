// `cordon bench` end to end: what it prints is what it measured. No figure is judged.

#include <catch2/catch.hpp>

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/cli/support/command.h"
#include "tests/cli/support/scene.h"
#include "tests/cli/support/temporary_directory.h"

using cordon::test::Command;
using cordon::test::Finished;
using cordon::test::run_cordon;
using cordon::test::TemporaryDirectory;
using nlohmann::json;

namespace {

bool skipped(const Finished& bench) {
  if (bench.code != 3) return false;
  // This word makes CTest report the test as skipped.
  std::cout << "cordon-test-skipped: " << bench.err << std::endl;
  return true;
}

std::string text_of(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

// As `bench` itself decides it.
bool measures_memory(const Finished& bench) {
  const bool possible = ::geteuid() == 0;
  CHECK((bench.err.find("J4 is left out: only root may read") == std::string::npos) == possible);
  if (!possible) WARN("skipped in part: only root may read how much memory a process holds");
  return possible;
}

}  // namespace

TEST_CASE("Every job runs, and its figures are printed as JSON") {
  const Finished bench =
      run_cordon({"bench", "--json", "--calls=2", "--warm-up=1", "--sandboxes=3", "--trips=10"});
  if (skipped(bench)) return;
  INFO(bench.err);
  REQUIRE(bench.code == 0);
  std::set<std::string> names;
  const json report = json::parse(bench.out);
  for (const json& job : report.at("jobs")) {
    const std::string job_name = job.at("job");
    names.insert(job_name);
    const bool memory = job_name.starts_with("J4");
    CHECK(job.at("calls") == (memory ? 3 : 2));
    CHECK(job.at("samples") == (job_name == "J4p" ? 3 : memory ? 1 : job_name == "J2" ? 20 : 2));
    CHECK(job.at("p50") > 0);
    CHECK(job.at("max") >= job.at("p50"));
    CHECK(job.contains("cpuMsPerCall") != memory);
  }
  std::set<std::string> all{"J1", "J1w", "J2", "J3", "J5", "J6", "J7", "mix"};
  if (measures_memory(bench)) all.insert({"J4", "J4p", "J4w"});
  CHECK(names == all);
  CHECK(report.at("version") == 1);
  CHECK(report.at("engine").get<std::string>().starts_with("mozjs-"));
  CHECK(report.at("machine").at("cpus") > 0);
}

TEST_CASE("Every kind of the mix comes to what it must, in both loops, and leaves nothing behind") {
  for (const char* loop : {"--callers=2", "--rate=40/s"}) {
    const Finished bench = run_cordon(
        {"bench", "--json", "--jobs=mix", loop, "--calls=20", "--duration=1m", "--warm-up=20"});
    if (skipped(bench)) return;
    INFO(bench.err);
    REQUIRE(bench.code == 0);
    const json job = json::parse(bench.out).at("jobs").at(0);
    CHECK(job.at("calls") == 20);
    std::map<std::string, int> kinds;
    for (const json& kind : job.at("kinds")) kinds[kind.at("kind")] = kind.at("samples");
    CHECK(
        kinds ==
        std::map<std::string, int>{
            {"J1", 8}, {"J2", 4}, {"J5", 1}, {"J6", 1}, {"J7", 2}, {"denied", 2}, {"short J3", 2}});
    const json looks = job.at("footprints");
    REQUIRE(looks.size() >= 2);
    CHECK(looks.back().at("processes") == looks.front().at("processes"));
    CHECK(looks.back().at("descriptors") <= looks.front().at("descriptors"));
  }
}

TEST_CASE("An open loop says what was refused where the queue is short") {
  const Finished bench = run_cordon({"bench", "--json", "--jobs=J3", "-j", "1", "--rate=1000/s",
                                     "--calls=30", "--queue=1", "--warm-up=1"});
  if (skipped(bench)) return;
  INFO(bench.err);
  REQUIRE(bench.code == 0);
  const json job = json::parse(bench.out).at("jobs").at(0);
  CHECK(job.at("loop") == "open");
  CHECK(job.at("unit") == "ms");
  CHECK(job.at("open").at("perSecond") == 1000);
  CHECK(job.at("open").at("busy") > 0);
  CHECK(job.at("open").at("wrong") == 0);
  CHECK(job.at("calls").get<int>() + job.at("open").at("busy").get<int>() == 30);
}

TEST_CASE("One command runs a job with several numbers of parallel sandboxes") {
  const Finished bench = run_cordon({"bench", "--jobs=J1,J4", "-j", "1,2", "--calls=2",
                                     "--warm-up=1", "--sandboxes=1", "--soak"});
  if (skipped(bench)) return;
  INFO(bench.err);
  REQUIRE(bench.code == 0);
  CHECK(bench.out.find("\nJ1 -j 1") != std::string::npos);
  CHECK(bench.out.find("\nJ1 -j 2") != std::string::npos);
  CHECK(bench.out.find("times the calls per second of -j 1") != std::string::npos);
  if (measures_memory(bench)) CHECK(bench.out.find("\nJ4 ") != std::string::npos);
  CHECK(bench.out.find("descriptors") != std::string::npos);
}

TEST_CASE("A run is saved, drawn, and compared with a later one") {
  const TemporaryDirectory directory;
  const std::string saved = (directory.path() / "run.json").string();
  const std::string page = (directory.path() / "run.html").string();
  const std::vector<std::string> run = {"bench", "--jobs=J1", "--calls=3", "--warm-up=1"};
  const auto with = [&run](std::vector<std::string> more) {
    more.insert(more.begin(), run.begin(), run.end());
    return run_cordon(more);
  };
  const Finished first = with({"--save=" + saved, "--plot=" + page});
  if (skipped(first)) return;
  INFO(first.err);
  REQUIRE(first.code == 0);
  json report = json::parse(text_of(saved));
  CHECK(text_of(page).find("J1: distribution of 3 samples") != std::string::npos);

  const Finished same = with({"--compare=" + saved, "--tolerance=1000%"});
  INFO(same.err);
  CHECK(same.code == 0);
  CHECK(same.out.find("ratio") != std::string::npos);

  report["jobs"][0]["p50"] = 1e-6;  // nothing is as fast as this
  report["machine"]["cpu"] = "\x1b[31mred";
  directory.write("run.json", report.dump());
  const Finished worse = with({"--compare=" + saved});
  CHECK(worse.code == 1);
  CHECK(worse.out.find("worse") != std::string::npos);
  CHECK(worse.err.find("another CPU") != std::string::npos);
  CHECK((worse.out + worse.err).find('\x1b') == std::string::npos);

  report["jobs"][0]["spareChildren"] = 3;
  directory.write("run.json", report.dump());
  const Finished other = with({"--compare=" + saved});
  CHECK(other.code == 2);
  CHECK(other.err.find("another number of spare children") != std::string::npos);
}

TEST_CASE("A file that is no report of these jobs is refused before anything is measured") {
  const TemporaryDirectory directory;
  const std::string file = (directory.path() / "run.json").string();
  const auto refused = [&](const std::string& text) {
    directory.write("run.json", text);
    const Finished bench =
        run_cordon({"bench", "--jobs=J1", "--duration=24h", "--compare=" + file});
    CHECK(bench.code == 2);
    CHECK(bench.out.empty());
    return bench.err;
  };
  CHECK(refused("not JSON").find("it is not JSON") != std::string::npos);
  CHECK(refused("\xff").find("not UTF-8 text") != std::string::npos);
  CHECK(refused("[]").find("it is not an object") != std::string::npos);
  const json empty = {
      {"format", "cordon-bench"},
      {"version", 1},
      {"date", ""},
      {"cordon", ""},
      {"engine", ""},
      {"hugeTextKib", 0},
      {"hugeDataKib", 0},
      {"machine", {{"cpu", ""}, {"cpus", 1}, {"kernel", ""}, {"loadBefore", 0}, {"loadAfter", 0}}},
      {"jobs", json::array()}};
  CHECK(refused(empty.dump()).find("of other jobs") != std::string::npos);
  json newer = empty;
  newer["version"] = 9;
  CHECK(refused(newer.dump()).find("version 9") != std::string::npos);
  CHECK(run_cordon({"bench", "--jobs=J1", "--compare=/nowhere/run.json"}).code == 2);
}

TEST_CASE("A file that cannot be written is refused before anything is measured") {
  for (const char* flag : {"--save=/nowhere/file", "--plot=/nowhere/file"}) {
    const Finished bench = run_cordon({"bench", "--jobs=J1", "--duration=24h", flag});
    CHECK(bench.code == 2);
    CHECK(bench.err.find(" /nowhere/file: No such file") != std::string::npos);
    CHECK(bench.err.find("cordon: --") == 0);
  }
}

TEST_CASE("Flags that cannot be, or not together, are usage errors that name them") {
  const std::vector<std::pair<std::vector<std::string>, std::string>> lines = {
      {{"--rate=5"}, "--rate=5"},
      {{"--rate=0/s"}, "--rate=0/s"},
      {{"--rate=-1/s"}, "--rate=-1/s"},
      {{"--rate=nan/s"}, "--rate=nan/s"},
      {{"--rate=1e3/s"}, "--rate=1e3/s"},
      {{"--rate=100001/s"}, "--rate=100001/s"},
      {{"--rate=5/s", "--arrivals=uniform"}, "--arrivals=uniform"},
      {{"--rate=5/s", "--seed=x"}, "--seed=x"},
      {{"--rate=5/s", "--in-flight=0"}, "--in-flight=0"},
      {{"--rate=5/s", "--queue=70000"}, "--queue=70000"},
      {{"--rate=5/s", "--sweep"}, "--rate"},
      {{"--rate=5/s", "--callers=2"}, "--callers"},
      {{"--rate=5/s", "--jobs=J1,J4"}, "J4 measures memory"},
      {{"--sweep", "--jobs=J4w"}, "J4w measures memory"},
      {{"--arrivals=poisson"}, "need --rate or --sweep"},
      {{"--targets", "--jobs=J1"}, "--targets"},
      {{"--targets", "--sweep"}, "--targets"},
      {{"--warm-up=0"}, "--warm-up=0"},
      {{"--warm-up=2 s"}, "--warm-up=2 s"},
      {{"-j", "0"}, "-j=0"},
      {{"-j", "1,1"}, "there twice"},
      {{"--spare-children=-1"}, "--spare-children=-1: expected a whole number from 0"},
      {{"--spare-children=1025"}, "--spare-children=1025: too large: at most 1024"},
      {{"--callers=1025"}, "--callers=1025: too large: at most 1024"},
      {{"--duration=25h"}, "--duration=25h: too large: at most 24h"},
      {{"--calls=99999999999999999999"}, "too large: at most 2^53 - 1"},
      {{"--jobs=J1,J1"}, "J1 is there twice"},
      {{"--tolerance=5%"}, "--compare"},
      {{"--compare=x", "--tolerance=5"}, "--tolerance=5"},
      {{"--save=x", "--plot=x"}, "--plot"},
  };
  for (const auto& [flags, named] : lines) {
    std::vector<std::string> line = {"bench"};
    line.insert(line.end(), flags.begin(), flags.end());
    if (!flags.front().starts_with("--duration")) line.push_back("--duration=24h");
    const Finished bench = run_cordon(line);
    INFO(named);
    CHECK(bench.code == 2);
    CHECK(bench.out.empty());
    CHECK(bench.err.find(named) != std::string::npos);
  }
}

TEST_CASE("A job that is not known and a number that cannot be are usage errors") {
  const Finished job = run_cordon({"bench", "--jobs=J1,J9"});
  CHECK(job.code == 2);
  CHECK(job.err.find("no job J9") != std::string::npos);
  const Finished callers = run_cordon({"bench", "--callers=0"});
  CHECK(callers.code == 2);
  CHECK(callers.err.find("--callers=0") != std::string::npos);
}

TEST_CASE("A signal ends it as always, and leaves no file behind") {
  REQUIRE_SANDBOX();
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    const TemporaryDirectory directory;
    Command bench({.arguments = {"bench", "--jobs=J1", "--duration=10m", "--calls=1000000000"},
                   .environment = {{"TMPDIR", directory.path()}}});
    const auto has_file = [&] {
      for (const auto& each : std::filesystem::recursive_directory_iterator(directory.path())) {
        if (each.is_regular_file() && each.file_size() > 0) return true;
      }
      return false;
    };
    const auto patience = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (!has_file() && std::chrono::steady_clock::now() < patience)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    REQUIRE(has_file());
    bench.signal(number);
    const Finished ended = bench.finish();
    CHECK(ended.code == 128 + number);
    CHECK(std::filesystem::is_empty(directory.path()));
  }
}
