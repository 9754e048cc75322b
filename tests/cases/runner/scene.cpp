#include "tests/cases/runner/scene.h"

#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

#include "tests/cases/runner/resolver_words.h"
#include "tests/cases/runner/server_words.h"
#include "tests/cases/runner/words.h"

namespace cordon::cases {

namespace {

bool has_fixture(const Json& fixture, const char* kind) {
  for (const Json& entry : fixture) {
    if (entry.contains(kind)) return true;
  }
  return false;
}

}  // namespace

Canary::Canary() {
  char name[] = "sleep", time[] = "infinity";
  char* arguments[] = {name, time, nullptr};
  if (::posix_spawnp(&pid_, name, nullptr, nullptr, arguments, environ) != 0)
    throw std::runtime_error("cannot start a canary");
}

Canary::~Canary() {
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

ClosedPort::ClosedPort() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const any = reinterpret_cast<sockaddr*>(&address);
  if (::bind(socket_.get(), any, size) != 0 || ::getsockname(socket_.get(), any, &size) != 0)
    throw std::runtime_error("no free port");
  port_ = ntohs(address.sin_port);
}

Scene::Scene(const Json& fixture, const std::filesystem::path& parent_executable) {
  if (!fixture.is_array()) throw Unknown("a fixture that is not a list");
  parent.executable = parent_executable;
  if (has_fixture(fixture, "server")) server = std::make_unique<RecordedServer>();
  if (has_fixture(fixture, "server2")) server2 = std::make_unique<RecordedServer>();
  define_placeholders(fixture);
  for (const Json& entry : fixture) make(replaced(entry, placeholders_));
}

void Scene::define_placeholders(const Json& fixture) {
  const std::string port = std::to_string(server ? server->port() : closed_.port());
  const std::string port2 = std::to_string(server2 ? server2->port() : closed2_.port());
  placeholders_ = {{"$ROOT", root.path().string()},
                   {"$PORT", port},
                   {"$PORT2", port2},
                   {"$ORIGIN", "http://127.0.0.1:" + port},
                   {"$ORIGIN2", "http://127.0.0.1:" + port2},
                   {"$LDSO", "/lib64/ld-linux-x86-64.so.2"}};
  for (const Json& entry : fixture) {
    if (!entry.contains("define")) continue;
    if (!entry["define"].is_object()) throw Unknown("the definition " + json_text(entry));
    for (const auto& [name, value] : entry["define"].items())
      placeholders_[(name.starts_with('$') ? "" : "$") + name] =
          replaced(text_of(value, "a definition"), placeholders_);
  }
}

void Scene::make(const Json& entry) {
  if (!entry.is_object() || entry.empty()) throw Unknown("the fixture " + json_text(entry));
  if (make_file(entry, root, sockets)) return;
  const auto alone = [&](const char* kind) {
    if (!entry.contains(kind)) return false;
    require_keys(entry, {kind}, std::string("the fixture ") + kind);
    return true;
  };
  if (alone("server")) {
    server->behave(server_behaviour(text_of(entry["server"], "a server")));
  } else if (alone("server2")) {
    server2->behave(server_behaviour(text_of(entry["server2"], "a server")));
  } else if (alone("racer")) {
    racer = text_of(entry["racer"], "a racer");
  } else if (alone("resolver")) {
    resolver = resolver_rules(entry["resolver"]);
  } else if (alone("canary")) {
    const bool known =
        entry["canary"] == true || (entry["canary"].is_string() &&
                                    says(entry["canary"].get<std::string>(), ".*\\bprocess\\b.*"));
    if (!known) throw Unknown("the canary " + json_text(entry["canary"]));
    canary = std::make_unique<Canary>();
  } else if (alone("after_call_wait_ms")) {
    wait_after_call = std::chrono::milliseconds(
        static_cast<long>(number_of(entry["after_call_wait_ms"], "after_call_wait_ms")));
  } else if (!make_parent_part(entry) && !alone("define") && !alone("need")) {
    throw Unknown("the fixture " + json_text(entry));
  }
}

bool Scene::make_parent_part(const Json& entry) {
  if (entry.contains("parent_env")) {
    require_keys(entry, {"parent_env"}, "parent_env");
    if (!entry["parent_env"].is_object()) throw Unknown("the fixture " + json_text(entry));
    for (const auto& [name, value] : entry["parent_env"].items())
      parent.environment[name] = text_of(value, "parent_env");
  } else if (entry.contains("parent_cwd")) {
    require_keys(entry, {"parent_cwd"}, "parent_cwd");
    parent.working_directory = root / text_of(entry["parent_cwd"], "parent_cwd");
  } else if (entry.contains("parent_stdin")) {
    require_keys(entry, {"parent_stdin"}, "parent_stdin");
    parent.input = text_of(entry["parent_stdin"], "parent_stdin");
  } else if (entry.contains("parent_tty")) {
    require_keys(entry, {"parent_tty"}, "parent_tty");
    const Json& typed = entry["parent_tty"];
    parent.typed = typed == true ? "" : text_of(typed, "parent_tty");
  } else if (entry.contains("parent_fd")) {
    require_keys(entry, {"parent_fd"}, "parent_fd");
    const Json& descriptor = entry["parent_fd"];
    require_keys(descriptor, {"fd", "path"}, "parent_fd");
    if (!descriptor.contains("fd") || !descriptor.contains("path"))
      throw Unknown("the fixture " + json_text(entry));
    parent.descriptors.emplace_back(static_cast<int>(number_of(descriptor["fd"], "fd")),
                                    root / text_of(descriptor["path"], "path"));
  } else {
    return false;
  }
  return true;
}

}  // namespace cordon::cases
