#include "capabilities/http/response_body.h"

#include <array>
#include <boost/algorithm/string/predicate.hpp>
#include <limits>
#include <locale>
#include <new>

namespace cordon {

namespace {

// Compressed text may be longer than plain text, but not by much: a server cannot send for ever
// what decodes to nothing.
std::uint64_t most_sent_bytes(ContentCoding coding, std::uint64_t max_bytes) {
  if (coding == ContentCoding::kIdentity) return max_bytes;
  const std::uint64_t overhead = max_bytes / 8 + 1024;
  return max_bytes > std::numeric_limits<std::uint64_t>::max() - overhead ? max_bytes
                                                                          : max_bytes + overhead;
}

}  // namespace

ContentCoding content_coding(std::string_view value) {
  const auto is = [&](std::string_view name) {
    return boost::algorithm::iequals(value, name, std::locale::classic());
  };
  if (value.empty() || is("identity")) return ContentCoding::kIdentity;
  if (is("gzip") || is("x-gzip") || is("deflate")) return ContentCoding::kDeflate;
  return ContentCoding::kUnknown;
}

ResponseBody::ResponseBody(ContentCoding coding, std::uint64_t max_bytes)
    : coding_(coding), max_bytes_(max_bytes), max_sent_bytes_(most_sent_bytes(coding, max_bytes)) {}

std::optional<ResponseBody::Problem> ResponseBody::append(std::string_view sent) {
  if (sent.empty()) return std::nullopt;
  if (cannot_hold(sent.size())) return Problem::kTooLarge;
  sent_bytes_ += sent.size();
  if (coding_ == ContentCoding::kUnknown) return Problem::kUnknownCoding;
  if (coding_ == ContentCoding::kDeflate) return inflate_all(sent);
  bytes_.append(sent);
  return std::nullopt;
}

std::optional<ResponseBody::Problem> ResponseBody::inflate_all(std::string_view sent) {
  constexpr int kZlibOrGzip = 15 + 32;
  if (!inflate_) {
    inflate_.reset(new z_stream{});
    if (inflateInit2(inflate_.get(), kZlibOrGzip) != Z_OK) throw std::bad_alloc();
  }
  std::array<unsigned char, 16384> piece;
  // zlib's interface has no const; it does not write to its input.
  inflate_->next_in = reinterpret_cast<unsigned char*>(const_cast<char*>(sent.data()));
  inflate_->avail_in = static_cast<unsigned>(sent.size());
  do {
    if (inflated_) return Problem::kMalformed;  // bytes after the end
    inflate_->next_out = piece.data();
    inflate_->avail_out = static_cast<unsigned>(piece.size());
    const int status = inflate(inflate_.get(), Z_NO_FLUSH);
    if (status == Z_BUF_ERROR) break;  // all read, and nothing more to give
    if (status != Z_OK && status != Z_STREAM_END) return Problem::kMalformed;
    inflated_ = status == Z_STREAM_END;
    const std::size_t count = piece.size() - inflate_->avail_out;
    if (count > max_bytes_ - bytes_.size()) return Problem::kTooLarge;
    bytes_.append(reinterpret_cast<const char*>(piece.data()), count);
    // A full piece may mean that there is more to come from the same input.
  } while (inflate_->avail_in != 0 || (inflate_->avail_out == 0 && !inflated_));
  return std::nullopt;
}

std::optional<ResponseBody::Problem> ResponseBody::finish() const {
  if (inflate_ && !inflated_) return Problem::kMalformed;
  return std::nullopt;
}

}  // namespace cordon
