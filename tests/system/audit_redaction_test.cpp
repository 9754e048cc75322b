// No secret reaches any sink, whatever form a guest gives it and through whatever it can say.

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <mutex>
#include <nlohmann/json.hpp>
#include <random>

#include "audit/event_export.h"
#include "audit/event_reader.h"
#include "tests/system/world.h"

using namespace cordon;
using nlohmann::json;
using test::World;

namespace {

using Random = std::mt19937;

constexpr int kRounds = 6;
constexpr int kCallsEach = 12;  // of each function

std::size_t below(Random& random, std::size_t bound) {
  return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned buffer = 0;
  int bits = 0;
  for (const char c : bytes) {
    buffer = buffer << 8 | static_cast<unsigned char>(c);
    for (bits += 8; bits >= 6; bits -= 6) out += kDigits[buffer >> (bits - 6) & 63];
  }
  if (bits > 0) out += kDigits[buffer << (6 - bits) & 63];
  return out;
}

std::string hex(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    out += "0123456789abcdef"[static_cast<unsigned char>(c) >> 4];
    out += "0123456789abcdef"[static_cast<unsigned char>(c) & 15];
  }
  return out;
}

std::string percent(std::string_view text, Random& random) {
  std::string out;
  for (const char c : text) {
    out += below(random, 3) > 0 ? std::string(1, c) : "%" + hex(std::string_view(&c, 1));
  }
  return out;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return text;
}

std::string percent_decoded(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto digits = text.substr(i + 1, 2);
    const bool escape = text[i] == '%' && digits.size() == 2 &&
                        digits.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
    out += escape ? static_cast<char>(std::stoi(digits, nullptr, 16)) : text[i];
    if (escape) i += 2;
  }
  return out;
}

std::string random_secret(Random& random) {
  std::string secret;
  const std::size_t length = 10 + below(random, 30);
  while (secret.size() < length) {
    secret +=
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~!$&'()*+,;=:@/ "[below(
            random, 83)];
  }
  return secret;
}

std::string random_form(const std::string& secret, Random& random) {
  std::string form = secret;
  switch (below(random, 4)) {
    case 0:
      form = base64(std::string(below(random, 3), 'x') + secret + "yz");
      if (below(random, 2) == 0) {
        std::replace(form.begin(), form.end(), '+', '-');
        std::replace(form.begin(), form.end(), '/', '_');
      }
      break;
    case 1:
      form = hex(secret);
      break;
    default:
      break;
  }
  for (std::size_t times = below(random, 4); times > 0; --times) form = percent(form, random);
  return form;
}

// What a leak would look like, in lower case: the middle of each form, whatever surrounds it.
std::vector<std::string> traces(const std::string& secret) {
  std::vector<std::string> all = {lower(secret), hex(secret)};
  for (std::size_t before = 0; before < 3; ++before) {
    const std::string whole = base64(std::string(before, 'x') + secret);
    std::string core = whole.substr(before == 0 ? 0 : before + 1);
    core.resize(core.size() - 2);
    std::string url_safe = core;
    std::replace(url_safe.begin(), url_safe.end(), '+', '-');
    std::replace(url_safe.begin(), url_safe.end(), '/', '_');
    all.push_back(lower(core));
    all.push_back(lower(url_safe));
  }
  return all;
}

// The trace of a secret in `text`, however often it is percent-encoded; empty: none.
std::string trace_in(std::string text, const std::string& secret) {
  for (int level = 0; level < 4; ++level) {
    const std::string seen = lower(text);
    for (const std::string& trace : traces(secret)) {
      if (seen.find(trace) != std::string::npos) return trace;
    }
    text = percent_decoded(text);
  }
  return {};
}

void check_clean(const char* sink, const std::string& text,
                 const std::vector<std::string>& secrets) {
  for (const std::string& secret : secrets) {
    CAPTURE(sink, secret);
    REQUIRE(trace_in(text, secret).empty());
  }
}

TEST_CASE("the search for traces finds every form of a secret") {
  Random random(1);
  for (int i = 0; i < 2000; ++i) {
    const std::string secret = random_secret(random);
    const std::string form = random_form(secret, random);
    CAPTURE(secret, form);
    REQUIRE_FALSE(trace_in("before " + form + " after", secret).empty());
  }
}

