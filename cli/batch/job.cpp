#include "cli/batch/job.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <filesystem>
#include <stdexcept>
#include <utility>

#include "capabilities/strict_json.h"
#include "cli/terminal_text.h"
#include "cli/text_file.h"

namespace cordon::batch {
namespace {

using nlohmann::json;

// Nesting of a line: its object, and a value's 1,000 levels within.
constexpr std::size_t kMaxDepth = 1004;
constexpr std::size_t kMaxIdBytes = 1024;

// A field that cannot be used. Thrown and caught within this file.
class Problem : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

json parse(const Line& line) {
  if (line.too_long) {
    throw Problem("the line is longer than " + std::to_string(kMaxLineBytes) + " bytes");
  }
  if (line.text.find_first_not_of(" \t") == std::string::npos) throw Problem("the line is empty");
  if (!is_utf8(line.text)) throw Problem("the line is not UTF-8 text");
  auto parsed = parse_strict_json(line.text, kMaxDepth);
  if (!parsed) {
    using Kind = StrictJsonError::Kind;
    const auto& [kind, byte, key] = parsed.error();
    if (kind == Kind::kTooDeep) throw Problem("the line is nested too deeply");
    if (kind == Kind::kRepeatedKey) throw Problem(printable_line(key) + ": is given twice");
    throw Problem("the line is not JSON");
  }
  if (!parsed->is_object()) throw Problem("the line is JSON but no object");
  return *std::move(parsed);
}

// Null is refused: a line whose tests got lost on the way must not pass unjudged.
const json* find(const json& object, const char* name) {
  const auto found = object.find(name);
  if (found == object.end()) return nullptr;
  if (found->is_null()) throw Problem(std::string(name) + ": must not be null; leave it out");
  return &*found;
}

std::optional<std::string> text_field(const json& object, const char* name) {
  const json* const value = find(object, name);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) throw Problem(std::string(name) + ": must be a string");
  return value->get<std::string>();
}

// "id" alone, or an identity that several lines may share.
std::string id_text(const json& value, const char* name) {
  if (!value.is_string() && !value.is_number()) {
    throw Problem(std::string(name) + ": must be a string or a number");
  }
  std::string text = value.dump();
  if (text.size() > kMaxIdBytes) {
    throw Problem(std::string(name) + ": is longer than " + std::to_string(kMaxIdBytes) + " bytes");
  }
  return text;
}

void read_identity(const json& object, JobIdentity& identity) {
  if (const json* task = find(object, "task_id")) {
    id_text(*task, "task_id");
    identity.task = task->is_string() ? task->get<std::string>() : task->dump();
  }
  if (const json* id = find(object, "id")) identity.id_json = id_text(*id, "id");
}

std::string read_file_field(const std::string& path, std::uint64_t max_bytes) {
  // Of a pipe or a device nobody knows when it ends.
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    throw Problem("file: " + printable_line(path) + " is not a file that can be read");
  }
  auto text = read_text(file, {max_bytes, "--max-source-bytes"});
  if (!text) throw Problem("file: " + printable_line(path) + ": " + text.error().message);
  return *std::move(text);
}

// Exactly one of the ways to give a source.
void read_source(const json& object, std::uint64_t max_bytes, Job& job) {
  const auto file = text_field(object, "file");
  const auto completion = text_field(object, "completion");
  auto source = text_field(object, "source");
  auto code = text_field(object, "code");
  const int given = (file ? 1 : 0) + (completion ? 1 : 0) + (source ? 1 : 0) + (code ? 1 : 0);
  if (given != 1) {
    throw Problem(given == 0
                      ? "source: missing (or file, code, or prompt with completion)"
                      : "source: only one of source, file, code and completion can be given");
  }
  job.source_name = "main.ts";
  if (file) {
    job.source = read_file_field(*file, max_bytes);
    job.source_name = std::filesystem::path(*file).filename().string();
  } else if (completion) {
    job.source = text_field(object, "prompt").value_or("") + *completion;
  } else {
    job.source = source ? *std::move(source) : *std::move(code);
  }
}

void read_entry(const json& object, Job& job) {
  const auto entry = text_field(object, "entry");
  if (entry && *entry != "module" && *entry != "script") {
    throw Problem("entry: must be \"module\" or \"script\"");
  }
  // What comes with tests, or as a completion, is an evaluation program.
  const bool script =
      entry ? *entry == "script" : job.tests || find(object, "completion") != nullptr;
  job.entry = script ? ProgramOptions::Entry::kScript : ProgramOptions::Entry::kModule;
}

void read_values(const json& object, Job& job) {
  const bool script = job.entry == ProgramOptions::Entry::kScript;
  if (const json* args = find(object, "args")) {
    if (script) throw Problem("args: script entry takes none; use \"entry\": \"module\"");
    if (!args->is_array()) throw Problem("args: must be an array");
    try {
      job.arguments = Value::from(*args);
    } catch (const std::invalid_argument& error) {
      throw Problem(std::string("args: ") + error.what());
    }
  }
  if (const auto expected = object.find("expected"); expected != object.end()) {
    if (script) throw Problem("expected: script entry has no result; use \"entry\": \"module\"");
    job.expected = *expected;
  }
}

void fill(const json& object, const JobGrants& grants, Job& job) {
  if (const json* options = find(object, "options")) {
    auto narrowed = grants.narrowed(*options);
    if (!narrowed) throw Problem(narrowed.error().message);
    job.options = *std::move(narrowed);
  }
  const auto& limits = (job.options ? *job.options : grants.command()).resources;
  job.tests = text_field(object, "tests");
  read_source(object, limits.max_source_bytes, job);
  read_entry(object, job);
  read_values(object, job);
}

}  // namespace

std::variant<Job, InvalidJob> read_job(const Line& line, const JobGrants& grants) {
  Job job;
  job.identity.line = line.number;
  job.identity.bytes = line.bytes;
  try {
    const json object = parse(line);
    read_identity(object, job.identity);
    fill(object, grants, job);
    return job;
  } catch (const Problem& problem) {
    return InvalidJob{std::move(job.identity), problem.what()};
  }
}

}  // namespace cordon::batch
