#pragma once
// A server on the loopback interface that does to each connection whatever a test says, well
// behaved or not.

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/http/support/test_ca.h"

namespace cordon::testing {

// One connection, seen from the server. Calls block until they are done or the client is gone.
class Peer {
 public:
  using Socket = boost::asio::ip::tcp::socket;

  Peer(Socket socket, boost::asio::ssl::context* tls, unsigned number)
      : socket_(std::move(socket)), number_(number) {
    if (tls) tls_.emplace(socket_, *tls);
  }

  bool handshake();
  unsigned number() const { return number_; }  // from 0, in the order of arrival
  // Header and body of the next one; empty when the client has gone.
  std::string read_request();
  bool send(std::string_view bytes);
  // Waits until the client goes, whatever it still sends.
  void wait_for_end();
  // Whether the client goes within that time; what it sends meanwhile stays to be read.
  bool gone_within(std::chrono::milliseconds time);
  // With TLS: says goodbye first.
  void close();
  // Ends the TCP connection without TLS's goodbye. From any thread: whoever blocks returns.
  void cut();
  // Ends the connection with a reset, once the script returns.
  void reset();
  // The script has returned.
  void end();

 private:
  bool read_more();

  Socket socket_;
  std::optional<boost::asio::ssl::stream<Socket&>> tls_;
  unsigned number_;
  bool resets_ = false;
  std::string buffer_;
};

class LocalServer {
 public:
  // Runs on a thread of its own for each connection, which ends when it returns.
  using Script = std::function<void(Peer&)>;

  explicit LocalServer(Script script, std::optional<Certificate> certificate = std::nullopt,
                       const std::string& address = "127.0.0.1", int only_tls_version = 0);
  ~LocalServer();
  LocalServer(const LocalServer&) = delete;
  LocalServer& operator=(const LocalServer&) = delete;

  unsigned short port() const { return port_; }
  // "http://HOST:PORT" or https.
  std::string origin(const std::string& host = "127.0.0.1") const;
  unsigned connections() const { return connections_; }
  // Connections that are over, from the script's point of view.
  unsigned ended() const { return ended_; }

 private:
  void accept_all();
  void serve(Peer& peer);

  Script script_;
  boost::asio::io_context io_;
  std::optional<boost::asio::ssl::context> tls_;
  boost::asio::ip::tcp::acceptor acceptor_;
  unsigned short port_ = 0;
  std::atomic<unsigned> connections_{0};
  std::atomic<unsigned> ended_{0};
  std::mutex mutex_;
  bool stopping_ = false;
  std::vector<std::shared_ptr<Peer>> peers_;
  std::vector<std::thread> threads_;
  std::thread accepting_;
};

// Answers every request with the same bytes.
LocalServer::Script always(std::string response);
// "HTTP/1.1 200 OK" with that body and its length.
std::string ok(std::string_view body);

}  // namespace cordon::testing
