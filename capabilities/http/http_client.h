#pragma once
// fetchText()'s execution: HTTP/1.1 over TCP or TLS, for requests that were already decided.
//
// Invariants: the address that is connected to is the one that was checked; redirects, proxies,
// cookies and content coding play no part; a connection serves one session and one origin, and not
// once more after a byte that nobody asked for. Nothing here blocks, but for reading certificates.

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "capabilities/http/fetched_response.h"
#include "capabilities/http/resolver.h"
#include "capabilities/network_policy.h"
#include "capabilities/operation.h"

namespace cordon {

struct HttpLimits {
  std::chrono::milliseconds connect_timeout{5000};  // for each address
  std::chrono::milliseconds handshake_timeout{10000};
  std::chrono::milliseconds idle_timeout{15000};  // of a kept connection
  std::size_t max_header_bytes = std::size_t{64} << 10;
  std::size_t max_connections = 6;  // of one session; more requests wait their turn
};

struct HttpClientOptions {
  std::shared_ptr<Resolver> resolver;            // null: the system's
  std::optional<std::filesystem::path> ca_file;  // PEM; none: the system's certificates
  HttpLimits limits;
};

struct HttpServices;
class ConnectionPool;

// The connections of one sandbox. Thread-safe; must not outlive the io_context.
class HttpSession {
 public:
  using OnResponse = std::function<void(OperationResult<FetchedResponse>)>;

  explicit HttpSession(std::shared_ptr<ConnectionPool> pool);
  ~HttpSession();  // close()
  HttpSession(const HttpSession&) = delete;
  HttpSession& operator=(const HttpSession&) = delete;

  // `on_response` is called exactly once, on the I/O thread, unless that is stopped first.
  // `max_body_bytes` bounds the response's body; the request's was checked with the request.
  // There is no time limit on a response: close() ends it.
  void fetch(const CheckedRequest& request, std::optional<std::string> body,
             std::uint64_t max_body_bytes, OnResponse on_response);
  // Ends what is in flight, and what is still asked for, as failures.
  void close();

 private:
  std::shared_ptr<ConnectionPool> pool_;
};

// One per runtime. Destroy it before the io_context and not while that runs on another thread.
class HttpClient {
 public:
  // `io` is run by one thread. Throws InvalidOption if the certificates cannot be read.
  HttpClient(boost::asio::io_context& io, HttpClientOptions options);
  ~HttpClient();  // waits for the resolver
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  // `allow_private_addresses`: also for names other than `localhost`. Thread-safe.
  std::shared_ptr<HttpSession> open_session(bool allow_private_addresses) const;

 private:
  std::shared_ptr<HttpServices> services_;
};

}  // namespace cordon
