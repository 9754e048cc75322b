#pragma once
// The host's side of one running compiler service: requests out, answers in.
//
// A service is trusted with nothing. The first thing that is wrong (a stall, an end, a packet that
// makes no sense or is too long) breaks it for good, and then every request is handed back: the
// suspects, any of which may be the cause, and the innocent. What happens to them is the owner's
// decision. Every job that was sent comes out exactly once, answered or handed back.

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "actors/compile/compile_cache.h"
#include "actors/compile/compiler_client.h"
#include "actors/compile/esbuild_protocol.h"
#include "actors/compile/service_launcher.h"

namespace cordon {

struct CompileJob {
  CompileRequest request;
  CompilerClient::OnCompiled on_compiled;
  std::optional<CompileCache::Key> cache_key = {};
  unsigned times_sent = 0;
  bool for_quick = false;  // the quick service has not had it yet
  bool by_quick = false;   // has answered it
};

// What one kind of service speaks. Packets begin with their length, which does not count itself,
// and an id; both take four bytes.
struct ServiceProtocol {
  std::string (*encode)(std::uint32_t id, const CompileRequest& request);  // a whole packet
  // The id of a packet that answers a request; nothing when it is no answer.
  std::optional<std::uint32_t> (*decode_id)(std::string_view id_bytes);
  // What follows the id; nothing when it makes no sense.
  std::optional<esbuild::Answer> (*decode)(std::string_view body);
};
extern const ServiceProtocol kEsbuildProtocol;
extern const ServiceProtocol kQuickProtocol;  // a Refusal says that it has not compiled the source

// What is left of a broken or closed service.
struct ServiceRemains {
  std::string reason;
  std::vector<CompileJob> suspects;
  std::vector<CompileJob> innocents;
  std::unique_ptr<ServiceProcess> process;  // perhaps still running
};

// Used on the I/O thread only.
class CompilerService : public std::enable_shared_from_this<CompilerService> {
 public:
  struct Events {
    std::function<void(CompileJob, esbuild::Answer)> on_answer;
    std::function<void(ServiceRemains)> on_broken;  // at most once; nothing follows
  };

  // `deadline` is that of each request, from send(). A service that cannot be watched ends.
  static Result<std::shared_ptr<CompilerService>, StartFailure> open(
      boost::asio::io_context& io, const ServiceProtocol& protocol, LaunchedService service,
      std::chrono::milliseconds deadline, Events events);

  // Calls no event before it returns.
  void send(CompileJob job);

  std::size_t jobs_in_flight() const noexcept { return flight_.size(); }
  std::size_t bytes_in_flight() const noexcept { return bytes_in_flight_; }

  // How long the oldest request has been waiting for its answer.
  std::chrono::steady_clock::duration slowness() const;

  // Ends it without an event. All in flight are innocent.
  ServiceRemains close();

 private:
  using Clock = std::chrono::steady_clock;
  struct Flight {
    CompileJob job;
    Clock::time_point deadline;
  };
  using IsSuspect = std::function<bool(std::uint32_t id, const Flight&)>;

  CompilerService(boost::asio::io_context& io, const ServiceProtocol& protocol,
                  std::chrono::milliseconds deadline, Events events);
  void wait_readable();
  void wait_writable();
  void wait_deadline();
  void on_readable();
  void flush();
  void parse();
  void take_answer(std::uint32_t id, std::string_view body);
  void break_off(std::string reason, const IsSuspect& is_suspect);
  ServiceRemains remains(std::string reason, const IsSuspect& is_suspect);
  bool is_open() const noexcept { return socket_.is_open(); }

  const ServiceProtocol& protocol_;
  boost::asio::local::stream_protocol::socket socket_;
  boost::asio::steady_timer timer_;
  std::unique_ptr<ServiceProcess> process_;
  const std::chrono::milliseconds deadline_;
  Events events_;

  std::map<std::uint32_t, Flight> flight_;  // by id; the oldest is due first
  std::size_t bytes_in_flight_ = 0;         // of sources
  std::uint32_t next_id_ = 0;

  std::deque<std::string> outgoing_;
  std::size_t written_ = 0;  // of the first of them
  bool waiting_writable_ = false;
  std::string incoming_;  // at most one packet and one read more
};

}  // namespace cordon
