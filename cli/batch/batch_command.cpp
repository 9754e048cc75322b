#include "cli/batch/batch_command.h"

#include <cordon/runtime.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "actors/or_unavailable.h"
#include "cli/batch/batch_run.h"
#include "cli/batch/html_report.h"
#include "cli/batch/mailbox.h"
#include "cli/batch/progress.h"
#include "cli/exit_codes.h"
#include "cli/flag_names.h"
#include "cli/interrupts.h"
#include "cli/output.h"
#include "cli/output_file.h"
#include "cli/report.h"

namespace cordon {
namespace {

using namespace batch;

constexpr const char* kStream = "-";
// Processes that are ready before a job needs them.
constexpr std::size_t kMostSpares = 16;

UsageError system_error(const std::string& what, int code) {
  return UsageError{what, ": ", std::generic_category().message(code)};
}

Result<UniqueFd, UsageError> open_input(const std::string& name) {
  UniqueFd file(name == kStream ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
                                : ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0) return system_error(name, errno);
  if (S_ISDIR(status.st_mode)) return system_error(name, EISDIR);
  return file;
}

// The same input by a descriptor that does not block, where one can be had: what was there may be
// another reader's by the time that we read. Not by a flag of this one, which belongs to everybody
// who has inherited it.
UniqueFd without_blocking(UniqueFd input) {
  struct stat status {};
  if (::fstat(input.get(), &status) != 0) return input;
  if (!S_ISFIFO(status.st_mode) && !S_ISCHR(status.st_mode)) return input;
  UniqueFd own(::open(("/proc/self/fd/" + std::to_string(input.get())).c_str(),
                      O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
  return own ? std::move(own) : std::move(input);
}

// 0: unknown.
std::uint64_t size_of(const UniqueFd& file) {
  struct stat status {};
  if (::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return 0;
  return static_cast<std::uint64_t>(status.st_size);
}

// Adds a result's line, and gives what the tally wants of it. Where this host has no memory for it,
// the line says that instead, and costs the others nothing.
PastResult add_line(std::string& lines, const JobResult& result) {
  try {
    or_unavailable([&] { lines += result_line(result); });
    return summarised(result);
  } catch (const Unavailable& why) {
    const JobResult lost{
        .identity = result.identity,
        .verdict = Verdict::kSandboxError,
        .outcome = failed_outcome(Status::kUnavailable, "SandboxError", why.what()),
        .waited_ms = result.waited_ms,
        .attempt = result.attempt};
    lines += result_line(lost);
    return summarised(lost);
  }
}

int refuse(const UsageError& error) {
  tell("cordon: ", error.message);
  return kExitUsage;
}

}  // namespace

BatchCommand::BatchCommand(CLI::App& cordon)
    : command_(
          *cordon.add_subcommand("batch", "Judge many programs: JSON Lines in, JSON Lines out")),
      policy_(command_) {
  add_flags();
  command_.footer(
      "A line: {\"id\", \"source\" or \"file\", \"args\", \"entry\", \"tests\", \"expected\", "
      "\"options\"}; also\n"
      "\"task_id\", \"code\", \"prompt\" with \"completion\". See docs/batch.md.\n"
      "\n"
      "Exit codes: 0 every line is answered; 1 fewer passed than --fail-under; 2 usage; 3 this "
      "host\n"
      "cannot enforce the sandbox, a job ended as sandbox_error, or input or results failed;\n"
      "130 interrupted.");
}

void BatchCommand::add_flags() {
  const auto option = [this](const char* flag, auto& value, const char* type, const char* help,
                             const char* group) {
    command_.add_option(flag, value, help)->type_name(type)->group(group);
  };
  const auto flag = [this](const char* name, bool& value, const char* help, const char* group) {
    command_.add_flag(name, value, help)->group(group);
  };
  command_.add_option("JOBS", jobs_, "One job a line; - is standard input")
      ->type_name("")
      ->required();
  option("-o,--output", output_, "FILE", "Append results to this file [standard output]", "Batch");
  option("-j,--jobs", typed_.parallel, "COUNT", "Programs at one time, or auto [auto]", "Batch");
  flag("--resume", resume_, "Go on where an earlier run with this output ended", "Batch");
  option("--shard", typed_.shard, "I/N", "Only every N-th line, from the I-th on", "Batch");
  option("--retry", typed_.retry, "COUNT", "Further runs of a job that ends as sandbox_error [0]",
         "Batch");
  option("--seed", typed_.seed, "NUMBER", "Begin Math.random of every job with this seed", "Batch");
  option("--clock", typed_.clock, "INSTANT", "What Date calls now: 2026-01-31T12:00:00Z", "Batch");
  flag("--module-assert", assert_module_,
       "Let programs import the built-in assert, as assert and node:assert", "Program");
  flag("--jitless", jitless_, "Run without just-in-time compilation", "Program");
  option("--fail-under", typed_.fail_under, "PERCENT", "Exit code 1 when fewer programs pass",
         "Output");
  option("--report", report_, "FILE", "Write a page of HTML about the results", "Output");
  option("--audit", audit_file_, "FILE",
         "Append the audit trail to this file and print its head on stderr", "Output");
  flag("--quiet", quiet_, "No progress and no summary on standard error", "Output");
}

Result<ResultsOutput, UsageError> BatchCommand::open_output() const {
  if (!output_.empty() && output_ != kStream) return ResultsOutput::open(output_, resume_);
  if (resume_) return UsageError{"--resume: needs -o FILE"};
  return ResultsOutput::standard_output();
}

BatchCommand::Ending BatchCommand::answer_all(const AISandboxOptions& options,
                                              const BatchSettings& settings, JobFeed& feed,
                                              ResultsOutput& output, Tally& tally,
                                              UniqueFd input) const {
  RuntimeOptions runtime_options;
  runtime_options.max_concurrent_calls = settings.concurrency.most();
  runtime_options.spare_children = std::min(settings.concurrency.limit(), kMostSpares);
  runtime_options.jit = !jitless_;
  if (audit_file_) runtime_options.audit_file = *audit_file_;
  Runtime runtime(std::move(runtime_options));

  Ending ending;
  Progress progress(Progress::Look::of_standard_error(quiet_), size_of(input), tally.total());
  const auto mailbox = std::make_shared<Mailbox>();
  const auto answer = [&](const std::vector<JobResult>& results) {
    std::string lines;
    for (const JobResult& result : results) {
      tally.add(add_line(lines, result));
      progress.done(result.identity.bytes);
    }
    const auto written = output.write(lines);
    if (!written) ending.problem = written.error();
    return written.has_value();
  };
  std::atomic<bool> interrupted = false;
  {
    JobReader jobs(without_blocking(std::move(input)), feed,
                   [&](std::uint64_t bytes) { progress.done(bytes); });
    const Interrupts interrupts([&] {
      interrupted = true;
      mailbox->drain();
    });
    BatchRun batch_run(runtime, options, settings.run, settings.concurrency, jobs, mailbox, answer,
                       [&] { progress.tick(tally); });
    if (batch_run.run() && jobs.error() != 0) ending.problem = system_error(jobs_, jobs.error());
  }
  ending.interrupted = interrupted;
  progress.finish(tally, interrupted);
  if (audit_file_) ending.audit_head = runtime.audit_head();
  return ending;
}

// Results, trail and page must not be written over each other, or over what they are made of.
std::optional<UsageError> BatchCommand::same_files() const {
  const auto same = [](const std::string& one, const std::string& other) {
    std::error_code ignored;
    return !one.empty() && one != kStream &&
           (one == other || std::filesystem::equivalent(one, other, ignored));
  };
  const std::string report = report_.value_or("");
  if (same(output_, jobs_)) return UsageError{"-o ", output_, ": is the file of jobs"};
  if (same(report, jobs_)) return UsageError{"--report ", report, ": is the file of jobs"};
  if (same(report, output_)) return UsageError{"--report ", report, ": is the file of results"};
  const std::string audit = audit_file_.value_or("");
  if (same(audit, jobs_)) return UsageError{"--audit ", audit, ": is the file of jobs"};
  if (same(audit, output_)) return UsageError{"--audit ", audit, ": is the file of results"};
  if (same(audit, report)) return UsageError{"--audit ", audit, ": is the file of --report"};
  return std::nullopt;
}

Result<int, UsageError> BatchCommand::run() const {
  const auto options = policy_.options(Surroundings::of_this_process());
  if (!options) return options.error();
  auto settings = read_settings(typed_, options->resources.max_memory_bytes);
  if (!settings) return settings.error();
  settings->run.assert_module = assert_module_;
  if (auto same = same_files()) return *std::move(same);
  auto input = open_input(jobs_);
  if (!input) return input.error();
  auto output = open_output();
  if (!output) return output.error();
  std::optional<OutputFile> report;
  if (report_) {
    auto opened = OutputFile::open("--report", *report_);
    if (!opened) return opened.error();
    report = *std::move(opened);
  }

  const JobGrants grants(*options);
  JobFeed feed(grants, settings->shard);
  Tally tally;
  if (resume_) {
    const auto read = output->read_past([&](const PastResult& past) {
      feed.finished(past);
      tally.add(past);
    });
    if (!read) return read.error();
  }
  Ending ending = answer_all(*options, *settings, feed, *output, tally, *std::move(input));
  if (!ending.audit_head.empty()) tell("audit head: ", ending.audit_head);
  if (report) {
    auto problem = report->write(
        html_report(tally, "Batch of " + (jobs_ == kStream ? "standard input" : jobs_)));
    if (problem) ending.problem = std::move(problem);
  }
  if (ending.problem) {
    tell("cordon: ", ending.problem->message);
    return kExitSandbox;
  }
  if (ending.interrupted) return kExitTerminated;
  if (tally.count(Verdict::kSandboxError) > 0) return kExitSandbox;
  const bool enough = !settings->fail_under || tally.pass_percent() >= *settings->fail_under;
  return enough ? kExitOk : kExitError;
}

int BatchCommand::execute() const {
  // A reader of results that goes away is an error of a write.
  ::signal(SIGPIPE, SIG_IGN);
  try {
    const auto code = run();
    return code ? *code : refuse(code.error());
  } catch (const InvalidOption& error) {
    return refuse(usage_error(error));
  } catch (const Unavailable& error) {
    tell("cordon: ", error.what());
    return kExitSandbox;
  }
}

}  // namespace cordon
