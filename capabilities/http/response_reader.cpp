#include "capabilities/http/response_reader.h"

#include <algorithm>
#include <boost/algorithm/string/predicate.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <functional>
#include <locale>
#include <map>
#include <new>
#include <string>
#include <utility>

#include "capabilities/http/response_body.h"

namespace cordon {

namespace {

namespace http = boost::beast::http;

constexpr unsigned kMaxInformational = 8;

// "0\r\n\r\n". Beast's parser expects to see that much of a final chunk at once.
constexpr std::size_t kShortestChunkedEnd = 5;

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

// Header values are bytes; scripts see each as the character of that number.
std::string latin1_to_utf8(std::string_view value) {
  std::string out;
  out.reserve(value.size());
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      out += c;
    } else {
      out += static_cast<char>(0xC0 | byte >> 6);
      out += static_cast<char>(0x80 | (byte & 0x3F));
    }
  }
  return out;
}

ResponseProblem problem_of(ResponseBody::Problem problem) {
  switch (problem) {
    case ResponseBody::Problem::kTooLarge:
      return ResponseProblem::kBodyTooLarge;
    case ResponseBody::Problem::kMalformed:
      return ResponseProblem::kMalformed;
    case ResponseBody::Problem::kUnknownCoding:
      return ResponseProblem::kUnknownCoding;
  }
  return ResponseProblem::kMalformed;
}

}  // namespace

// One response, informational or final.
class ResponseReader::Parser final : public http::basic_parser<false> {
 public:
  Parser(const Limits& limits, bool to_head) : max_body_bytes_(limits.body_bytes) {
    skip(to_head);
    eager(false);             // so that we see where the header ends
    body_limit(boost::none);  // the body is counted here, after decoding
    header_limit(static_cast<std::uint32_t>(limits.header_bytes));
  }

  std::optional<ResponseProblem> problem() const noexcept { return problem_; }
  void stop(ResponseProblem problem) noexcept { problem_ = problem; }
  unsigned status() const noexcept { return status_; }

  FetchedResponse take() {
    FetchedResponse response;
    response.status = status_;
    for (auto& [name, value] : headers_) response.headers.push_back({name, std::move(value)});
    if (body_) response.body_bytes = body_->take();
    return response;
  }

 private:
  using Error = boost::beast::error_code;
  using Text = boost::beast::string_view;

  static std::string_view view(Text text) { return {text.data(), text.size()}; }

  void fail(ResponseProblem problem, Error& error) {
    problem_ = problem;
    error = http::error::bad_value;
  }

  void append(Text bytes, Error& error) {
    try {
      if (const auto problem = body_->append(view(bytes))) fail(problem_of(*problem), error);
    } catch (const std::bad_alloc&) {
      fail(ResponseProblem::kOutOfMemory, error);
    }
  }

  void on_request_impl(http::verb, Text, Text, int, Error&) override {}

  void on_response_impl(int status, Text, int version, Error& error) override {
    status_ = static_cast<unsigned>(status);
    version_ = version;
    // Nobody asked to switch protocols.
    if (status < 100 || status == 101) fail(ResponseProblem::kMalformed, error);
  }

  void on_field_impl(http::field field, Text name, Text value, Error& error) override {
    if (is_header_done()) return;  // trailers are nobody's business
    if (field == http::field::transfer_encoding &&
        (version_ < 11 ||
         !boost::algorithm::iequals(view(value), "chunked", std::locale::classic())))
      return fail(ResponseProblem::kMalformed, error);
    std::string text = latin1_to_utf8(view(value));
    const auto [known, is_new] = headers_.try_emplace(lower(view(name)), std::move(text));
    if (!is_new) known->second.append(", ").append(text);
  }

  void on_header_impl(Error&) override {
    const auto coding = headers_.find("content-encoding");
    body_.emplace(
        coding == headers_.end() ? ContentCoding::kIdentity : content_coding(coding->second),
        max_body_bytes_);
  }

  void on_body_init_impl(const boost::optional<std::uint64_t>& length, Error& error) override {
    if (length && body_->cannot_hold(*length)) fail(ResponseProblem::kBodyTooLarge, error);
  }

  std::size_t on_body_impl(Text bytes, Error& error) override {
    append(bytes, error);
    return bytes.size();
  }

  void on_chunk_header_impl(std::uint64_t size, Text, Error& error) override {
    if (body_->cannot_hold(size)) fail(ResponseProblem::kBodyTooLarge, error);
  }

  std::size_t on_chunk_body_impl(std::uint64_t, Text bytes, Error& error) override {
    append(bytes, error);
    return bytes.size();
  }

  void on_finish_impl(Error& error) override {
    if (const auto problem = body_->finish()) fail(problem_of(*problem), error);
  }

  std::uint64_t max_body_bytes_;
  unsigned status_ = 0;
  int version_ = 0;
  std::map<std::string, std::string, std::less<>> headers_;
  std::optional<ResponseBody> body_;
  std::optional<ResponseProblem> problem_;
};

ResponseReader::ResponseReader(const Limits& limits, bool to_head)
    : limits_(limits), to_head_(to_head) {
  begin_response();
}

ResponseReader::~ResponseReader() = default;
ResponseReader::ResponseReader(ResponseReader&&) noexcept = default;
ResponseReader& ResponseReader::operator=(ResponseReader&&) noexcept = default;

void ResponseReader::begin_response() {
  parser_ = std::make_unique<Parser>(limits_, to_head_);
  if (++responses_ > kMaxInformational + 1) parser_->stop(ResponseProblem::kMalformed);
}

std::size_t ResponseReader::put(std::string_view bytes) {
  std::size_t used = 0;
  while (used < bytes.size() && !problem() && !is_done()) {
    const std::size_t count = put_some(bytes.substr(used));
    used += count;
    if (parser_->is_done() && parser_->status() < 200 && !problem()) {
      begin_response();
    } else if (count == 0) {
      break;
    }
  }
  if (!problem() && !is_done() && bytes.size() - used >= limits_.header_bytes)
    parser_->stop(ResponseProblem::kHeaderTooLarge);
  return used;
}

// One step of the parser: a header or part of it, a chunk's line, a piece of the body.
std::size_t ResponseReader::put_some(std::string_view bytes) {
  boost::beast::error_code error;
  const bool in_header = !parser_->is_header_done();
  if (!in_header && parser_->chunked() && bytes.size() < kShortestChunkedEnd) return 0;
  const std::size_t used = parser_->put(boost::asio::buffer(bytes.data(), bytes.size()), error);
  if (in_header) header_bytes_ += used;
  if (header_bytes_ > limits_.header_bytes || error == http::error::header_limit) {
    parser_->stop(ResponseProblem::kHeaderTooLarge);
  } else if (error && error != http::error::need_more && !problem()) {
    parser_->stop(ResponseProblem::kMalformed);
  }
  return used;
}

void ResponseReader::put_end() {
  boost::beast::error_code error = http::error::partial_message;
  if (parser_->got_some()) parser_->put_eof(error);
  if (error && !problem()) parser_->stop(ResponseProblem::kTruncated);
}

std::optional<ResponseProblem> ResponseReader::problem() const noexcept {
  return parser_->problem();
}

bool ResponseReader::is_done() const noexcept {
  return parser_->is_done() && parser_->status() >= 200;
}

bool ResponseReader::keeps_alive() const { return parser_->keep_alive(); }

FetchedResponse ResponseReader::take() { return parser_->take(); }

}  // namespace cordon
