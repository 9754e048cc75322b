#include "tests/cases/runner/server_post.h"

#include <algorithm>
#include <boost/algorithm/string/join.hpp>
#include <chrono>
#include <functional>
#include <set>
#include <thread>

#include "tests/cases/runner/pattern.h"

namespace cordon::cases {

namespace {

// Each request's own part, for example its method; the same one twice counts once.
Problems same_set(const std::string& name, const Json& value, const std::vector<Request>& requests,
                  const std::function<std::string(const Request&)>& part) {
  std::set<std::string> seen;
  for (const Request& request : requests) seen.insert(part(request));
  const auto wanted = texts_of(value, name);
  if (seen == std::set<std::string>(wanted.begin(), wanted.end())) return {};
  return {name + ": the server saw " + (seen.empty() ? "none" : boost::join(seen, ", "))};
}

Problems header_equals(const std::string& name, const Json& value,
                       const std::vector<Request>& requests) {
  if (!value.is_array() || value.size() != 2) throw Unknown(name + ": " + json_text(value));
  const std::vector<std::string> wanted = {text_of(value[1], name)};
  for (const Request& request : requests) {
    const auto seen = request.values(text_of(value[0], name));
    if (seen != wanted) return {name + ": the server saw \"" + boost::join(seen, "\", \"") + "\""};
  }
  return {};
}

Problems saw_text(const std::string& name, const std::string& pattern, bool wanted,
                  const std::vector<Request>& requests) {
  const bool seen = std::any_of(requests.begin(), requests.end(), [&](const Request& request) {
    return matches(pattern, request.raw);
  });
  if (seen == wanted) return {};
  return {name + ": the server saw " + (seen ? "it" : "no such thing")};
}

Problems closed_within(const std::string& name, double limit_ms, const RecordedServer& server,
                       double scale) {
  using Clock = std::chrono::steady_clock;
  if (server.connections() == 0) return {name + ": there was no connection"};
  const auto until = Clock::now() + std::chrono::milliseconds(static_cast<int>(limit_ms * scale));
  while (server.ended() < server.connections()) {
    if (Clock::now() > until) return {name + ": a connection is still open"};
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return {};
}

}  // namespace

Problems equal_figures(const std::string& name, std::size_t actual, double wanted) {
  if (static_cast<double>(actual) == wanted) return {};
  return {name + ": " + std::to_string(actual) + " of them, not " +
          std::to_string(static_cast<long>(wanted))};
}

Problems check_server(const std::string& name, const Json& value, const JudgedRun& run) {
  const bool second = name.starts_with("server2_");
  const RecordedServer* server = second ? run.server2 : run.server;
  if (server == nullptr) throw Unknown(name + " without a server");
  const std::string what = name.substr(second ? 8 : 7);
  const std::vector<Request> requests = server->requests();
  const auto number = [&] { return number_of(value, name); };

  if (what == "requests") return equal_figures(name, requests.size(), number());
  if (what == "connections") return equal_figures(name, server->connections(), number());
  if (what == "requests_max" || what == "connections_max") {
    const std::size_t seen = what == "requests_max" ? requests.size() : server->connections();
    if (static_cast<double>(seen) <= number()) return {};
    return {name + ": " + std::to_string(seen) + " of them"};
  }
  if (what == "methods")
    return same_set(name, value, requests, [](const Request& each) { return each.method; });
  if (what == "targets" || what == "paths")
    return same_set(name, value, requests, [](const Request& each) { return each.target; });
  if (what == "bodies")
    return same_set(name, value, requests, [](const Request& each) { return each.body; });
  if (what == "header_equals") return header_equals(name, value, requests);
  if (what == "saw_header" || what == "saw_no_header") {
    const bool wanted = what == "saw_header";
    const std::string header = text_of(value, name);
    const bool seen = std::any_of(requests.begin(), requests.end(), [&](const Request& request) {
      return !request.values(header).empty();
    });
    if (seen == wanted) return {};
    return {name + ": the server saw " + (seen ? "" : "no ") + header};
  }
  if (what == "saw_re" || what == "saw_no_re" || what == "saw_not_re")
    return saw_text(name, text_of(value, name), what == "saw_re", requests);
  if (what == "connection_closed_within_ms")
    return closed_within(name, number(), *server, run.time_scale);
  throw Unknown("the check \"" + name + "\"");
}

}  // namespace cordon::cases
