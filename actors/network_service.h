#pragma once
// The actors' Network on the HTTP client, and name resolution by the embedder's function.

#include <boost/asio/io_context.hpp>

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <cordon/runtime.h>

#include "actors/process/blocking_threads.h"
#include "actors/services.h"
#include "capabilities/http/http_client.h"

namespace cordon {

using ResolveHost = std::function<std::vector<std::string>(const std::string& host)>;

class FunctionResolver final : public Resolver {
 public:
  explicit FunctionResolver(ResolveHost resolve) : resolve_(std::move(resolve)) {}
  ~FunctionResolver() override { stop(); }
  void resolve(std::string host, OnAddresses on_addresses) override;
  void stop() override;

 private:
  ResolveHost resolve_;
  BlockingThreads thread_{1};
};

// Thread-safe. Reading the system's certificates takes tens of milliseconds: the first call with a
// network grant does it.
class NetworkService final : public Network {
 public:
  // Throws InvalidOption when trusted certificates are named and cannot be read.
  NetworkService(boost::asio::io_context& io, const RuntimeOptions& options);
  std::shared_ptr<NetworkSession> open_session(bool allow_private_addresses) override;

 private:
  boost::asio::io_context& io_;
  HttpClientOptions options_;
  std::mutex mutex_;
  std::optional<HttpClient> client_;
};

}  // namespace cordon
