// The auditor over a disk that is slow or full: here a pipe that nobody empties, or that is closed.

#include "actors/auditor.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/send.hpp>

#include <atomic>
#include <catch2/catch.hpp>
#include <deque>
#include <future>

#include "messages/unique_fd.h"

namespace cordon {
namespace {

using namespace std::chrono_literals;

constexpr auto kPatience = 60s;

AuditRecordMessage record(const std::string& target) {
  return AuditRecordMessage::build([&](wire::AuditRecord::Builder out) {
    out.setSandbox("c-1");
    out.setCapability("environment");
    out.setTarget(target.c_str());
    out.setOutcome(wire::AuditOutcome::USED);
    out.setDurationUs(-1);
    out.setBytes(-1);
    out.setCount(-1);
  });
}

// A stream that takes nothing until it is drained.
class StuckStream {
 public:
  StuckStream() {
    ::signal(SIGPIPE, SIG_IGN);
    int ends[2];
    REQUIRE(::pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0);
    reading_.reset(ends[0]);
    writing_.reset(ends[1]);
    const std::string filling(4096, '-');
    while (::write(writing_.get(), filling.data(), filling.size()) > 0) ++blocks_;
  }
  int descriptor() const { return writing_.get(); }
  void drain() const {
    std::string out(4096, '\0');
    for (int i = 0; i < blocks_; ++i) REQUIRE(::read(reading_.get(), out.data(), out.size()) > 0);
  }
  void close() { reading_.reset(); }

 private:
  UniqueFd reading_, writing_;
  int blocks_ = 0;
};

AuditLog log_on(const StuckStream& stream) {
  auto log = AuditLog::open({.stream = stream.descriptor()});
  REQUIRE(log.has_value());
  return std::move(*log);
}

// Real threads: this is about who waits for whom.
class Running {
 public:
  explicit Running(AuditorSetup setup) : system_(config_), self_(system_) {
    auditor_ = system_.spawn(auditor_actor, std::move(setup));
  }
  ~Running() { caf::anon_send_exit(auditor_, caf::exit_reason::user_shutdown); }

  void send(const std::string& target) {
    answers_.push_back(self_->request(auditor_, kPatience, record_atom_v, record(target)));
  }
  // "ok SEQ" or the error, of the oldest request that has no answer yet.
  std::string answer() {
    std::string text;
    answers_.front().receive(
        [&](const AuditReceiptMessage& receipt) {
          text = "ok " + std::to_string(receipt.read()->getSeq());
        },
        [&](const caf::error& error) {
          text = error == ActorError::kAuditFailed ? "audit failed" : system_.render(error);
        });
    answers_.pop_front();
    return text;
  }
  std::string head() {
    std::string head;
    self_->request(auditor_, kPatience, head_atom_v)
        .receive([&](const std::string& hash) { head = hash; },
                 [&](const caf::error& error) { FAIL(system_.render(error)); });
    return head;
  }
  void kill() { caf::anon_send_exit(auditor_, caf::exit_reason::kill); }

 private:
  class Config : public caf::actor_system_config {
   public:
    Config() {
      add_message_types<caf::id_block::cordon>();
      set("scheduler.max-threads", 1);
    }
  };
  using Answer = decltype(std::declval<caf::scoped_actor&>()->request(
      std::declval<AuditorActor&>(), kPatience, record_atom_v, AuditRecordMessage()));
  Config config_;
  caf::actor_system system_;
  caf::scoped_actor self_;
  AuditorActor auditor_;
  std::deque<Answer> answers_;
};

TEST_CASE("a slow disk holds up receipts, and no actor thread") {
  StuckStream stream;
  std::vector<std::uint64_t> published;
  std::atomic<bool> any = false;
  Running running({.log = std::make_shared<AuditLog>(log_on(stream)),
                   .publish =
                       [&](const auto& event) {
                         any = true;
                         published.push_back(event.seq);
                       },
                   .group_limit = 1024,
                   .thread = std::make_shared<BlockingThreads>(1)});
  for (const char* target : {"A", "B", "C"}) running.send(target);
  // The only actor thread answers, though nothing can be written.
  CHECK(running.head() == std::string(64, '0'));
  CHECK_FALSE(any);
  stream.drain();
  CHECK(running.answer() == "ok 1");
  CHECK(running.answer() == "ok 2");
  CHECK(running.answer() == "ok 3");
  CHECK(published == std::vector<std::uint64_t>{1, 2, 3});
  CHECK(running.head() != std::string(64, '0'));
}

TEST_CASE("what waits while a group is written shares the next commit, up to a limit") {
  const auto sizes = [](std::size_t limit) {
    StuckStream stream;
    std::vector<std::size_t> groups;
    std::uint64_t expected = 0;
    {
      AuditorThread thread(
          log_on(stream), limit,
          [&](const AuditorThread::Group& group) {
            groups.push_back(group.written.size());
            for (const auto& written : group.written) CHECK(written.key == ++expected);
          },
          std::make_shared<BlockingThreads>(1));
      for (std::uint64_t key = 1; key <= 40; ++key) thread.write(key, record("A"));
      stream.drain();
    }
    CHECK(expected == 40);  // it wrote what it was given before it went away
    return groups;
  };
  const auto groups = sizes(1024);
  CHECK(groups.size() <= 40);
  CHECK(*std::max_element(groups.begin(), groups.end()) > 1);
  CHECK(sizes(1) == std::vector<std::size_t>(40, 1));
}

TEST_CASE("events that cannot be written fail, or are counted in a best-effort trail") {
  StuckStream stream;
  stream.drain();
  stream.close();
  const bool best_effort = GENERATE(false, true);
  const std::size_t group_limit = GENERATE(std::size_t{0}, std::size_t{1});
  AuditorSetup setup{.log = std::make_shared<AuditLog>(log_on(stream)),
                     .group_limit = group_limit,
                     .thread = std::make_shared<BlockingThreads>(1),
                     .best_effort = best_effort};
  const auto lost = setup.lost;
  Running running(std::move(setup));
  running.send("A");
  running.send("B");
  CHECK(running.answer() == (best_effort ? "ok 0" : "audit failed"));
  CHECK(running.answer() == (best_effort ? "ok 0" : "audit failed"));
  CHECK(*lost == 2);
}

TEST_CASE("an auditor that dies answers who waits for it") {
  StuckStream stream;
  Running running({.log = std::make_shared<AuditLog>(log_on(stream)),
                   .group_limit = 1,
                   .thread = std::make_shared<BlockingThreads>(1)});
  running.send("A");
  running.head();  // the record was taken
  running.kill();
  stream.drain();
  CHECK(running.answer().find("ok") == std::string::npos);
}

}  // namespace
}  // namespace cordon
