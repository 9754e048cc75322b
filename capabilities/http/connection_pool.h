#pragma once
// The requests and connections of one sandbox. Nothing of it is ever shared with another.

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "capabilities/http/connection.h"
#include "capabilities/http/connector.h"
#include "capabilities/http/http_services.h"
#include "capabilities/operation.h"
#include "capabilities/origin.h"

namespace cordon {

// One request under way.
struct Fetch {
  Origin origin;
  std::shared_ptr<const std::string> request;  // as it is sent
  bool is_head = false;
  bool may_retry = false;  // once, on a new connection
  std::uint64_t max_body_bytes = 0;
  HttpSession::OnResponse on_response;  // empty once called
};

// I/O thread only, but for services().
class ConnectionPool final : public std::enable_shared_from_this<ConnectionPool> {
 public:
  ConnectionPool(std::shared_ptr<HttpServices> services, bool allow_private_addresses);

  HttpServices& services() const noexcept { return *services_; }

  // Answered exactly once, by close() at the latest.
  void fetch(std::shared_ptr<Fetch> fetch);
  void close();

 private:
  using FetchPtr = std::shared_ptr<Fetch>;
  using ConnectionPtr = std::shared_ptr<Connection>;

  // Begins waiting requests, in order, as long as there are connections for them.
  void pump();
  bool begin(const FetchPtr& fetch);
  ConnectionPtr free_connection(const Origin& origin);
  bool make_room();
  void connect(const FetchPtr& fetch);
  void on_stream(const FetchPtr& fetch, OperationResult<std::unique_ptr<Stream>> stream);
  void exchange(const FetchPtr& fetch, const ConnectionPtr& connection, bool reused);
  void on_end(const FetchPtr& fetch, bool reused, Connection::End end);
  void answer(const FetchPtr& fetch, OperationResult<FetchedResponse> result);

  std::shared_ptr<HttpServices> services_;
  bool allow_private_addresses_;
  bool closed_ = false;
  std::deque<FetchPtr> waiting_;
  std::vector<FetchPtr> active_;
  std::vector<std::shared_ptr<Connector>> connectors_;
  std::vector<ConnectionPtr> connections_;
};

}  // namespace cordon
