#include "actors/network_service.h"

#include <memory>
#include <utility>

namespace cordon {

namespace {

HttpClientOptions client_options(const RuntimeOptions& options) {
  HttpClientOptions client;
  if (options.resolve_host)
    client.resolver = std::make_shared<FunctionResolver>(options.resolve_host);
  client.ca_file = options.trusted_certificates;
  return client;
}

class Session final : public NetworkSession {
 public:
  explicit Session(std::shared_ptr<HttpSession> session) : session_(std::move(session)) {}
  void fetch(const CheckedRequest& request, std::optional<std::string> body,
             std::uint64_t max_body_bytes, OnResponse on_response) override {
    session_->fetch(request, std::move(body), max_body_bytes, std::move(on_response));
  }
  void close() override { session_->close(); }

 private:
  std::shared_ptr<HttpSession> session_;
};

}  // namespace

void FunctionResolver::resolve(std::string host, OnAddresses on_addresses) {
  thread_.run([this, host = std::move(host), on_addresses = std::move(on_addresses)] {
    std::vector<boost::asio::ip::address> addresses;
    for (const std::string& text : resolve_(host)) {
      boost::system::error_code error;
      const auto address = boost::asio::ip::make_address(text, error);
      if (!error) addresses.push_back(address);
    }
    if (addresses.empty()) {
      on_addresses(std::string("name not found"));
    } else {
      on_addresses(std::move(addresses));
    }
  });
}

void FunctionResolver::stop() { thread_.stop(); }

NetworkService::NetworkService(boost::asio::io_context& io, const RuntimeOptions& options)
    : io_(io), options_(client_options(options)) {
  if (options_.ca_file) client_.emplace(io_, options_);
}

std::shared_ptr<NetworkSession> NetworkService::open_session(bool allow_private_addresses) {
  const std::lock_guard lock(mutex_);
  if (!client_) client_.emplace(io_, options_);
  return std::make_shared<Session>(client_->open_session(allow_private_addresses));
}

}  // namespace cordon
