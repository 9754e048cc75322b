#pragma once
// One running zygote, as the client uses it: sends it fork orders and matches its answers.
//
// Used on the I/O thread only. Owns itself while it waits for the socket.

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>

#include "actors/process/engine_process.h"
#include "actors/process/zygote_client.h"

namespace cordon {

struct ForkOrder {
  ZygoteClient::OnChild on_child;
  ZygoteClient::Use use = ZygoteClient::Use::kNow;
  unsigned attempts = 0;  // zygotes that were lost over it
};

class Zygote : public std::enable_shared_from_this<Zygote> {
 public:
  // Called once with what the zygote has not answered, when it has died, fallen silent or spoken
  // out of turn.
  using OnLost = std::function<void(std::deque<ForkOrder>)>;

  // `process` is a zygote that is ready; it ends where it cannot be watched. One that leaves its
  // oldest order unanswered for `patience` is lost.
  static Result<std::shared_ptr<Zygote>, StartFailure> adopt(boost::asio::io_context& io,
                                                             EngineProcess process,
                                                             std::uint64_t generation,
                                                             std::chrono::milliseconds patience);

  void watch(OnLost on_lost);
  void fork(ForkOrder order);

  // No more orders will come: ends the zygote's process once all are answered.
  void drain();

  // Ends the zygote's process now, and gives back what it has not answered.
  std::deque<ForkOrder> close();

  std::uint64_t generation() const noexcept { return generation_; }
  std::uint64_t forks() const noexcept { return forks_; }

 private:
  Zygote(boost::asio::io_context& io, EngineProcess process, std::uint64_t generation,
         std::chrono::milliseconds patience);

  struct SentOrder {
    std::uint64_t serial = 0;
    ForkOrder order;
    UniqueFd channel;  // the host's end
    UniqueFd place;    // kept for the descriptor in the answer: the child's end
  };

  void send_queued();
  bool send(ForkOrder& order);
  void await_room();
  void await_answers();
  void take_answers();
  bool take_answer();
  bool miss_answer();
  void await_progress();
  void check_progress();
  void lose();
  void end_if_drained();

  boost::asio::posix::stream_descriptor control_;
  boost::asio::steady_timer progress_timer_;
  std::shared_ptr<EngineProcess> process_;  // also the lease of every child
  std::uint64_t generation_;
  std::uint64_t base_data_bytes_;
  std::chrono::milliseconds patience_;
  std::uint64_t forks_ = 0;
  std::uint64_t next_serial_ = 0;
  std::deque<ForkOrder> queued_;
  std::deque<SentOrder> sent_;
  OnLost on_lost_;
  std::optional<std::uint64_t> oldest_;  // the order that was unanswered at the last check
  int checks_without_progress_ = 0;
  bool progress_is_awaited_ = false;
  bool may_send_ = true;
  bool draining_ = false;
};

}  // namespace cordon
