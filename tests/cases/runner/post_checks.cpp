#include "tests/cases/runner/post_checks.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <map>
#include <thread>

#include "tests/cases/runner/audit_post.h"
#include "tests/cases/runner/server_post.h"

namespace cordon::cases {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

std::string figure(double value) {
  std::string text = std::to_string(value);
  return text.substr(0, text.find('.') + 2);
}

Problems at_most(const std::string& name, double actual, double most) {
  if (actual <= most) return {};
  return {name + ": " + figure(actual) + " is more than " + figure(most)};
}

// Checks are `true`; anything else is a wording of its own.
void require_true(const Json& value, const std::string& name) {
  if (value != true) throw Unknown(name + ": " + json_text(value));
}

Problems file_is(const Json& value, JudgedRun& run, bool hex) {
  const std::string name = hex ? "file_hex" : "file_text";
  if (!value.is_array() || value.size() != 2) throw Unknown(name + ": " + json_text(value));
  const std::string file = text_of(value[0], name), wanted = text_of(value[1], name);
  try {
    const std::string actual = read_file(run.root / file);
    if (actual == (hex ? bytes_of_hex(wanted) : wanted)) return {};
    return {name + ": " + file + " holds \"" + actual.substr(0, 200) + "\", not " + wanted};
  } catch (const std::runtime_error& error) {
    return {name + ": " + error.what()};
  }
}

bool present(const fs::path& path) {
  return fs::symlink_status(path).type() != fs::file_type::not_found;
}

Problems file_absent(const Json& value, JudgedRun& run) {
  Problems problems;
  for (const std::string& file : texts_of(value, "file_absent"))
    if (present(run.root / file)) problems.push_back("file_absent: " + file + " is there");
  return problems;
}

Problems no_marker(const Json& value) {
  Problems problems;
  for (const fs::path& place : markers_on_host(text_of(value, "no_marker_on_host")))
    problems.push_back("no_marker_on_host: " + place.string() + " is there");
  return problems;
}

// What there is more of than before the call. Counted by name: the runtime may have replaced a
// process of its own meanwhile.
std::string left_over(const JudgedRun& run) {
  std::vector<pid_t> kept = run.helpers();
  kept.push_back(run.parent.pid());
  reap_orphans(kept);
  std::string names;
  for (const auto& [name, count] : count_by_name(descendants(run.helpers()))) {
    const auto before = run.processes_before.find(name);
    if (count > (before == run.processes_before.end() ? 0 : before->second))
      names += (names.empty() ? "" : ", ") + name;
  }
  return names;
}

Problems no_process_left(const Json& value, JudgedRun& run) {
  require_true(value, "no_process_left");
  const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                        std::chrono::seconds(1) * run.time_scale);
  std::string names = left_over(run);
  while (!names.empty() && Clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    names = left_over(run);
  }
  if (names.empty()) return {};
  return {"no_process_left: still there: " + names};
}

Problems host_can_fork(const Json& value) {
  require_true(value, "host_can_fork");
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(0);
  if (pid > 0 && ::waitpid(pid, nullptr, 0) == pid) return {};
  return {"host_can_fork: it cannot"};
}

// Whatever the parent's libraries say about themselves is not an error of the case.
Problems unhandled(const Json& value, JudgedRun& run) {
  if (value != 0) throw Unknown("parent_unhandled: " + json_text(value));
  std::string text = run.parent.error_text();
  std::erase(text, '\r');
  Problems problems;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    if (!line.starts_with("ERROR: ld.so:"))
      problems.push_back("parent_unhandled: standard error has \"" + line + "\"");
    at = end + 1;
  }
  return problems;
}

