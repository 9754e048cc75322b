#include "cli/batch/job.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <filesystem>
#include <functional>
#include <map>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "actors/checked_value.h"
#include "actors/json_text.h"
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

// The line's fields, as pieces of its text: what a field holds may be large and is often only
// handed on.
class Fields {
 public:
  explicit Fields(std::vector<JsonMember> members) {
    for (const auto& [key, value] : members) {
      fields_.emplace(read(key).get<std::string>(), value);
    }
  }

  // As it is written.
  std::optional<std::string_view> find_any(std::string_view name) const {
    const auto found = fields_.find(name);
    if (found == fields_.end()) return std::nullopt;
    return found->second;
  }

  // Null is refused: a line whose tests got lost on the way must not pass unjudged.
  std::optional<std::string_view> find(std::string_view name) const {
    const auto found = find_any(name);
    if (found == "null") throw Problem(std::string(name) + ": must not be null; leave it out");
    return found;
  }

  // What nlohmann-json does not read (a lone surrogate, 1e999) is taken for no JSON.
  static json read(std::string_view written) {
    json value = json::parse(written, nullptr, false);
    if (value.is_discarded()) throw Problem("the line is not JSON");
    return value;
  }

 private:
  std::map<std::string, std::string_view, std::less<>> fields_;
};

Fields parse(const Line& line) {
  if (line.too_long) {
    throw Problem("the line is longer than " + std::to_string(kMaxLineBytes) + " bytes");
  }
  if (line.text.find_first_not_of(" \t") == std::string::npos) throw Problem("the line is empty");
  auto members = find_json_members(line.text, kMaxDepth);
  if (members) return Fields(*std::move(members));
  if (!is_utf8(line.text)) throw Problem("the line is not UTF-8 text");
  using Kind = JsonTextError::Kind;
  const JsonTextError& error = members.error();
  if (error.kind == Kind::kDepth) throw Problem("the line is nested too deeply");
  if (error.kind == Kind::kRepeatedKey)
    throw Problem(printable_line(error.key) + ": is given twice");
  if (error.kind == Kind::kNoObject) throw Problem("the line is JSON but no object");
  throw Problem("the line is not JSON");
}

std::optional<std::string> text_field(const Fields& fields, const char* name) {
  const auto written = fields.find(name);
  if (!written) return std::nullopt;
  if (!written->starts_with('"')) throw Problem(std::string(name) + ": must be a string");
  return Fields::read(*written).get<std::string>();
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

void read_identity(const Fields& fields, JobIdentity& identity) {
  if (const auto written = fields.find("task_id")) {
    const json task = Fields::read(*written);
    std::string text = id_text(task, "task_id");
    identity.task = task.is_string() ? task.get<std::string>() : std::move(text);
  }
  if (const auto id = fields.find("id")) identity.id_json = id_text(Fields::read(*id), "id");
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
void read_source(const Fields& fields, std::uint64_t max_bytes, Job& job) {
  const auto file = text_field(fields, "file");
  const auto completion = text_field(fields, "completion");
  auto source = text_field(fields, "source");
  auto code = text_field(fields, "code");
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
    job.source = text_field(fields, "prompt").value_or("") + *completion;
  } else {
    job.source = source ? *std::move(source) : *std::move(code);
  }
}

void read_entry(const Fields& fields, Job& job) {
  const auto entry = text_field(fields, "entry");
  if (entry && *entry != "module" && *entry != "script") {
    throw Problem("entry: must be \"module\" or \"script\"");
  }
  // What comes with tests, or as a completion, is an evaluation program.
  const bool script = entry ? *entry == "script" : job.tests || fields.find("completion");
  job.entry = script ? ProgramOptions::Entry::kScript : ProgramOptions::Entry::kModule;
}

void read_values(const Fields& fields, Job& job) {
  const bool script = job.entry == ProgramOptions::Entry::kScript;
  if (const auto args = fields.find("args")) {
    if (script) throw Problem("args: script entry takes none; use \"entry\": \"module\"");
    if (!args->starts_with('[')) throw Problem("args: must be an array");
    job.arguments = checked_value(std::string(*args));
  }
  if (const auto expected = fields.find_any("expected")) {
    if (script) throw Problem("expected: script entry has no result; use \"entry\": \"module\"");
    job.expected = Fields::read(*expected);
  }
}

void fill(const Fields& fields, const JobGrants& grants, Job& job) {
  if (const auto options = fields.find("options")) {
    auto narrowed = grants.narrowed(Fields::read(*options));
    if (!narrowed) throw Problem(narrowed.error().message);
    job.options = *std::move(narrowed);
  }
  const auto& limits = (job.options ? *job.options : grants.command()).resources;
  job.tests = text_field(fields, "tests");
  read_source(fields, limits.max_source_bytes, job);
  read_entry(fields, job);
  read_values(fields, job);
}

}  // namespace

std::variant<Job, InvalidJob> read_job(const Line& line, const JobGrants& grants) {
  Job job;
  job.identity.line = line.number;
  job.identity.bytes = line.bytes;
  try {
    const Fields fields = parse(line);
    read_identity(fields, job.identity);
    fill(fields, grants, job);
    return job;
  } catch (const Problem& problem) {
    return InvalidJob{std::move(job.identity), problem.what()};
  }
}

}  // namespace cordon::batch