// Calls whatever it is told to and fails with what it is told last.
const char* const kProgram = R"(
import * as capabilities from 'fino:ai/sandbox/capabilities';
export default async (calls: [string, ...any[]][], last: string) => {
  for (const [name, ...rest] of calls) {
    await (capabilities as any)[name](...rest).catch(() => {});
  }
  console.log(last);
  throw Object.assign(new Error(last), { name: last, capability: last, target: last });
};)";

json random_calls(const std::vector<std::string>& secrets, const std::string& directory,
                  Random& random) {
  const auto form = [&] { return random_form(secrets[below(random, secrets.size())], random); };
  json calls = json::array();
  for (int i = 0; i < kCallsEach; ++i) {
    const std::string around =
        below(random, 2) == 0 ? "" : "a" + std::string(below(random, 900), 'b');
    calls.push_back({"environment", around + form()});
    calls.push_back({"secret", form() + around});
    calls.push_back({"readText", "/" + around + "/" + form()});
    calls.push_back({"writeText", directory + "/" + form(), form()});
    calls.push_back({"fetchText", "http://" + form() + ".example/" + form() + "?" + form()});
    calls.push_back({"fetchText", "https://" + form() + ":" + form() + "@a.example/"});
    calls.push_back({"fetchText",
                     "http://a.example/" + form(),
                     {{"method", form()}, {"headers", {{form(), form()}}}, {"body", form()}}});
    calls.push_back({"spawn", "/bin/" + form(), json::array({form()})});
  }
  return calls;
}

TEST_CASE("no secret shows in any sink, whatever a guest makes of it") {
  const auto seed = std::random_device{}();
  CAPTURE(seed);
  Random random(seed);
  const test::ScratchDirectory directory;
  std::filesystem::create_directory(directory / "out");
  std::vector<std::string> secrets;
  std::string topic;
  {
    RuntimeOptions options;
    options.audit.files = {directory / "log"};
    options.audit.databases = {directory / "db"};
    World world(options);
    const auto subscription = world.runtime.subscribe(
        [&](const SandboxAuditEvent& event) { topic += to_json(event) + "\n"; }, ~0ULL >> 1);
    for (int round = 0; round < kRounds; ++round) {
      const std::vector<std::string> mine = {random_secret(random), random_secret(random)};
      secrets.insert(secrets.end(), mine.begin(), mine.end());
      AISandboxOptions grants;
      grants.secrets = {{"ONE", mine[0]}, {"TWO", mine[1]}};
      grants.environment = {{"VALUE", mine[0]}};
      grants.filesystem.emplace().write = {directory / "out"};
      grants.network.emplace().origins = {"http://a.example"};
      grants.resources.max_operations = 1000;
      const json arguments = {random_calls(mine, directory / "out", random),
                              random_form(mine[0], random)};
      const Outcome outcome = world.run(kProgram, grants, arguments.dump());
      CHECK(outcome.status == Status::kError);
      CHECK(outcome.usage.operations >= std::uint64_t{kCallsEach} * 5);
    }
    check_clean("on_audit", world.all_event_text(), secrets);
  }
  check_clean("topic", topic, secrets);
  check_clean("file", directory.read("log"), secrets);
  check_clean("database", directory.read("db"), secrets);
  auto reader = EventReader::open(directory / "db");
  REQUIRE(reader.has_value());
  std::vector<SandboxAuditEvent> events;
  std::string rows, clouds;
  while (auto event = reader->next()) {
    rows += to_json(*event) + "\n";
    clouds += to_cloud_event(*event) + "\n";
    events.push_back(std::move(*event));
  }
  CHECK(events.size() > std::size_t{kRounds} * kCallsEach * 5);
  CHECK(rows == directory.read("log"));
  check_clean("rows", rows, secrets);
  check_clean("CloudEvents", clouds, secrets);
  check_clean("OTLP", to_otlp_logs(events), secrets);
  CHECK(rows.find("[redacted]") != std::string::npos);
}

}  // namespace
