#include "cli/batch/results_output.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <system_error>

#include "cli/batch/line_reader.h"
#include "messages/write_all.h"

namespace cordon::batch {
namespace {

// A result holds a value and console text, escaped.
constexpr std::size_t kMaxResultLine = std::size_t{1} << 30;

UniqueFd duplicate(int fd) { return UniqueFd(::fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)); }

}  // namespace

ResultsOutput ResultsOutput::standard_output() {
  return {duplicate(STDOUT_FILENO), "standard output"};
}

Result<ResultsOutput, UsageError> ResultsOutput::open(const std::string& path, bool resume) {
  UniqueFd file(::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666));
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0) {
    return UsageError{"-o ", path, ": ", std::generic_category().message(errno)};
  }
  if (S_ISREG(status.st_mode)) {
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
      return UsageError{"-o ", path, ": another cordon batch is writing it"};
    }
    if (status.st_size > 0 && !resume) {
      return UsageError{"-o ", path, ": has results already; --resume continues them"};
    }
  }
  return ResultsOutput(std::move(file), path);
}

UsageError ResultsOutput::failure(int code) const {
  return UsageError{name_, ": ", std::generic_category().message(code)};
}

Result<bool, UsageError> ResultsOutput::read_past(const std::function<void(PastResult)>& each) {
  UniqueFd copy(
      ::open(("/proc/self/fd/" + std::to_string(file_.get())).c_str(), O_RDONLY | O_CLOEXEC));
  if (!copy) return failure(errno);
  LineReader reader(std::move(copy), kMaxResultLine);
  off_t whole = 0;
  std::optional<Line> line;
  while ((line = reader.next())) {
    if (line->bytes == line->text.size()) break;  // no line break: torn
    auto past = read_result_line(line->text);
    if (!past) {
      return UsageError{name_, ": line ", std::to_string(line->number),
                        " is no result: --resume needs the output of the same batch"};
    }
    each(*std::move(past));
    whole += static_cast<off_t>(line->bytes);
  }
  if (reader.error() != 0) return failure(reader.error());
  if (!line) return true;
  // Only what may be the beginning of a result is cut off.
  constexpr std::string_view kBeginning = R"({"id":)";
  if (line->text.substr(0, kBeginning.size()) != kBeginning.substr(0, line->text.size())) {
    return UsageError{name_, ": line ", std::to_string(line->number),
                      " is no result: --resume needs the output of the same batch"};
  }
  if (::ftruncate(file_.get(), whole) != 0) return failure(errno);
  return true;
}

Result<bool, UsageError> ResultsOutput::write(std::string_view lines) {
  if (const int error = write_all(file_.get(), lines)) return failure(error);
  return true;
}

}  // namespace cordon::batch
