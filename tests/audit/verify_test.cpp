#include "audit/verify.h"

#include <catch2/catch.hpp>

#include <random>

#include "audit/chain.h"
#include "audit/event_json.h"
#include "tests/audit/records.h"

namespace cordon {
namespace {

class LogFile {
 public:
  explicit LogFile(const std::string& text) : path_(directory_ / "log") {
    test::spill(path_, text);
  }
  VerifyReport verify(std::optional<std::string> head = std::nullopt) const {
    return verify_log(path_, {.expected_head = std::move(head)});
  }

 private:
  test::ScratchDirectory directory_;
  std::filesystem::path path_;
};

std::string hash_of(const std::string& line) { return parse_event(line)->hash; }

// The line after `edit`, with a hash that fits again.
template <class Edit>
std::string forged(const std::string& line, Edit edit) {
  auto event = *parse_event(line);
  edit(event);
  event.hash = event_hash(event);
  return to_json(event);
}

void check_problem(const VerifyReport& report, LogProblem kind, std::uint64_t line) {
  REQUIRE(report.problem);
  CAPTURE(report.problem->message);
  CHECK(std::string(to_string(report.problem->kind)) == to_string(kind));
  CHECK(report.problem->line == line);
  CHECK_FALSE(report.good());
}

TEST_CASE("a good log verifies, with its count and head") {
  const auto lines = test::lines_of(test::good_log(20));
  const auto report = LogFile(test::joined(lines)).verify();
  CHECK(report.good());
  CHECK(report.count == 20);
  CHECK(report.head == hash_of(lines.back()));
}

TEST_CASE("an empty log is good and has the head of zeros") {
  const auto report = LogFile("").verify(std::string(64, '0'));
  CHECK(report.good());
  CHECK(report.count == 0);
  CHECK(report.head == std::string(64, '0'));
}

TEST_CASE("a missing file is a problem") {
  check_problem(verify_log("/nonexistent/log"), LogProblem::kUnreadable, 0);
}

TEST_CASE("any flipped bit is found, at its line") {
  const std::string good = test::good_log(3);
  const auto first = good.find('\n');
  for (std::size_t at = 0; at < good.size(); ++at) {
    const int bit = static_cast<int>(at % 8);
    std::string text = good;
    text[at] = static_cast<char>(text[at] ^ (1 << bit));
    const auto report = LogFile(text).verify();
    CAPTURE(at, bit);
    REQUIRE(report.problem);
    if (at < first) {
      CHECK(report.problem->line == 1);
      const auto kind = report.problem->kind;
      CHECK((kind == LogProblem::kHash || kind == LogProblem::kNotAnEvent));
    }
  }
}

TEST_CASE("corruptions have their names") {
  auto lines = test::lines_of(test::good_log(10));
  SECTION("changed text") {
    const auto at = lines[4].find("/data/a.txt");
    lines[4].replace(at, 11, "/data/b.txt");
    check_problem(LogFile(test::joined(lines)).verify(), LogProblem::kHash, 5);
  }
  SECTION("removed") {
    lines.erase(lines.begin() + 4);
    check_problem(LogFile(test::joined(lines)).verify(), LogProblem::kSequence, 5);
  }
  SECTION("first ones removed") {
    lines.erase(lines.begin(), lines.begin() + 3);
    check_problem(LogFile(test::joined(lines)).verify(), LogProblem::kSequence, 1);
  }
  SECTION("removed, and the later ones numbered again") {
    lines.erase(lines.begin() + 4);
    lines[4] = forged(lines[4], [](auto& event) { --event.seq; });
    check_problem(LogFile(test::joined(lines)).verify(), LogProblem::kPrev, 5);
  }
  SECTION("inserted") {
    const auto event = next_event(*test::record("secret", "FORGED").read(),
                                  head_after(*parse_event(lines[4])), 1'700'000'000'000);
    lines.insert(lines.begin() + 5, to_json(event));
    check_problem(LogFile(test::joined(lines)).verify(), LogProblem::kSequence, 7);
  }
  SECTION("replaced, with a hash that fits") {
    lines[4] = forged(lines[4], [](auto& event) { event.target = "/data/b.txt"; });
    check_problem(LogFile(test::joined(lines)).verify(), LogProblem::kPrev, 6);
  }
  SECTION("reordered") {
    std::swap(lines[4], lines[5]);
    check_problem(LogFile(test::joined(lines)).verify(), LogProblem::kSequence, 5);
  }
  SECTION("duplicated") {
    lines.insert(lines.begin() + 5, lines[4]);
    check_problem(LogFile(test::joined(lines)).verify(), LogProblem::kSequence, 6);
  }
  SECTION("time runs backwards") {
    lines[9] = forged(lines[9], [](auto& event) { event.timestamp -= 1000; });
    check_problem(LogFile(test::joined(lines)).verify(), LogProblem::kTime, 10);
  }
  SECTION("not JSON") {
    lines[4] = "hello";
    check_problem(LogFile(test::joined(lines)).verify(), LogProblem::kNotAnEvent, 5);
  }
  SECTION("empty line") {
    lines.insert(lines.begin() + 4, "");
    check_problem(LogFile(test::joined(lines)).verify(), LogProblem::kNotAnEvent, 5);
  }
  SECTION("overlong line") {
    lines[4] = std::string(kMaxLineBytes + 1, ' ');
    check_problem(LogFile(test::joined(lines)).verify(), LogProblem::kTooLong, 5);
  }
  SECTION("torn tail") {
    std::string text = test::joined(lines);
    text.resize(text.size() - GENERATE(std::size_t{1}, std::size_t{2}, std::size_t{100}));
    const auto report = LogFile(text).verify();
    check_problem(report, LogProblem::kTornTail, 10);
    CHECK(report.count == 9);
    CHECK(report.head == hash_of(lines[8]));
  }
}

TEST_CASE("a cut tail is found against an expected head, and only against one") {
  auto lines = test::lines_of(test::good_log(10));
  const std::string head = hash_of(lines.back());
  CHECK(LogFile(test::joined(lines)).verify(head).good());
  lines.resize(6);
  CHECK(LogFile(test::joined(lines)).verify().good());
  check_problem(LogFile(test::joined(lines)).verify(head), LogProblem::kHeadMissing, 0);
  check_problem(LogFile("").verify(head), LogProblem::kHeadMissing, 0);
}

TEST_CASE("a log that grew since its head was noted is still the same log") {
  const auto lines = test::lines_of(test::good_log(10));
  CHECK(LogFile(test::joined(lines)).verify(hash_of(lines[3])).good());
  CHECK(LogFile(test::joined(lines)).verify(std::string(64, '0')).good());
  check_problem(LogFile(test::joined(lines)).verify(std::string(64, 'f')), LogProblem::kHeadMissing,
                0);
  check_problem(LogFile(test::joined(lines)).verify(""), LogProblem::kHeadMissing, 0);
}

TEST_CASE("a log rewritten from some event on does not have the expected head") {
  auto lines = test::lines_of(test::good_log(10));
  const std::string head = hash_of(lines.back());
  ChainHead at = head_after(*parse_event(lines[3]));
  for (std::size_t i = 4; i < lines.size(); ++i) {
    const auto event =
        next_event(*test::record("environment", "HARMLESS").read(), at, at.timestamp);
    lines[i] = to_json(event);
    at = head_after(event);
  }
  CHECK(LogFile(test::joined(lines)).verify().good());
  check_problem(LogFile(test::joined(lines)).verify(head), LogProblem::kHeadMissing, 0);
}

TEST_CASE("random bytes are never a good log") {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::string text(1 + random() % 5000, '\0');
    for (char& c : text) c = static_cast<char>(random() % (round % 2 == 0 ? 256 : 128));
    CHECK_FALSE(LogFile(text).verify().good());
  }
}

}  // namespace
}  // namespace cordon
