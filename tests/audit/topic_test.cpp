// Subscribers inside the process, and what becomes of events that they have no credit for.

#include "audit/topic.h"

#include <catch2/catch.hpp>

#include <string>

namespace cordon {
namespace {

SandboxAuditEvent numbered(std::uint64_t seq) {
  SandboxAuditEvent event;
  event.seq = seq;
  return event;
}

struct Seen {
  std::string seqs;
  AuditSubscription::OnEvent note() {
    return [this](const SandboxAuditEvent& event) { seqs += std::to_string(event.seq) + " "; };
  }
};

TEST_CASE("a subscriber is given as many events as it has credits, in order") {
  AuditTopic topic;
  Seen quick, slow;
  auto first = topic.subscribe(quick.note(), 10);
  auto second = topic.subscribe(slow.note(), 2);
  for (std::uint64_t seq = 1; seq <= 5; ++seq) topic.publish(numbered(seq));
  CHECK(quick.seqs == "1 2 3 4 5 ");
  CHECK(slow.seqs == "1 2 ");
  CHECK(first.dropped() == 0);
  CHECK(second.dropped() == 3);
  second.grant(1);
  topic.publish(numbered(6));
  topic.publish(numbered(7));
  CHECK(slow.seqs == "1 2 6 ");
  CHECK(second.dropped() == 4);
}

TEST_CASE("a subscriber may grant itself more while it is called") {
  AuditTopic topic;
  int count = 0;
  AuditSubscription subscription;
  subscription = topic.subscribe(
      [&](const SandboxAuditEvent&) {
        ++count;
        subscription.grant(1);
      },
      1);
  for (std::uint64_t seq = 1; seq <= 5; ++seq) topic.publish(numbered(seq));
  CHECK(count == 5);
  CHECK(subscription.dropped() == 0);
}

TEST_CASE("a subscription that has ended is called no more, and may outlive the topic") {
  Seen seen, other;
  AuditSubscription outlives;
  {
    AuditTopic topic;
    outlives = topic.subscribe(other.note(), 10);
    {
      const auto ended = topic.subscribe(seen.note(), 10);
      topic.publish(numbered(1));
    }
    topic.publish(numbered(2));
    auto moved = topic.subscribe(seen.note(), 10);
    moved = AuditSubscription();
    topic.publish(numbered(3));
  }
  CHECK(seen.seqs == "1 ");
  CHECK(other.seqs == "1 2 3 ");
  outlives.grant(1);
  CHECK(AuditSubscription().dropped() == 0);
}

}  // namespace
}  // namespace cordon
