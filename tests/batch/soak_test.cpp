// Twenty thousand jobs: nothing is left behind, and the host's memory stays flat.

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "tests/batch/support/batch.h"
#include "tests/batch/support/interactive.h"

using namespace cordon::test;
using nlohmann::json;

namespace {

constexpr int kJobs = 20'000;
constexpr int kWarm = 2'000;  // after which memory counts

std::uint64_t resident_kib(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("VmRSS:")) return std::stoull(line.substr(6));
  }
  return 0;
}

std::size_t descriptors(pid_t pid) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry :
       std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/fd")) {
    ++count;
  }
  return count;
}

std::string job(int i) {
  json job = {{"id", i}, {"entry", "module"}};
  switch (i % 10) {
    case 0:
      job["source"] = "export default () => { throw new Error('" + std::to_string(i) + "') }";
      break;
    case 1:
      job["source"] = "let let = " + std::to_string(i);
      break;
    case 2:
      job["source"] = "const f = () => " + std::to_string(i) + "; export default f;";
      job["tests"] = "if (f() !== " + std::to_string(i) + ") throw new Error('wrong');";
      break;
    default:
      job["source"] = "export default () => " + std::to_string(i);
  }
  return job.dump() + "\n";
}

const char* expected(int i) {
  if (i % 10 == 0) return "error";
  return i % 10 == 1 ? "compile_error" : "passed";
}

}  // namespace

TEST_CASE("twenty thousand jobs") {
  REQUIRE_SANDBOX();
  Interactive batch({"batch", "-", "--quiet"});
  std::thread writer([&] {
    for (int i = 0; i < kJobs && batch.write(job(i)); ++i) {
    }
    batch.close_input();
  });
  std::vector<bool> seen(kJobs);
  std::uint64_t warm_kib = 0;
  std::uint64_t last_kib = 0;
  std::size_t warm_descriptors = 0;
  int answered = 0;
  int wrong = 0;
  while (const auto line = batch.read_line()) {
    const json answer = json::parse(*line);
    const int id = answer["id"];
    if (seen[static_cast<std::size_t>(id)] || answer["verdict"] != expected(id)) ++wrong;
    seen[static_cast<std::size_t>(id)] = true;
    if (++answered == kWarm) {
      warm_kib = resident_kib(batch.pid());
      warm_descriptors = descriptors(batch.pid());
    }
    if (answered == kJobs - 100) {
      last_kib = resident_kib(batch.pid());
      CHECK(descriptors(batch.pid()) < warm_descriptors + 32);
    }
  }
  writer.join();
  CHECK(batch.wait() == 0);
  CHECK(answered == kJobs);
  CHECK(wrong == 0);
  std::cout << "resident: " << warm_kib << " KiB after " << kWarm << " jobs, " << last_kib
            << " KiB at the end" << std::endl;
  // What is kept of each job is a hash of its id.
  CHECK(last_kib < warm_kib + 32 * 1024);
}