// C++ objects have no prototypes: what could be polluted is the next guest's world.
Problems prototypes_clean(const Json& value, JudgedRun& run) {
  require_true(value, "parent_prototypes_clean");
  const std::string source =
      "export default () => [Object, Array, String, Number, Function].flatMap((f) =>"
      " [...Object.keys(f.prototype), ...('polluted' in f.prototype ? ['polluted'] : [])]);";
  run.parent.channel().send({{"run",
                              {{"source", source},
                               {"arguments", "[]"},
                               {"options", "{}"},
                               {"steps", Json::array({Json{{"do", "call"}}})}}}});
  const auto answer = run.parent.channel().receive(
      std::chrono::milliseconds(static_cast<int>(20'000 * run.time_scale)));
  if (answer && answer->value("ok", false) && (*answer)["result"] == "[]") return {};
  return {"parent_prototypes_clean: the next call sees " +
          (answer ? json_text(*answer) : std::string("nothing"))};
}

Problems one_check(const std::string& name, const Json& value, JudgedRun& run,
                   const Json& audit_expect) {
  const auto number = [&] { return number_of(value, name); };
  if (name == "file_absent") return file_absent(value, run);
  if (name == "file_text") return file_is(value, run, false);
  if (name == "file_hex") return file_is(value, run, true);
  if (name == "no_marker_on_host") return no_marker(value);
  if (name == "max_elapsed_ms")
    return at_most(name, run.outcome.value("elapsed_ms", 0.0), number() * run.time_scale);
  if (name == "max_parent_rss_growth_mib")
    return at_most(name, run.outcome.value("memory_growth_mib", 0.0), number());
  if (name == "max_child_rss_mib")
    return at_most(name, std::max(run.most_child_mib, run.outcome.value("child_mib", 0.0)),
                   number());
  if (name == "max_processes_seen")
    return at_most(name, static_cast<double>(run.most_processes), number());
  if (name == "no_process_left") return no_process_left(value, run);
  if (name == "host_can_fork") return host_can_fork(value);
  if (name == "parent_alive") {
    require_true(value, name);
    return run.parent.alive() ? Problems{} : Problems{"parent_alive: it is not"};
  }
  if (name == "parent_exits_cleanly") {
    // Seen to at the end of every run.
    require_true(value, name);
    return {};
  }
  if (name == "parent_unhandled") return unhandled(value, run);
  if (name == "parent_prototypes_clean") return prototypes_clean(value, run);
  if (name == "canary_alive") {
    require_true(value, name);
    if (run.canary <= 0) throw Unknown("canary_alive without a canary");
    return ::waitpid(run.canary, nullptr, WNOHANG) == 0 ? Problems{}
                                                        : Problems{"canary_alive: it is not"};
  }
  if (name == "socket_connections") return equal_figures(name, run.sockets.connections(), number());
  if (name == "resolver_lookups_max")
    return at_most(name, static_cast<double>(run.lookups.size()), number());
  if (name.starts_with("server")) return check_server(name, value, run);
  if (name.starts_with("audit_") || name == "last_audit_capability")
    return check_audit_post(name, value, run, audit_expect);
  throw Unknown("the check \"" + name + "\"");
}

}  // namespace

Problems check_post(const Json& post, JudgedRun& run, const Json& audit_expect) {
  Problems problems;
  if (!post.is_array()) throw Unknown("post that is not a list");
  for (const Json& entry : post) {
    if (!entry.is_object() || entry.empty()) throw Unknown("the check " + json_text(entry));
    for (const auto& [name, value] : entry.items()) {
      const Problems found = one_check(name, value, run, audit_expect);
      problems.insert(problems.end(), found.begin(), found.end());
    }
  }
  return problems;
}

std::vector<fs::path> markers_on_host(const std::string& marker) {
  std::vector<fs::path> places;
  for (const char* folder : {"/", "/tmp", "/var/tmp", "/dev/shm", "/run", "/root", "/mnt"})
    places.push_back(fs::path(folder) / marker);
  if (const char* home = std::getenv("HOME")) places.push_back(fs::path(home) / marker);
  places.push_back(fs::current_path() / marker);
  std::erase_if(places, [](const fs::path& place) {
    std::error_code hidden;  // where this user cannot look, none of its guests can write
    return !fs::exists(fs::symlink_status(place, hidden));
  });
  return places;
}

}  // namespace cordon::cases
