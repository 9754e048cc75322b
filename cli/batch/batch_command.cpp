#include "cli/batch/batch_command.h"

#include <cordon/runtime.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <system_error>
#include <thread>
#include <utility>

#include "cli/batch/html_report.h"
#include "cli/batch/instant.h"
#include "cli/batch/line_reader.h"
#include "cli/batch/mailbox.h"
#include "cli/batch/progress.h"
#include "cli/batch/tally.h"
#include "cli/exit_codes.h"
#include "cli/flag_names.h"
#include "cli/interrupts.h"
#include "cli/output.h"
#include "cli/units.h"

namespace cordon {
namespace {

using namespace batch;

constexpr const char* kStream = "-";
constexpr std::uint64_t kMostParallel = 4096;
constexpr std::uint64_t kMostRetries = 100;
// Ready before a job needs them.
constexpr std::size_t kMostSpares = 16;

int refuse(const UsageError& error) {
  tell("cordon: ", error.message);
  return kExitUsage;
}

template <class Number>
std::optional<Number> whole_number(std::string_view text) {
  Number number{};
  const char* const end = text.data() + text.size();
  const bool ok = std::from_chars(text.data(), end, number) == std::from_chars_result{end, {}};
  return ok ? std::optional(number) : std::nullopt;
}

Result<Shard, UsageError> read_shard(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash != std::string::npos) {
    const auto index = whole_number<std::uint64_t>(std::string_view(text).substr(0, slash));
    const auto count = whole_number<std::uint64_t>(std::string_view(text).substr(slash + 1));
    if (index && count && *index >= 1 && *index <= *count) return Shard{*index, *count};
  }
  return UsageError{"--shard=", text, ": expected I/N with I from 1 to N, such as 2/8"};
}

Result<double, UsageError> read_percent(const std::string& text) {
  std::string_view digits = text;
  if (digits.ends_with('%')) digits.remove_suffix(1);
  const auto percent = whole_number<double>(digits);
  if (percent && *percent >= 0 && *percent <= 100) return *percent;
  return UsageError{"--fail-under=", text, ": expected a percentage from 0 to 100"};
}

struct Input {
  UniqueFd file;
  std::uint64_t bytes = 0;  // 0: unknown
};

Result<Input, UsageError> open_input(const std::string& name) {
  Input input;
  input.file = UniqueFd(name == kStream ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
                                        : ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
  struct stat status {};
  if (!input.file || ::fstat(input.file.get(), &status) != 0 || S_ISDIR(status.st_mode)) {
    const int code = input.file && S_ISDIR(status.st_mode) ? EISDIR : errno;
    return UsageError{name, ": ", std::generic_category().message(code)};
  }
  if (S_ISREG(status.st_mode)) input.bytes = static_cast<std::uint64_t>(status.st_size);
  return input;
}

Result<bool, UsageError> write_report(const std::string& path, const std::string& html) {
  auto problem = [&] {
    return UsageError{"--report ", path, ": ", std::generic_category().message(errno)};
  };
  const UniqueFd file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0666));
  if (!file) return problem();
  for (std::string_view rest = html; !rest.empty();) {
    const ssize_t written = ::write(file.get(), rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return problem();
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// Reads lines on a thread of its own and hands their jobs to the mailbox, until the input ends or
// the batch does.
class ReadingThread {
 public:
  ReadingThread(UniqueFd input, JobFeed& feed, std::shared_ptr<Mailbox> mailbox, Progress& progress)
      : feed_(feed),
        mailbox_(std::move(mailbox)),
        progress_(progress),
        stop_(::eventfd(0, EFD_CLOEXEC)),
        reader_(std::move(input), UniqueFd(::fcntl(stop_.get(), F_DUPFD_CLOEXEC, 0))),
        thread_([this] { run(); }) {}
  ~ReadingThread() {
    stop();
    thread_.join();
  }
  ReadingThread(const ReadingThread&) = delete;
  ReadingThread& operator=(const ReadingThread&) = delete;

  // From any thread.
  void stop() {
    mailbox_->drain();
    ::eventfd_write(stop_.get(), 1);
  }
  // After the mailbox has told of the end; 0 when all was read.
  int error() const noexcept { return error_; }

 private:
  void run() {
    while (auto line = reader_.next()) {
      JobFeed::Work work = feed_.take(*line);
      const auto now = std::chrono::steady_clock::now();
      if (auto* job = std::get_if<Job>(&work)) {
        if (!mailbox_->deliver(Arrival{std::move(*job), now})) break;
      } else if (auto* invalid = std::get_if<InvalidJob>(&work)) {
        if (!mailbox_->deliver(Arrival{std::move(*invalid), now})) break;
      } else {
        progress_.done(line->bytes);
      }
    }
    if (reader_.error() != ECANCELED) error_ = reader_.error();
    mailbox_->end_of_input();
  }

  JobFeed& feed_;
  const std::shared_ptr<Mailbox> mailbox_;
  Progress& progress_;
  const UniqueFd stop_;
  LineReader reader_;
  std::atomic<int> error_ = 0;
  std::thread thread_;
};

}  // namespace

BatchCommand::BatchCommand(CLI::App& cordon)
    : command_(
          *cordon.add_subcommand("batch", "Judge many programs: JSON Lines in, JSON Lines out")),
      policy_(command_) {
  const auto option = [this](const char* flag, auto& value, const char* type, const char* help) {
    command_.add_option(flag, value, help)->type_name(type)->group("Batch");
  };
  command_.add_option("JOBS", jobs_, "One job a line; - is standard input")
      ->type_name("")
      ->required();
  option("-o,--output", output_, "FILE", "Where results are appended [standard output]");
  option("-j,--jobs", parallel_, "COUNT", "Programs at one time, or auto [auto]");
  command_.add_flag("--resume", resume_, "Go on where an earlier run with this output ended")
      ->group("Batch");
  option("--shard", shard_, "I/N", "Only every N-th line, from the I-th on");
  option("--retry", retry_, "COUNT", "Runs more for a job that ends as sandbox_error [0]");
  option("--seed", seed_, "NUMBER", "Begin Math.random of every job with this seed");
  option("--clock", clock_, "INSTANT", "What Date takes for now: 2026-01-31T12:00:00Z");
  command_
      .add_flag("--module-assert", assert_module_,
                "Let programs import the built-in assert, as assert and node:assert")
      ->group("Program");
  command_.add_flag("--jitless", jitless_, "Run without just-in-time compilation")
      ->group("Program");
  const auto output = [this](const char* flag, auto& value, const char* type, const char* help) {
    command_.add_option(flag, value, help)->type_name(type)->group("Output");
  };
  output("--fail-under", fail_under_, "PERCENT", "Exit code 1 when fewer programs pass");
  output("--report", report_, "FILE", "Write a page of HTML about the results");
  output("--audit", audit_file_, "FILE", "Append the audit trail to this file");
  command_.add_flag("--quiet", quiet_, "No progress and no summary on standard error")
      ->group("Output");
  command_.footer(
      "A line: {\"id\", \"source\" or \"file\", \"args\", \"entry\", \"tests\", \"expected\", "
      "\"options\"}; also\n"
      "\"task_id\", \"code\", \"prompt\" with \"completion\". See docs/batch.md.\n"
      "\n"
      "Exit codes: 0 every line is answered; 1 fewer passed than --fail-under; 2 usage; 3 this "
      "host\n"
      "cannot enforce the sandbox, a job ended as sandbox_error, or results could not be written;\n"
      "130 interrupted.");
}

Result<Concurrency, UsageError> BatchCommand::concurrency(const AISandboxOptions& options) const {
  if (parallel_ == "auto") {
    return Concurrency::automatic(Machine::now(), options.resources.max_memory_bytes);
  }
  const auto count = parse_count(parallel_);
  if (!count || *count > kMostParallel) {
    return UsageError{"-j ", parallel_, ": expected auto or a whole number from 1 to 4096"};
  }
  return Concurrency::fixed(*count);
}

Result<BatchCommand::Settings, UsageError> BatchCommand::settings() const {
  auto options = policy_.options(Surroundings::of_this_process());
  if (!options) return options.error();
  auto parallel = concurrency(*options);
  if (!parallel) return parallel.error();
  Settings settings{.options = *std::move(options),
                    .run = {},
                    .concurrency = *parallel,
                    .shard = {},
                    .fail_under = {}};
  settings.run.assert_module = assert_module_;
  if (shard_) {
    const auto shard = read_shard(*shard_);
    if (!shard) return shard.error();
    settings.shard = *shard;
  }
  if (retry_) {
    const auto retries = whole_number<std::uint64_t>(*retry_);
    if (!retries || *retries > kMostRetries) {
      return UsageError{"--retry=", *retry_, ": expected a whole number from 0 to 100"};
    }
    settings.run.retries = *retries;
  }
  if (seed_) {
    settings.run.seed = whole_number<std::uint64_t>(*seed_);
    if (!settings.run.seed)
      return UsageError{"--seed=", *seed_, ": expected a whole number from 0"};
  }
  if (clock_) {
    settings.run.clock = parse_instant(*clock_);
    if (!settings.run.clock) {
      return UsageError{"--clock=", *clock_,
                        ": expected an instant in UTC, such as 2026-01-31T12:00:00Z, or "
                        "milliseconds since 1970"};
    }
  }
  if (fail_under_) {
    const auto percent = read_percent(*fail_under_);
    if (!percent) return percent.error();
    settings.fail_under = *percent;
  }
  return settings;
}

Result<int, UsageError> BatchCommand::run(const Settings& settings) const {
  auto input = open_input(jobs_);
  if (!input) return input.error();
  const bool streams = output_.empty() || output_ == kStream;
  if (streams && resume_) return UsageError{"--resume: needs -o FILE"};
  auto output = streams ? Result<ResultsOutput, UsageError>(ResultsOutput::standard_output())
                        : ResultsOutput::open(output_, resume_);
  if (!output) return output.error();

  const JobGrants grants(settings.options);
  JobFeed feed(grants, settings.shard);
  Tally tally;
  if (resume_) {
    const auto read = output->read_past([&](const PastResult& past) {
      feed.finished(past);
      tally.add(past);
    });
    if (!read) return read.error();
  }

  RuntimeOptions runtime_options;
  runtime_options.max_concurrent_calls = settings.concurrency.most();
  runtime_options.spare_children = std::min(settings.concurrency.limit(), kMostSpares);
  runtime_options.jit = !jitless_;
  if (audit_file_) runtime_options.audit_file = *audit_file_;
  Runtime runtime(std::move(runtime_options));

  Progress progress(Progress::Look::of_standard_error(quiet_), input->bytes, tally.total());
  const auto mailbox = std::make_shared<Mailbox>();
  std::optional<UsageError> write_problem;
  const auto answer = [&](const std::vector<JobResult>& results) {
    std::string lines;
    for (const JobResult& result : results) {
      lines += result_line(result);
      tally.add(summarised(result));
      progress.done(result.identity.bytes);
    }
    const auto written = output->write(lines);
    if (!written) write_problem = written.error();
    return !write_problem;
  };
  BatchRun batch_run(runtime, settings.options, settings.run, settings.concurrency, mailbox, answer,
                     [&] { progress.tick(tally); });
  std::atomic<bool> interrupted = false;
  int read_error = 0;
  {
    ReadingThread reading(std::move(input->file), feed, mailbox, progress);
    const Interrupts interrupts([&] {
      interrupted = true;
      reading.stop();
    });
    batch_run.run();
    read_error = reading.error();
  }
  progress.finish(tally, interrupted);
  if (report_) {
    const auto written = write_report(*report_, html_report(tally, "Batch of " + jobs_));
    if (!written) write_problem = written.error();
  }
  if (audit_file_) tell("audit head: ", runtime.audit_head());
  if (read_error != 0) {
    write_problem = UsageError{jobs_, ": ", std::generic_category().message(read_error)};
  }
  if (write_problem) {
    tell("cordon: ", write_problem->message);
    return kExitSandbox;
  }
  if (interrupted) return kExitTerminated;
  if (tally.count(Verdict::kSandboxError) > 0) return kExitSandbox;
  return settings.fail_under && tally.pass_percent() < *settings.fail_under ? kExitError : kExitOk;
}

int BatchCommand::execute() const {
  const auto chosen = settings();
  if (!chosen) return refuse(chosen.error());
  // A reader that went away is an error of a write.
  ::signal(SIGPIPE, SIG_IGN);
  try {
    const auto code = run(*chosen);
    return code ? *code : refuse(code.error());
  } catch (const InvalidOption& error) {
    return refuse(usage_error(error));
  } catch (const Unavailable& error) {
    tell("cordon: ", error.what());
    return kExitSandbox;
  }
}

}  // namespace cordon
