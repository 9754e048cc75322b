#pragma once
// A server on the loopback interface that keeps what clients said to it.

#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "tests/http/support/local_server.h"

namespace cordon::cases {

struct Request {
  std::string method;
  std::string target;
  std::vector<std::pair<std::string, std::string>> headers;  // names in lower case
  std::string body;
  std::string raw;

  std::vector<std::string> values(const std::string& name) const;
};

class RecordedServer {
 public:
  // Answers one request; false when the connection is to be closed.
  using Behaviour = std::function<bool(testing::Peer&, const Request&)>;

  RecordedServer();

  // To be said before anybody connects: what a server does may depend on its port.
  void behave(Behaviour behaviour) { behaviour_ = std::move(behaviour); }
  unsigned short port() const { return server_.port(); }
  std::vector<Request> requests() const;
  unsigned connections() const { return server_.connections(); }
  // Connections that are over.
  unsigned ended() const { return server_.ended(); }

 private:
  void serve(testing::Peer& peer);

  Behaviour behaviour_;
  mutable std::mutex mutex_;
  std::vector<Request> requests_;
  testing::LocalServer server_;  // last: its threads use the others
};

}  // namespace cordon::cases
