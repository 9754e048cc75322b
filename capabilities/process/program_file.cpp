#include "capabilities/process/program_file.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

#include "capabilities/shortage.h"
#include "messages/unique_fd.h"

namespace cordon {

namespace {

constexpr std::size_t kMaxInterpreterLine = 256;  // what the kernel reads
constexpr std::size_t kMaxHeaders = 128;
constexpr std::size_t kMaxPath = 4096;
constexpr int kMaxScripts = 5;  // an interpreter that is a script, and so on
constexpr const char* kUsualPath = "/usr/local/bin:/usr/bin:/bin";

bool read_at(int fd, void* into, std::size_t size, std::uint64_t offset) {
  return ::pread(fd, into, size, static_cast<off_t>(offset)) == static_cast<ssize_t>(size);
}

std::optional<std::string> loader_of(int fd) {
  Elf64_Ehdr header{};
  if (!read_at(fd, &header, sizeof header, 0) ||
      std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_phentsize != sizeof(Elf64_Phdr)) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(header.e_phnum, kMaxHeaders); ++i) {
    Elf64_Phdr segment{};
    if (!read_at(fd, &segment, sizeof segment, header.e_phoff + i * sizeof segment)) break;
    if (segment.p_type != PT_INTERP || segment.p_filesz < 2 || segment.p_filesz > kMaxPath)
      continue;
    std::string path(segment.p_filesz, '\0');
    if (!read_at(fd, path.data(), path.size(), segment.p_offset)) break;
    return path.substr(0, path.find('\0'));
  }
  return std::nullopt;
}

// The words of a script's first line after "#!".
std::vector<std::string> interpreter_line(int fd) {
  std::string head(kMaxInterpreterLine, '\0');
  const ssize_t got = ::pread(fd, head.data(), head.size(), 0);
  if (got < 2 || !head.starts_with("#!")) return {};
  head.resize(static_cast<std::size_t>(got));
  std::istringstream line(head.substr(2, head.find('\n') - 2));
  std::vector<std::string> words;
  for (std::string word; line >> word;) words.push_back(word);
  return words;
}

std::string canonical(const std::string& path) {
  std::error_code error;
  const auto resolved = std::filesystem::canonical(path, error);
  return error ? std::string() : resolved.string();
}

bool is_executable_file(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) &&
         ::access(path.c_str(), X_OK) == 0;
}

std::string find_on_path(const std::string& name,
                         const std::map<std::string, std::string>& environment) {
  if (name.empty() || name.front() == '/') return name;
  const auto given = environment.find("PATH");
  std::istringstream directories(given == environment.end() ? kUsualPath : given->second);
  for (std::string directory; std::getline(directories, directory, ':');) {
    const std::string candidate = directory + "/" + name;
    if (directory.starts_with('/') && is_executable_file(candidate)) return candidate;
  }
  return {};
}

// What `env` runs: its first argument that is neither an option nor an assignment.
std::string name_for_env(const std::vector<std::string>& words) {
  const auto found = std::find_if(words.begin() + 1, words.end(), [](const std::string& word) {
    return !word.starts_with('-') && word.find('=') == std::string::npos;
  });
  return found == words.end() ? std::string() : *found;
}

}  // namespace

ProgramFiles files_of_program(const std::string& path,
                              const std::map<std::string, std::string>& environment) {
  ProgramFiles files;
  std::vector<std::string> waiting{path};
  for (int scripts = 0; !waiting.empty() && scripts <= kMaxScripts; ++scripts) {
    const std::string next = waiting.back();
    waiting.pop_back();
    if (next.empty()) continue;
    files.programs.push_back(next);
    const UniqueFd fd(::open(next.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!fd) {
      throw_shortage(errno, next + " cannot be opened");
      continue;
    }
    if (auto loader = loader_of(fd.get())) files.loaders.push_back(std::move(*loader));
    const auto words = interpreter_line(fd.get());
    if (words.empty()) continue;
    std::vector<std::string> named{words.front()};
    if (std::filesystem::path(words.front()).filename() == "env") {
      named.push_back(find_on_path(name_for_env(words), environment));
    }
    for (const std::string& name : named) {
      files.interpreters.push_back(name);
      waiting.push_back(canonical(name));
    }
  }
  return files;
}

}  // namespace cordon
