// Signed checkpoints: what they vouch for, and for whom.

#include <catch2/catch.hpp>

#include "audit/audit_log.h"
#include "audit/event_json.h"
#include "audit/verify.h"
#include "tests/audit/keys.h"
#include "tests/audit/records.h"

namespace cordon {
namespace {

class SignedLog {
 public:
  explicit SignedLog(int events = 10) {
    auto log = AuditLog::open(
        {.files = {path()}, .writer = "w", .checkpoint_every = 4, .signing_key = keys_.secret});
    if (!log) FAIL(log.error());
    for (int i = 0; i < events; ++i) {
      REQUIRE(log->append(test::record("filesystem.read", "/a")).has_value());
    }
    log->close();
  }

  std::filesystem::path path() const { return directory_ / "log"; }
  PublicKey key() const { return load(keys_); }
  PublicKey other_key() const { return load(test::make_keys(directory_ / "other")); }
  std::vector<std::string> lines() const { return test::lines_of(test::slurp(path())); }

  VerifyReport verify(PublicKey key) const {
    VerifyOptions options;
    options.keys.push_back(std::move(key));
    return verify_log(path(), options);
  }

  // Writes the lines anew from `first` on, so that hashes fit, after `edit` of that one.
  template <class Edit>
  void forge(std::size_t first, Edit edit) const {
    auto all = lines();
    for (std::size_t i = first; i < all.size(); ++i) {
      auto event = *parse_event(all[i]);
      if (i == first) edit(event);
      event.prev = parse_event(all[i - 1])->hash;
      event.hash = event_hash(event);
      all[i] = to_json(event);
    }
    test::spill(path(), test::joined(all));
  }

 private:
  static PublicKey load(const test::KeyFiles& files) {
    auto key = PublicKey::load(files.open);
    if (!key) FAIL(key.error());
    return std::move(*key);
  }
  test::ScratchDirectory directory_;
  test::KeyFiles keys_ = test::make_keys(directory_ / "key");
};

std::string problem_of(const VerifyReport& report) {
  return report.problem ? to_string(report.problem->kind) : "none";
}

TEST_CASE("checkpoints vouch for what is before them, and the last one for the whole log") {
  const SignedLog log;
  const auto report = log.verify(log.key());
  CHECK(report.good());
  CHECK(report.checkpoints == 3);
  CHECK(report.count == 14);  // a genesis, ten events and the checkpoints
  CHECK(report.signed_through == 13);
  CHECK(verify_log(log.path()).signed_through == 0);  // without a key nothing was checked
}

TEST_CASE("the log of another key is not vouched for") {
  const SignedLog log;
  CHECK(problem_of(log.verify(log.other_key())) == "signature");
  VerifyOptions options;
  options.keys.push_back(log.other_key());
  options.keys.push_back(log.key());
  CHECK(verify_log(log.path(), options).good());
}

TEST_CASE("a rewritten log keeps its hashes and loses its signatures") {
  const SignedLog log;
  SECTION("an event before a checkpoint was changed") {
    log.forge(2, [](auto& event) { event.target = "/b"; });
    CHECK(verify_log(log.path()).good());
    const auto report = log.verify(log.key());
    CHECK(problem_of(report) == "signature");
    CHECK(report.problem->line == 6);
  }
  SECTION("a checkpoint was edited") {
    log.forge(5, [](auto& event) {
      auto& digit = event.reason->back();
      digit = digit == '0' ? '1' : '0';
    });
    CHECK(problem_of(log.verify(log.key())) == "signature");
  }
  SECTION("a checkpoint was edited, and its hash was not") {
    auto lines = log.lines();
    char& digit = lines[5][lines[5].find("key=") + 4];
    digit = digit == '0' ? '1' : '0';
    test::spill(log.path(), test::joined(lines));
    CHECK(problem_of(log.verify(log.key())) == "hash");
  }
  SECTION("a checkpoint carries the signature of another one") {
    const auto other = parse_event(log.lines()[10])->reason;
    log.forge(5, [&](auto& event) { event.reason = other; });
    CHECK(problem_of(log.verify(log.key())) == "signature");
  }
  SECTION("a checkpoint was given a later time") {
    log.forge(5, [](auto& event) { event.timestamp += 1; });
    CHECK(problem_of(log.verify(log.key())) != "none");
  }
  SECTION("all signatures were removed") {
    for (const std::size_t at : {std::size_t{5}, std::size_t{10}, std::size_t{13}}) {
      log.forge(at, [](auto& event) { event.reason.reset(); });
    }
    CHECK(verify_log(log.path()).good());
    CHECK(problem_of(log.verify(log.key())) == "unsigned");
  }
  SECTION("the end was cut off: what is left is vouched for as far as it says") {
    auto lines = log.lines();
    lines.resize(12);
    test::spill(log.path(), test::joined(lines));
    const auto report = log.verify(log.key());
    CHECK(report.good());
    CHECK(report.signed_through == 10);
  }
}

TEST_CASE("keys of another kind, and files without a key, are refused by name") {
  const test::ScratchDirectory directory;
  const auto wrong = test::make_keys(directory / "wrong", "X25519");
  const auto keys = test::make_keys(directory / "key");
  const auto error = [](const auto& key) { return key ? std::string() : key.error(); };
  CHECK(error(SigningKey::load(wrong.secret)).find("no Ed25519 key") != std::string::npos);
  CHECK(error(PublicKey::load(wrong.open)).find("no Ed25519 key") != std::string::npos);
  CHECK(error(SigningKey::load(keys.open)).find("no private key") != std::string::npos);
  CHECK(error(PublicKey::load(keys.secret)).find("no public key") != std::string::npos);
  CHECK(error(SigningKey::load(directory / "absent")).find("cannot be opened") !=
        std::string::npos);
  const auto log = AuditLog::open({.files = {directory / "log"}, .signing_key = keys.open});
  REQUIRE_FALSE(log.has_value());
  CHECK(log.error().find("key.pub.pem") != std::string::npos);
}

}  // namespace
}  // namespace cordon
