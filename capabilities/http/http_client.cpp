#include "capabilities/http/http_client.h"

#include <boost/asio/post.hpp>
#include <utility>

#include "capabilities/http/connection_pool.h"
#include "capabilities/http/http_services.h"
#include "capabilities/http/request_text.h"
#include "capabilities/http/tls.h"

namespace cordon {

namespace {

// RFC 9110: repeating them changes nothing more.
bool is_idempotent(const std::string& method) {
  return method == "GET" || method == "HEAD" || method == "OPTIONS" || method == "PUT" ||
         method == "DELETE";
}

}  // namespace

HttpSession::HttpSession(std::shared_ptr<ConnectionPool> pool) : pool_(std::move(pool)) {}

HttpSession::~HttpSession() { close(); }

void HttpSession::fetch(const CheckedRequest& request, std::optional<std::string> body,
                        std::uint64_t max_body_bytes, OnResponse on_response) {
  auto fetch = std::make_shared<Fetch>(
      Fetch{.origin = request.url.origin,
            .request = std::make_shared<const std::string>(request_text(request, body)),
            .is_head = request.method == "HEAD",
            .may_retry = is_idempotent(request.method),
            .max_body_bytes = max_body_bytes,
            .on_response = std::move(on_response)});
  boost::asio::post(pool_->services().io, [pool = pool_, fetch = std::move(fetch)]() mutable {
    pool->fetch(std::move(fetch));
  });
}

void HttpSession::close() {
  boost::asio::post(pool_->services().io, [pool = pool_] { pool->close(); });
}

HttpClient::HttpClient(boost::asio::io_context& io, HttpClientOptions options)
    : services_(std::make_shared<HttpServices>(
          HttpServices{.io = io,
                       .limits = options.limits,
                       .resolver = options.resolver ? std::move(options.resolver)
                                                    : std::make_shared<SystemResolver>(),
                       .tls = make_tls_context(options.ca_file)})) {}

HttpClient::~HttpClient() { services_->resolver->stop(); }

std::shared_ptr<HttpSession> HttpClient::open_session(bool allow_private_addresses) const {
  return std::make_shared<HttpSession>(
      std::make_shared<ConnectionPool>(services_, allow_private_addresses));
}

}  // namespace cordon
