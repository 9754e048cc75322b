// Capability calls beyond what the host reads wait in the child for their turn, and nothing else
// waits with them.

#include <catch2/catch.hpp>

#include "tests/script/script_host.h"

using namespace cordon::testing;
using cordon::Message;
using cordon::Payload;
using cordon::wire::ChildFrame;
using cordon::wire::Failure;

namespace {

constexpr std::uint64_t kMiB = 1 << 20;

std::string module_of(const std::string& body) {
  return "import { writeText } from 'fino:ai/sandbox/capabilities';"
         "export default async () => {" +
         body + "};";
}

std::vector<std::uint64_t> ids_of(const std::vector<Payload>& requests) {
  std::vector<std::uint64_t> ids;
  for (const auto& each : requests) {
    ids.push_back(Message<ChildFrame>(each).read()->getRequest().getId());
  }
  return ids;
}

// Nothing is ever answered: the guest goes on by its timer alone.
Ending run_unanswered(const Job& job) {
  Session session = host().start(job);
  Ending ending;
  for (;;) {
    const Payload payload = session.next();
    if (payload.empty()) return ending;
    const auto frame = Message<ChildFrame>(payload).read();
    if (frame->isRequest()) ending.requests.push_back(payload);
    if (frame->isConsole()) {
      ending.console.push_back({frame->getConsole().getLevel(),
                                {frame->getConsole().getText().cStr()},
                                frame->getConsole().getTruncated()});
    }
    if (frame->isResult()) {
      const auto result = frame->getResult().asChars();
      ending.result = std::string(result.begin(), result.size());
    }
  }
}

void answer_done(cordon::wire::Request::Reader, cordon::wire::Reply::Builder reply) {
  reply.setDone();
}

}  // namespace

TEST_CASE("Calls that wait hold up no timer, no console text and no result") {
  Job job{.code = module_of(R"js(
    for (let i = 0; i < 1000; i++) void writeText('/p', 'x'.repeat(2000));
    await new Promise((resolve) => setTimeout(resolve, 5));
    console.log('ticked');
    return 'timer';)js")};
  std::vector<std::uint64_t> sent;
  SECTION("by number") {
    job.open_requests = 3;
    sent = {1, 2, 3};
  }
  SECTION("by bytes") {
    job.open_bytes = 5000;
    sent = {1, 2};
  }
  SECTION("one is sent whatever its size") {
    job.open_bytes = 100;
    sent = {1};
  }
  const Ending ending = run_unanswered(job);
  CHECK(describe(ending) == R"("timer")");
  REQUIRE(ending.console.size() == 1);
  CHECK(ending.console[0].text == "ticked");
  CHECK(ids_of(ending.requests) == sent);
}

TEST_CASE("Calls that wait are made as answers come, in order") {
  Job job{.code = module_of(R"js(
    const done = [];
    await Promise.all(Array.from({ length: 500 }, (_, i) =>
      writeText('/p', 'x'.repeat(i % 7 * 300)).then(() => done.push(i))));
    return done.every((n, i) => n === i) && done.length;)js"),
          .open_requests = 4,
          .open_bytes = 3000};
  const Ending ending = host().run(job, answer_done);
  CHECK(describe(ending) == "500");
  std::vector<std::uint64_t> all;
  for (std::uint64_t id = 1; id <= 500; ++id) all.push_back(id);
  CHECK(ids_of(ending.requests) == all);
}

TEST_CASE("Calls that wait are the guest's memory") {
  const char* const fillers[] = {
      "const text = 'x'.repeat(500000); for (;;) void writeText('/p', text);",
      "for (;;) void writeText('/p', 'x');",
      "const text = 'x'.repeat(500000);"
      "for (;;) { void writeText('/p', text); await new Promise((r) => setTimeout(r, 0)); }"};
  for (const char* filler : fillers) {
    CAPTURE(filler);
    Session session = host().start({.code = module_of(filler),
                                    .heap_bytes = 32 * kMiB,
                                    .open_requests = 2,
                                    .data_limit_bytes = 64 * kMiB});
    std::optional<Failure::Kind> kind;
    for (Payload payload = session.next(); !payload.empty(); payload = session.next()) {
      const auto frame = Message<ChildFrame>(payload).read();
      if (frame->isFailure()) kind = frame->getFailure().getKind();
    }
    CHECK(kind == Failure::Kind::OUT_OF_MEMORY);
  }
}
