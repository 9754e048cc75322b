#pragma once
// One line of input: a program to evaluate, or why the line is none.

#include <cordon/sandbox.h>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>

#include "cli/batch/job_options.h"
#include "cli/batch/line_reader.h"

namespace cordon::batch {

// Which line an answer is about.
struct JobIdentity {
  std::uint64_t line = 0;
  std::string id_json = "null";     // a JSON string or number; null when the line has none
  std::optional<std::string> task;  // groups several completions
  std::uint64_t bytes = 0;          // of the line
};

struct Job {
  JobIdentity identity;
  std::string source;
  std::string source_name;
  ProgramOptions::Entry entry = ProgramOptions::Entry::kModule;
  Value arguments = Value::from_json("[]");
  std::optional<std::string> tests;
  std::optional<nlohmann::json> expected;
  std::optional<AISandboxOptions> options;  // none: the command's
};

struct InvalidJob {
  JobIdentity identity;
  std::string message;  // which field, what is wrong with it, and what would be accepted
};

// `grants` are what the command gives to every job. Files that a line names are read here, relative
// to the working directory, at most as large as a source may be. Duplicates are not looked for.
std::variant<Job, InvalidJob> read_job(const Line& line, const JobGrants& grants);

}  // namespace cordon::batch
