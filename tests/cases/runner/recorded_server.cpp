#include "tests/cases/runner/recorded_server.h"

#include <algorithm>
#include <boost/algorithm/string/case_conv.hpp>
#include <boost/algorithm/string/trim.hpp>

namespace cordon::cases {

namespace {

Request parse(std::string raw) {
  Request request;
  const std::size_t end = raw.find("\r\n\r\n");
  std::size_t at = raw.find("\r\n");
  const std::string line = raw.substr(0, at);
  const std::size_t first = std::min(line.find(' '), line.size());
  const std::size_t last = std::max(line.rfind(' '), first);
  request.method = line.substr(0, first);
  if (last > first) request.target = line.substr(first + 1, last - first - 1);
  while (at < end) {
    const std::size_t next = raw.find("\r\n", at + 2);
    const std::string header = raw.substr(at + 2, next - at - 2);
    const std::size_t colon = std::min(header.find(':'), header.size());
    request.headers.emplace_back(
        boost::to_lower_copy(header.substr(0, colon)),
        boost::trim_copy(header.substr(std::min(colon + 1, header.size()))));
    at = next;
  }
  request.body = raw.substr(end + 4);
  request.raw = std::move(raw);
  return request;
}

}  // namespace

std::vector<std::string> Request::values(const std::string& name) const {
  std::vector<std::string> found;
  for (const auto& [each, value] : headers) {
    if (each == boost::to_lower_copy(name)) found.push_back(value);
  }
  return found;
}

RecordedServer::RecordedServer() : server_([this](testing::Peer& peer) { serve(peer); }) {}

std::vector<Request> RecordedServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

void RecordedServer::serve(testing::Peer& peer) {
  for (;;) {
    std::string raw = peer.read_request();
    if (raw.empty()) return;
    const Request request = parse(std::move(raw));
    {
      const std::lock_guard lock(mutex_);
      requests_.push_back(request);
    }
    if (!behaviour_(peer, request)) return;
  }
}

}  // namespace cordon::cases
