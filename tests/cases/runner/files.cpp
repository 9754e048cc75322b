#include "tests/cases/runner/files.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

namespace cordon::cases {

namespace {

namespace fs = std::filesystem;

void require_zero(int result, const std::string& what) {
  if (result != 0) throw std::runtime_error(what + ": " + std::strerror(errno));
}

// "0644", "644" or "0o644" as text; a number is the mode itself.
mode_t mode_of(const Json& mode) {
  if (mode.is_number_unsigned()) return mode.get<mode_t>();
  std::string digits = text_of(mode, "a mode");
  if (digits.starts_with("0o")) digits.erase(0, 2);
  if (digits.empty() || digits.find_first_not_of("01234567") != std::string::npos)
    throw Unknown("the mode " + json_text(mode));
  return static_cast<mode_t>(std::stoul(digits, nullptr, 8));
}

UniqueFd listening(const sockaddr_un& address, std::size_t size) {
  UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  require_zero(::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address),
                      static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + size)),
               "bind");
  require_zero(::listen(fd.get(), 64), "listen");
  return fd;
}

void write_file(const fs::path& file, const std::string& bytes) {
  std::ofstream out(file, std::ios::binary);
  out << bytes;
  if (!out.flush()) throw std::runtime_error("cannot write " + file.string());
}

}  // namespace

Root::Root() {
  std::string name = "/tmp/case-XXXXXX";
  if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
  path_ = fs::canonical(name);
  // Whatever runs under another user id is kept out by Cordon, not by this.
  require_zero(::chmod(path_.c_str(), 0755), "chmod");
}

Root::~Root() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void ListeningSockets::listen_at(const fs::path& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.native().size() >= sizeof address.sun_path) throw std::runtime_error("path too long");
  std::strcpy(address.sun_path, path.c_str());
  sockets_.push_back(listening(address, path.native().size() + 1));
}

void ListeningSockets::listen_abstract(const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (name.size() + 1 > sizeof address.sun_path) throw std::runtime_error("name too long");
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  sockets_.push_back(listening(address, name.size() + 1));
}

std::size_t ListeningSockets::connections() {
  for (const UniqueFd& socket : sockets_) {
    for (;;) {
      UniqueFd connection(::accept4(socket.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (!connection) break;
      accepted_.push_back(std::move(connection));
    }
  }
  return accepted_.size();
}

bool make_file(const Json& entry, const Root& root, ListeningSockets& sockets) {
  const auto place = [&](const char* kind) {
    const std::string name = text_of(entry[kind], kind);
    const fs::path path = root / name;
    fs::create_directories(path.parent_path());
    return path;
  };
  const auto set_mode = [&](const fs::path& path) {
    if (entry.contains("mode"))
      require_zero(::chmod(path.c_str(), mode_of(entry["mode"])), "chmod");
  };
  if (entry.contains("file")) {
    require_keys(entry, {"file", "text", "hex", "mode"}, "a file");
    if (entry.contains("text") == entry.contains("hex"))
      throw Unknown("a file without one of text and hex: " + json_text(entry));
    const fs::path path = place("file");
    write_file(path, entry.contains("text") ? text_of(entry["text"], "text")
                                            : bytes_of_hex(text_of(entry["hex"], "hex")));
    set_mode(path);
  } else if (entry.contains("dir")) {
    require_keys(entry, {"dir", "mode"}, "a dir");
    fs::create_directories(place("dir"));
    set_mode(place("dir"));
  } else if (entry.contains("symlink")) {
    require_keys(entry, {"symlink", "to"}, "a symlink");
    fs::create_symlink(text_of(entry.at("to"), "to"), place("symlink"));
  } else if (entry.contains("hardlink")) {
    require_keys(entry, {"hardlink", "to"}, "a hardlink");
    fs::create_hard_link(root / text_of(entry.at("to"), "to"), place("hardlink"));
  } else if (entry.contains("fifo")) {
    require_keys(entry, {"fifo", "mode"}, "a fifo");
    require_zero(::mkfifo(place("fifo").c_str(), 0666), "mkfifo");
    set_mode(place("fifo"));
  } else if (entry.contains("socket")) {
    require_keys(entry, {"socket", "mode"}, "a socket");
    sockets.listen_at(place("socket"));
    set_mode(place("socket"));
  } else if (entry.contains("abstract_socket")) {
    require_keys(entry, {"abstract_socket"}, "an abstract_socket");
    std::string name = text_of(entry["abstract_socket"], "abstract_socket");
    if (name.starts_with('@')) name.erase(0, 1);
    sockets.listen_abstract(name);
  } else if (entry.contains("sparse")) {
    require_keys(entry, {"sparse", "size", "mode"}, "a sparse");
    const fs::path path = place("sparse");
    write_file(path, "");
    fs::resize_file(path, entry.at("size").get<std::uintmax_t>());
    set_mode(path);
  } else {
    return false;
  }
  return true;
}

std::string read_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  std::stringstream out;
  out << in.rdbuf();
  return out.str();
}

std::string bytes_of_hex(const std::string& hex) {
  std::string digits;
  for (const char c : hex) {
    if (c != ' ') digits += c;
  }
  if (digits.size() % 2 != 0 ||
      digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos)
    throw Unknown("the hex text \"" + hex + "\"");
  std::string bytes;
  for (std::size_t at = 0; at < digits.size(); at += 2)
    bytes += static_cast<char>(std::stoi(digits.substr(at, 2), nullptr, 16));
  return bytes;
}

}  // namespace cordon::cases
