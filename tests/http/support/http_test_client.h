#pragma once
// The client under test on the test's own thread, and shorthands for what it answers.

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <catch2/catch.hpp>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "capabilities/http/http_client.h"

// What Catch writes about a result.
template <class T, class E>
struct Catch::StringMaker<boost::system::result<T, E>> {
  static std::string convert(const boost::system::result<T, E>& result) {
    return result ? "a value" : "an error";
  }
};

namespace cordon::testing {

using FetchResult = OperationResult<FetchedResponse>;

inline CheckedRequest request(const std::string& url, const std::string& method = "GET",
                              std::vector<HttpHeader> headers = {}) {
  auto parsed = parse_http_url(url);
  REQUIRE(parsed);
  return {.url = std::move(*parsed), .method = method, .headers = std::move(headers)};
}

inline std::string failure_of(const FetchResult& result) {
  REQUIRE(result.has_error());
  const OperationError error = result.error();
  REQUIRE(std::holds_alternative<OperationFailure>(error));
  return std::get<OperationFailure>(error).reason;
}

inline Refusal refusal_of(const FetchResult& result) {
  REQUIRE(result.has_error());
  const OperationError error = result.error();
  REQUIRE(std::holds_alternative<Refusal>(error));
  return std::get<Refusal>(error);
}

// Answers as it is told, and remembers what it was asked.
class FakeResolver final : public Resolver {
 public:
  using Answer = Result<std::vector<boost::asio::ip::address>, std::string>;

  explicit FakeResolver(std::deque<Answer> answers) : answers_(std::move(answers)) {}

  // A list of addresses; the last answer stands for all further questions.
  static std::shared_ptr<FakeResolver> with(std::vector<std::vector<std::string>> answers) {
    std::deque<Answer> parsed;
    for (const auto& texts : answers) {
      std::vector<boost::asio::ip::address> addresses;
      for (const auto& text : texts) addresses.push_back(boost::asio::ip::make_address(text));
      parsed.emplace_back(addresses);
    }
    return std::make_shared<FakeResolver>(std::move(parsed));
  }

  void resolve(std::string host, OnAddresses on_addresses) override {
    asked.push_back(std::move(host));
    const Answer answer = answers_.front();
    if (answers_.size() > 1) answers_.pop_front();
    on_addresses(answer);
  }
  void stop() override {}

  std::vector<std::string> asked;

 private:
  std::deque<Answer> answers_;
};

class HttpTestClient {
 public:
  static constexpr std::uint64_t kMaxBody = std::uint64_t{1} << 20;

  explicit HttpTestClient(HttpClientOptions options = {}) : client_(io, std::move(options)) {}

  std::shared_ptr<HttpSession> session(bool allow_private_addresses = false) {
    return client_.open_session(allow_private_addresses);
  }

  // Runs the I/O thread's work until `done` says so; false if it never does.
  bool run_until(const std::function<bool()>& done) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!done()) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      io.run_one_for(std::chrono::milliseconds(5));
    }
    return true;
  }

  // Where an answer arrives; empty until then.
  using Pending = std::shared_ptr<std::optional<FetchResult>>;

  Pending start(HttpSession& session, const CheckedRequest& request,
                std::optional<std::string> body = std::nullopt, std::uint64_t max_body = kMaxBody) {
    auto pending = std::make_shared<std::optional<FetchResult>>();
    session.fetch(request, std::move(body), max_body, [pending](FetchResult result) {
      // Twice would be a bug of its own.
      if (*pending) std::abort();
      pending->emplace(std::move(result));
    });
    return pending;
  }

  FetchResult finish(const Pending& pending) {
    REQUIRE(run_until([&] { return pending->has_value(); }));
    return std::move(**pending);
  }

  FetchResult fetch(HttpSession& session, const CheckedRequest& request,
                    std::optional<std::string> body = std::nullopt,
                    std::uint64_t max_body = kMaxBody) {
    return finish(start(session, request, std::move(body), max_body));
  }

  // In a session of its own.
  FetchResult get(const std::string& url, std::uint64_t max_body = kMaxBody) {
    const auto own = session();
    return fetch(*own, request(url), std::nullopt, max_body);
  }

  boost::asio::io_context io;

 private:
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_ =
      boost::asio::make_work_guard(io);
  HttpClient client_;
};

}  // namespace cordon::testing
