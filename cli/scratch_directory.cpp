#include "cli/scratch_directory.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace cordon {

namespace {

bool is_ignored(int signal) {
  struct sigaction action {};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

ScratchDirectory::ScratchDirectory(const std::string& name) : signals_(io_) {
  // Before there is anything to remove: a signal waits for the thread.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    if (!is_ignored(signal)) signals_.add(signal);
  }
  const auto parent = std::filesystem::canonical(std::filesystem::temp_directory_path());
  std::string path = (parent / (name + "-XXXXXX")).string();
  if (::mkdtemp(path.data()) == nullptr) {
    throw std::system_error(errno, std::generic_category(), parent.string());
  }
  path_ = path;
  signals_.async_wait([this](const boost::system::error_code& error, int signal) {
    if (error) return;
    remove();
    signals_.clear();  // back to what they always do
    ::kill(::getpid(), signal);
  });
  thread_ = std::thread([this] { io_.run(); });
}

ScratchDirectory::~ScratchDirectory() {
  io_.stop();
  thread_.join();
  remove();
}

void ScratchDirectory::remove() const {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace cordon
