#include "tests/capabilities/fixture.h"

#include <grp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "messages/unique_fd.h"

namespace cordon::test {

namespace fs = std::filesystem;

TempDirectory::TempDirectory() {
  std::string name = (fs::temp_directory_path() / "cordon-test-XXXXXX").string();
  REQUIRE(::mkdtemp(name.data()) != nullptr);
  path_ = fs::canonical(name);
  fs::permissions(path_, fs::perms(0755));
}

TempDirectory::~TempDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string TempDirectory::path(std::string_view relative) const {
  return relative.empty() ? path_.string() : (path_ / relative).string();
}

std::string TempDirectory::file(std::string_view relative, std::string_view text) const {
  const fs::path name = path_ / relative;
  fs::create_directories(name.parent_path());
  std::ofstream(name, std::ios::binary) << text;
  return name.string();
}

std::string TempDirectory::directory(std::string_view relative) const {
  fs::create_directories(path_ / relative);
  return path(relative);
}

std::string TempDirectory::link(std::string_view relative, std::string_view target) const {
  const fs::path name = path_ / relative;
  fs::create_directories(name.parent_path());
  fs::create_symlink(target, name);
  return name.string();
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE(file.good());
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Authority reading(std::vector<std::string> roots) {
  AISandboxOptions options;
  options.filesystem.emplace().read = std::move(roots);
  return Authority::validate(options);
}

Authority writing(std::vector<std::string> roots) {
  AISandboxOptions options;
  options.filesystem.emplace().write = std::move(roots);
  return Authority::validate(options);
}

std::string as_ordinary_user(const std::function<std::string()>& action) {
  constexpr uid_t kNobody = 65534;
  if (::geteuid() != 0) return action();
  std::array<int, 2> ends{};
  REQUIRE(::pipe(ends.data()) == 0);
  UniqueFd from(ends[0]);
  UniqueFd to(ends[1]);
  const pid_t child = ::fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    std::string answer = "could not give up root";
    if (::setgroups(0, nullptr) == 0 && ::setresgid(kNobody, kNobody, kNobody) == 0 &&
        ::setresuid(kNobody, kNobody, kNobody) == 0)
      answer = action();
    const ssize_t written = ::write(to.get(), answer.data(), answer.size());
    ::_exit(written == static_cast<ssize_t>(answer.size()) ? 0 : 1);
  }
  to.reset();
  std::string answer;
  std::array<char, 4096> buffer;
  for (ssize_t count = 0; (count = ::read(from.get(), buffer.data(), buffer.size())) > 0;)
    answer.append(buffer.data(), static_cast<std::size_t>(count));
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  REQUIRE(status == 0);
  return answer;
}

}  // namespace cordon::test
