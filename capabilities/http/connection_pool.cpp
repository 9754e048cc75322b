#include "capabilities/http/connection_pool.h"

#include <algorithm>
#include <utility>

#include "capabilities/http/network_errors.h"
#include "capabilities/shortage.h"

namespace cordon {

namespace {

template <class... Handlers>
struct Overloaded : Handlers... {
  using Handlers::operator()...;
};
template <class... Handlers>
Overloaded(Handlers...) -> Overloaded<Handlers...>;

OperationError error_of(const Fetch& fetch, const HttpLimits& limits, ResponseProblem problem) {
  const auto failure = [&](std::string_view what) { return network_failure(fetch.origin, what); };
  switch (problem) {
    case ResponseProblem::kMalformed:
      return failure("the response is not valid HTTP");
    case ResponseProblem::kTruncated:
      return failure("connection closed before the response's end");
    case ResponseProblem::kHeaderTooLarge:
      return failure("the response's header exceeds " + std::to_string(limits.max_header_bytes) +
                     " bytes");
    case ResponseProblem::kBodyTooLarge:
      return response_limit_refusal(fetch.origin, fetch.max_body_bytes);
    case ResponseProblem::kUnknownCoding:
      return failure("the response's content coding is not supported");
    case ResponseProblem::kOutOfMemory:
      return failure(kHostOutOfMemory);
  }
  return failure("the response is not valid HTTP");
}

}  // namespace

ConnectionPool::ConnectionPool(std::shared_ptr<HttpServices> services, bool allow_private_addresses)
    : services_(std::move(services)), allow_private_addresses_(allow_private_addresses) {}

void ConnectionPool::fetch(std::shared_ptr<Fetch> fetch) {
  active_.push_back(fetch);
  if (closed_) return answer(fetch, OperationError(network_failure(fetch->origin, "cancelled")));
  waiting_.push_back(std::move(fetch));
  pump();
}

void ConnectionPool::close() {
  closed_ = true;
  waiting_.clear();
  for (const auto& connector : std::exchange(connectors_, {})) connector->cancel();
  for (const auto& connection : std::exchange(connections_, {})) connection->close();
  for (const auto& fetch : std::exchange(active_, {}))
    answer(fetch, OperationError(network_failure(fetch->origin, "cancelled")));
}

void ConnectionPool::pump() {
  while (!waiting_.empty()) {
    const FetchPtr fetch = waiting_.front();
    waiting_.pop_front();
    if (!begin(fetch)) return waiting_.push_front(fetch);
  }
}

// False: not now.
bool ConnectionPool::begin(const FetchPtr& fetch) {
  if (const auto connection = free_connection(fetch->origin)) {
    exchange(fetch, connection, true);
    return true;
  }
  if (!make_room()) return false;
  connect(fetch);
  return true;
}

ConnectionPool::ConnectionPtr ConnectionPool::free_connection(const Origin& origin) {
  const auto found =
      std::find_if(connections_.begin(), connections_.end(), [&](const ConnectionPtr& connection) {
        return connection->origin() == origin && connection->is_free();
      });
  return found == connections_.end() ? nullptr : *found;
}

// Whether there may be one connection more; an idle one gives way.
bool ConnectionPool::make_room() {
  if (connectors_.size() + connections_.size() < services_->limits.max_connections) return true;
  const auto idle = std::find_if(connections_.begin(), connections_.end(),
                                 [](const auto& connection) { return connection->is_idle(); });
  if (idle == connections_.end()) return false;
  (*idle)->close();
  connections_.erase(idle);
  return true;
}

void ConnectionPool::connect(const FetchPtr& fetch) {
  const auto connector = std::make_shared<Connector>(
      services_, fetch->origin, allow_private_addresses_,
      [pool = weak_from_this(), fetch](OperationResult<std::unique_ptr<Stream>> stream) {
        if (const auto self = pool.lock()) self->on_stream(fetch, std::move(stream));
      });
  connectors_.push_back(connector);
  connector->start();
}

void ConnectionPool::on_stream(const FetchPtr& fetch,
                               OperationResult<std::unique_ptr<Stream>> stream) {
  std::erase_if(connectors_, [](const auto& connector) { return connector->is_done(); });
  if (!stream) {
    answer(fetch, stream.error());
    return pump();
  }
  const auto connection = std::make_shared<Connection>(
      services_->io, fetch->origin, std::move(*stream), services_->limits.idle_timeout,
      [pool = weak_from_this()] {
        const auto self = pool.lock();
        if (!self) return;
        std::erase_if(self->connections_, [](const auto& each) { return !each->is_open(); });
        self->pump();
      });
  connections_.push_back(connection);
  exchange(fetch, connection, false);
}

void ConnectionPool::exchange(const FetchPtr& fetch, const ConnectionPtr& connection, bool reused) {
  const ResponseReader::Limits limits{.header_bytes = services_->limits.max_header_bytes,
                                      .body_bytes = fetch->max_body_bytes};
  connection->exchange(fetch->request, ResponseReader(limits, fetch->is_head),
                       [pool = weak_from_this(), fetch, reused](Connection::End end) {
                         if (const auto self = pool.lock())
                           self->on_end(fetch, reused, std::move(end));
                       });
}

void ConnectionPool::on_end(const FetchPtr& fetch, bool reused, Connection::End end) {
  std::erase_if(connections_, [](const auto& connection) { return !connection->is_open(); });
  if (std::holds_alternative<Connection::Unanswered>(end) && reused && fetch->may_retry) {
    // The server had given up the connection before the request reached it.
    fetch->may_retry = false;
    return connect(fetch);  // in the place of that one
  }
  answer(fetch,
         std::visit(Overloaded{[](FetchedResponse& response) {
                                 return OperationResult<FetchedResponse>(std::move(response));
                               },
                               [&](ResponseProblem problem) -> OperationResult<FetchedResponse> {
                                 return error_of(*fetch, services_->limits, problem);
                               },
                               [&](const auto& broken) -> OperationResult<FetchedResponse> {
                                 return OperationError(network_failure(fetch->origin, broken.why));
                               }},
                    end));
  pump();
}

void ConnectionPool::answer(const FetchPtr& fetch, OperationResult<FetchedResponse> result) {
  std::erase(active_, fetch);
  const auto on_response = std::exchange(fetch->on_response, nullptr);
  if (on_response) on_response(std::move(result));
}

}  // namespace cordon
