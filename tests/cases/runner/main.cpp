// case_runner: runs the cases of a file in the format of tests/cases/README.md.
//
// Each case is judged by a process of its own (this program again, with --case), and Cordon is
// driven by another one, case_parent. Environment: CORDON_CASES names the file,
// CORDON_CASES_TIME_SCALE multiplies every limit on time, CORDON_CASES_PARALLEL says how many cases
// run at once.

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>

#include "tests/cases/runner/all_cases.h"
#include "tests/cases/runner/case_file.h"
#include "tests/cases/runner/disputed.h"
#include "tests/cases/runner/judge.h"
#include "tests/cases/runner/process_table.h"

namespace {

using namespace cordon::cases;

const Case& case_named(const std::vector<Case>& cases, const std::string& id) {
  for (const Case& one : cases) {
    if (one.id == id) return one;
  }
  throw std::runtime_error("there is no case " + id);
}

// Prints the verdict and returns the exit code.
int run_one(const Case& one, const Settings& settings, const Disputed& disputed) {
  become_subreaper();
  const Verdict verdict = judge(one, settings);
  switch (verdict.kind) {
    case Verdict::Kind::kPassed:
      std::cout << "passed " << one.id << "\n" << verdict.text;
      return kExitPassed;
    case Verdict::Kind::kSkipped:
      std::cout << "skipped " << one.id << ": " << verdict.text << "\n";
      return kExitSkipped;
    case Verdict::Kind::kFailed:
      break;
  }
  const auto why = disputed.find(one.id);
  std::cout << "failed " << (why == disputed.end() ? "" : "(disputed: " + why->second + ") ")
            << one.id << ": " << one.fields.value("title", "") << "\n"
            << verdict.text;
  return kExitFailed;
}

}  // namespace

int main(int argc, char** argv) try {
  const auto here = std::filesystem::read_symlink("/proc/self/exe");
  std::string file = CORDON_CASES_FILE, id, disputed_file = CORDON_CASES_DISPUTED, ctest_file;
  Settings settings{.parent = here.parent_path() / "case_parent", .time_scale = CORDON_CASES_SCALE};
  int parallel = 2;
  CLI::App app("Runs adversarial cases against Cordon");
  app.add_option("FILE", file, "one JSON object a line")->envname("CORDON_CASES");
  app.add_option("--case", id, "judge this one case, in this process");
  app.add_option("--parent", settings.parent, "the program that drives Cordon");
  app.add_option("--disputed", disputed_file, "cases that contradict the contract, and why");
  app.add_option("--time-scale", settings.time_scale)->envname("CORDON_CASES_TIME_SCALE");
  app.add_option("--parallel", parallel)->envname("CORDON_CASES_PARALLEL");
  app.add_option("--ctest", ctest_file, "write a CTest entry for each case to that file");
  app.add_flag("--show", settings.show, "show what came of a case that passes, too");
  CLI11_PARSE(app, argc, argv);

  const auto cases = read_cases(file);
  const Disputed disputed = read_disputed(disputed_file);
  if (!ctest_file.empty()) {
    std::ofstream out(ctest_file);
    print_ctest_entries(cases, disputed, here, std::filesystem::absolute(file), out);
    return out.flush() ? 0 : 2;
  }
  if (!id.empty()) return run_one(case_named(cases, id), settings, disputed);
  std::vector<std::string> command = {
      here,         file,          "--parent",     settings.parent,
      "--disputed", disputed_file, "--time-scale", std::to_string(settings.time_scale)};
  return run_all(cases, command, parallel) ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << "case_runner: " << error.what() << "\n";
  return 2;
}
