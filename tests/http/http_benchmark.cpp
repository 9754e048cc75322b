// What a GET costs on a kept connection over loopback, plain and with TLS: microseconds each, the
// server's share included.

#include <chrono>
#include <cstdio>
#include <functional>

#include "capabilities/http/http_client.h"
#include "tests/http/support/local_server.h"

using namespace cordon;
using namespace cordon::testing;

namespace {

double microseconds_each(HttpClientOptions options, const LocalServer& server, int count) {
  boost::asio::io_context io;
  HttpClient client(io, std::move(options));
  const auto session = client.open_session(false);
  const CheckedRequest request{
      .url = *parse_http_url(server.origin() + "/"), .method = "GET", .headers = {}};
  std::function<void(int)> next = [&](int left) {
    if (left == 0) return io.stop();
    session->fetch(request, std::nullopt, 1 << 20,
                   [&, left](const OperationResult<FetchedResponse>& result) {
                     if (!result) return io.stop();
                     next(left - 1);
                   });
  };
  next(count / 10);
  io.run();
  io.restart();
  const auto start = std::chrono::steady_clock::now();
  next(count);
  io.run();
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
  return took.count() / count;
}

}  // namespace

int main() {
  const TestCa ca;
  const auto before = std::chrono::steady_clock::now();
  boost::asio::io_context io;
  { const HttpClient client(io, {}); }
  const std::chrono::duration<double, std::milli> made = std::chrono::steady_clock::now() - before;
  std::printf("client with the system's certificates: %.1f ms\n", made.count());
  for (const std::size_t size : {std::size_t{2}, std::size_t{100'000}}) {
    const std::string response = ok(std::string(size, 'x'));
    LocalServer plain(always(response));
    LocalServer tls(always(response), ca.issue({}));
    HttpClientOptions trusting;
    trusting.ca_file = ca.file();
    const double plain_us = microseconds_each({}, plain, 5000);
    const double tls_us = microseconds_each(trusting, tls, 5000);
    std::printf("GET of %zu bytes: plain %.1f us, TLS %.1f us (%u and %u connections)\n", size,
                plain_us, tls_us, plain.connections(), tls.connections());
  }
}
