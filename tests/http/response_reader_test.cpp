#include "capabilities/http/response_reader.h"

#include <zlib.h>

#include <catch2/catch.hpp>
#include <optional>
#include <random>
#include <string>
#include <vector>

using namespace cordon;

namespace {

constexpr ResponseReader::Limits kLimits{.header_bytes = 1024, .body_bytes = 100};

// What a connection does with a reader.
struct Outcome {
  std::optional<FetchedResponse> response;
  std::optional<ResponseProblem> problem;  // neither: more is needed
  bool clean = false;                      // could be followed by another response
};

Outcome read(const std::string& bytes, std::size_t piece, bool ends, bool to_head = false,
             const ResponseReader::Limits& limits = kLimits) {
  ResponseReader reader(limits, to_head);
  std::string pending;
  std::size_t at = 0;
  while (at < bytes.size() && !reader.problem() && !reader.is_done()) {
    const std::string more = bytes.substr(at, piece);
    at += more.size();
    pending += more;
    pending.erase(0, reader.put(pending));
    REQUIRE(pending.size() <= limits.header_bytes + piece);
  }
  if (ends && !reader.problem() && !reader.is_done()) reader.put_end();
  if (reader.problem()) return {std::nullopt, reader.problem(), false};
  if (!reader.is_done()) return {};
  const bool clean = reader.keeps_alive() && pending.empty() && at == bytes.size();
  return {reader.take(), std::nullopt, clean};
}

// The same whether it comes at once or in single bytes.
Outcome read(const std::string& bytes, bool ends = true, bool to_head = false) {
  const Outcome whole = read(bytes, bytes.size(), ends, to_head);
  const Outcome bytewise = read(bytes, 1, ends, to_head);
  // Of several problems, which one is met first may depend on the pieces.
  CHECK(whole.problem.has_value() == bytewise.problem.has_value());
  CHECK(whole.response.has_value() == bytewise.response.has_value());
  if (whole.response && bytewise.response) {
    CHECK(whole.response->status == bytewise.response->status);
    CHECK(whole.response->headers == bytewise.response->headers);
    CHECK(whole.response->body_bytes == bytewise.response->body_bytes);
  }
  return whole;
}

std::string body_of(const std::string& bytes) {
  const Outcome outcome = read(bytes);
  INFO(bytes);
  REQUIRE(outcome.response);
  return outcome.response->body_bytes;
}

std::string header_of(const Outcome& outcome, const std::string& name) {
  REQUIRE(outcome.response);
  for (const HttpHeader& header : outcome.response->headers) {
    if (header.name == name) return header.value;
  }
  return "(none)";
}

std::string compressed(const std::string& text, int window_bits) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, 9, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string input = text;
  std::string out(deflateBound(&stream, static_cast<uLong>(text.size())) + 32, '\0');
  stream.next_in = reinterpret_cast<unsigned char*>(input.data());
  stream.avail_in = static_cast<unsigned>(input.size());
  stream.next_out = reinterpret_cast<unsigned char*>(out.data());
  stream.avail_out = static_cast<unsigned>(out.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string gzip(const std::string& text) { return compressed(text, 15 + 16); }

std::string coded(const std::string& coding, const std::string& body) {
  return "HTTP/1.1 200 OK\r\nContent-Encoding: " + coding +
         "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

}  // namespace

TEST_CASE("A body ends with its length, its last chunk or its connection") {
  CHECK(body_of("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello") == "hello");
  CHECK(body_of("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").empty());
  CHECK(body_of("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                "3\r\nhel\r\n2;ext=\"1\"\r\nlo\r\n0\r\n\r\n") == "hello");
  CHECK(body_of("HTTP/1.1 200 OK\r\nTransfer-Encoding: CHUNKED\r\n\r\n0\r\n\r\n").empty());
  CHECK(body_of("HTTP/1.1 200 OK\r\n\r\nhello") == "hello");
  CHECK(body_of("HTTP/1.0 200 OK\r\n\r\nhello") == "hello");
  CHECK(body_of("HTTP/1.1 200 \r\n\r\n").empty());
}

TEST_CASE("Only a response that ends by itself leaves the connection usable") {
  CHECK(read("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi").clean);
  CHECK(read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n").clean);
  CHECK(read("HTTP/1.1 204 No Content\r\n\r\n").clean);
  CHECK_FALSE(read("HTTP/1.1 200 OK\r\n\r\nhi").clean);
  CHECK_FALSE(read("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi").clean);
  CHECK_FALSE(read("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi").clean);
  CHECK_FALSE(read("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhiHTTP/1.1 200 OK\r\n").clean);
  CHECK_FALSE(read("HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nhi").clean);
}

TEST_CASE("Header names are lower case, repeated ones joined, values text") {
  const Outcome outcome = read(
      "HTTP/1.1 418 I'm a teapot\r\nX-B: 1\r\nx-a:  caf\xE9\t\r\nX-b:\r\nX-B: 3\r\n"
      "X-Fold: a\r\n  b\r\nContent-Length: 0\r\n\r\n");
  REQUIRE(outcome.response);
  CHECK(outcome.response->status == 418);
  CHECK(outcome.response->headers ==
        std::vector<HttpHeader>{
            {"content-length", "0"}, {"x-a", "caf\xC3\xA9"}, {"x-b", "1, , 3"}, {"x-fold", "a b"}});
}

TEST_CASE("Trailers are read and forgotten") {
  const Outcome outcome = read(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-A: 1\r\n\r\n"
      "2\r\nhi\r\n0\r\nX-A: 2\r\nX-T: 3\r\n\r\n");
  CHECK(header_of(outcome, "x-a") == "1");
  CHECK(header_of(outcome, "x-t") == "(none)");
  CHECK(outcome.clean);
}

TEST_CASE("Answers without a body have none, whatever their header says") {
  const std::string header = "Content-Length: 1000\r\n\r\n";
  const Outcome head = read("HTTP/1.1 200 OK\r\n" + header, false, true);
  REQUIRE(head.response);
  CHECK(head.response->body_bytes.empty());
  CHECK(header_of(head, "content-length") == "1000");
  CHECK(head.clean);
  CHECK(read("HTTP/1.1 304 Not Modified\r\n" + header, false).clean);
  CHECK(read("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", false, true).clean);
}

TEST_CASE("Informational responses are skipped, a few of them") {
  const std::string one = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
  const std::string end = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";
  const Outcome outcome = read("HTTP/1.1 100 Continue\r\n\r\n" + one + end);
  CHECK(header_of(outcome, "link") == "(none)");
  CHECK(outcome.response->body_bytes == "hi");
  CHECK(outcome.clean);

  std::string eight, nine;
  for (int i = 0; i < 8; ++i) eight += one;
  nine = eight + one;
  CHECK(read(eight + end).response);
  CHECK(read(nine + end).problem == ResponseProblem::kMalformed);
  CHECK(read("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n").problem ==
        ResponseProblem::kMalformed);
}

TEST_CASE("What is not strictly HTTP/1 is malformed") {
  const auto* const bytes = GENERATE(
      "hello\r\n\r\n", "HTTP/2 200 OK\r\n\r\n", "HTTP/1.1  200 OK\r\n\r\n",
      "HTTP/1.1 2x0 OK\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 099 OK\r\n\r\n",
      "HTTP/1.1 200 OK\nA: b\n\n", "\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 O\x01K\r\n\r\n",
      // headers
      "HTTP/1.1 200 OK\r\nA b: c\r\n\r\n", "HTTP/1.1 200 OK\r\nA : c\r\n\r\n",
      "HTTP/1.1 200 OK\r\n: c\r\n\r\n", "HTTP/1.1 200 OK\r\nnothing\r\n\r\n",
      "HTTP/1.1 200 OK\r\nA: b\x01\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b\x7F\r\n\r\n",
      "HTTP/1.1 200 OK\r\nA: b\rc\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b\nB: c\r\n\r\n",
      // one framing only
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nhi",
      "HTTP/1.1 200 OK\r\nContent-Length: 2, 3\r\n\r\nhi",
      "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nhi",
      "HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\nhi",
      "HTTP/1.1 200 OK\r\nContent-Length: 0x2\r\n\r\nhi",
      "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\nhi",
      "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nhi",
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: "
      "chunked\r\n\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\nhi",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
      "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      // chunks
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\nhi\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\nhi\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0x2\r\nhi\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2 x\r\nhi\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nhi\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n10000000000000000\r\nhi",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\nhi\n0\n\n\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nContent-Length: 2\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nnothing\r\n\r\n");
  INFO(bytes);
  CHECK(read(bytes).problem == ResponseProblem::kMalformed);
}

TEST_CASE("A NUL is malformed wherever it stands") {
  const std::string response = "HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 0\r\n\r\n";
  for (std::size_t at = 0; at < response.size(); ++at) {
    std::string bytes = response;
    bytes[at] = '\0';
    INFO(at);
    CHECK(read(bytes).problem == ResponseProblem::kMalformed);
  }
}

TEST_CASE("The same length said twice is one length") {
  CHECK(body_of("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nhi") == "hi");
  CHECK(body_of("HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nhi") == "hi");
}

TEST_CASE("A response that ends early is truncated, at every byte of it") {
  const std::string response = GENERATE(
      as<std::string>(), "HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 5\r\n\r\nhello",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nA: b\r\n\r\n",
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  for (std::size_t size = 0; size < response.size(); ++size) {
    INFO(size);
    CHECK(read(response.substr(0, size)).problem == ResponseProblem::kTruncated);
    const Outcome waiting = read(response.substr(0, size), false);
    CHECK_FALSE(waiting.problem);
    CHECK_FALSE(waiting.response);
  }
  CHECK(read(response, false).response);
}

TEST_CASE("Headers have a limit, in all and with what comes before them") {
  const auto with_header = [](std::size_t size) {
    std::string text = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nA: ";
    text.append(size - text.size() - 4, 'a').append("\r\n\r\n");
    return text;
  };
  CHECK(read(with_header(kLimits.header_bytes - 1)).response);
  CHECK(read(with_header(kLimits.header_bytes + 1)).problem == ResponseProblem::kHeaderTooLarge);

  std::string many = "HTTP/1.1 200 OK\r\n";
  for (int i = 0; i < 300; ++i) many += "A:\r\n";
  CHECK(read(many, false).problem == ResponseProblem::kHeaderTooLarge);

  // A line that pads itself with space that no value keeps.
  std::string padded = "HTTP/1.1 200 OK\r\n";
  for (int i = 0; i < 10; ++i) padded += "A:" + std::string(200, ' ') + "\r\n";
  CHECK(read(padded, false).problem == ResponseProblem::kHeaderTooLarge);

  CHECK(read("HTTP/1.1 200 " + std::string(2000, 'O'), false).problem ==
        ResponseProblem::kHeaderTooLarge);
}

TEST_CASE("Chunk lines and trailers have the same limit") {
  const std::string header = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  const std::string fill(2000, 'a');
  CHECK(read(header + "2;" + fill, false).problem == ResponseProblem::kHeaderTooLarge);
  CHECK(read(header + "0\r\nA: " + fill, false).problem == ResponseProblem::kHeaderTooLarge);
  CHECK(read(header + std::string(2000, '0'), false).problem == ResponseProblem::kHeaderTooLarge);
}

TEST_CASE("A body may be as large as the limit, in each framing, and no larger") {
  const std::string full(kLimits.body_bytes, 'x');
  const std::string length = "HTTP/1.1 200 OK\r\nContent-Length: ";
  const std::string chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  CHECK(body_of(length + "100\r\n\r\n" + full) == full);
  CHECK(body_of(chunked + "64\r\n" + full + "\r\n0\r\n\r\n") == full);
  CHECK(body_of("HTTP/1.1 200 OK\r\n\r\n" + full) == full);

  // Told in advance, it is refused before it comes.
  CHECK(read(length + "101\r\n\r\nx", false).problem == ResponseProblem::kBodyTooLarge);
  CHECK(read(length + "18446744073709551615\r\n\r\nx", false).problem ==
        ResponseProblem::kBodyTooLarge);
  CHECK(read(chunked + "65\r\nxx", false).problem == ResponseProblem::kBodyTooLarge);
  CHECK(read(chunked + "ffffffffffffffff\r\nx", false).problem == ResponseProblem::kBodyTooLarge);
  CHECK(read(chunked + "64\r\n" + full + "\r\n1\r\nx\r\n", false).problem ==
        ResponseProblem::kBodyTooLarge);
  CHECK(read("HTTP/1.1 200 OK\r\n\r\n" + full + "x", false).problem ==
        ResponseProblem::kBodyTooLarge);
}

TEST_CASE("A compressed body is decoded, and its limit holds for what comes out") {
  const std::string text(kLimits.body_bytes, 'z');
  CHECK(body_of(coded("gzip", gzip("hello"))) == "hello");
  CHECK(body_of(coded("X-GZIP", gzip(""))).empty());
  CHECK(body_of(coded("deflate", compressed("hello", 15))) == "hello");
  CHECK(body_of(coded("identity", "hello")) == "hello");
  CHECK(body_of(coded("gzip", gzip(text))) == text);
  CHECK(body_of("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + gzip(text)) == text);
  CHECK(body_of(coded("gzip", "")).empty());

  CHECK(read(coded("gzip", gzip(text + "z"))).problem == ResponseProblem::kBodyTooLarge);
  CHECK(read(coded("gzip", gzip(std::string(10'000'000, 'z')).substr(0, 1000))).problem ==
        ResponseProblem::kBodyTooLarge);
}

TEST_CASE("A compressed body that is damaged, cut, padded or of another kind is a problem") {
  const std::string good = gzip("hello, hello, hello");
  std::string damaged = good;
  damaged[damaged.size() - 6] ^= 1;  // its checksum
  CHECK(read(coded("gzip", damaged)).problem == ResponseProblem::kMalformed);
  CHECK(read(coded("gzip", good.substr(0, good.size() - 1))).problem ==
        ResponseProblem::kMalformed);
  CHECK(read(coded("gzip", good + "x")).problem == ResponseProblem::kMalformed);
  CHECK(read(coded("gzip", "hello")).problem == ResponseProblem::kMalformed);
  CHECK(read(coded("br", "hello")).problem == ResponseProblem::kUnknownCoding);
  CHECK(read(coded("gzip, gzip", good)).problem == ResponseProblem::kUnknownCoding);
  CHECK(read(coded("br", "")).response);
}

TEST_CASE("What decodes to nothing cannot be sent for ever") {
  // An endless run of empty stored blocks.
  std::string bytes = gzip("").substr(0, 10);
  for (int i = 0; i < 1000; ++i) bytes.append("\0\0\0\xFF\xFF", 5);
  CHECK(read("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + bytes, false).problem ==
        ResponseProblem::kBodyTooLarge);
}

TEST_CASE("Damaged responses, cut in any way, end alike and within the limits") {
  const std::vector<std::string> seeds = {
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nA: b\r\n\r\nhello",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\nhel\r\n2\r\nlo\r\n0\r\nT: "
      "u\r\n\r\n",
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 404 Not Found\r\nA: b\r\n c\r\n\r\nhello",
      coded("gzip", gzip("hello, hello")),
  };
  constexpr std::string_view kBytes("\r\n :;,\t0159aAfF-+\x00\x7F\xFF", 20);
  std::mt19937 random(20240229);
  const auto below = [&](std::size_t end) { return random() % end; };
  for (int round = 0; round < 4000; ++round) {
    std::string bytes = seeds[below(seeds.size())];
    for (std::size_t edits = 1 + below(4); edits != 0; --edits) {
      const std::size_t at = below(bytes.size());
      switch (below(4)) {
        case 0:
          bytes[at] = kBytes[below(kBytes.size())];
          break;
        case 1:
          bytes.insert(at, 1 + below(3), kBytes[below(kBytes.size())]);
          break;
        case 2:
          bytes.erase(at, 1 + below(4));
          break;
        default:
          bytes.insert(at, bytes.substr(below(bytes.size()), below(20)));
          break;
      }
      if (bytes.empty()) bytes = "x";
    }
    INFO(round);
    const Outcome whole = read(bytes, bytes.size(), true);
    const Outcome pieces = read(bytes, 1 + below(7), true);
    CHECK(whole.problem.has_value() == pieces.problem.has_value());
    REQUIRE(whole.response.has_value() == pieces.response.has_value());
    if (!whole.response) continue;
    CHECK(whole.response->body_bytes == pieces.response->body_bytes);
    CHECK(whole.response->headers == pieces.response->headers);
    CHECK(whole.response->body_bytes.size() <= kLimits.body_bytes);
  }
}
