#pragma once
// The bytes of a response's body as they arrive: content coding removed, and never more of them
// than the limit, before or after decoding.
//
// No coding is asked for, yet some servers store their files compressed and send them as they are.

#include <zlib.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace cordon {

enum class ContentCoding : std::uint8_t { kIdentity, kDeflate, kUnknown };

// Of a content-encoding header's value; gzip counts as kDeflate.
ContentCoding content_coding(std::string_view value);

class ResponseBody {
 public:
  enum class Problem : std::uint8_t { kTooLarge, kMalformed, kUnknownCoding };

  ResponseBody(ContentCoding coding, std::uint64_t max_bytes);

  // None when all is well. After a problem the body is of no use.
  std::optional<Problem> append(std::string_view sent);
  std::optional<Problem> finish() const;
  // Whether so many bytes more, as sent, are certainly too many.
  bool cannot_hold(std::uint64_t sent) const noexcept {
    return sent > max_sent_bytes_ - sent_bytes_;
  }

  std::string take() { return std::move(bytes_); }

 private:
  struct EndInflate {
    void operator()(z_stream* stream) const noexcept {
      inflateEnd(stream);
      delete stream;
    }
  };

  std::optional<Problem> inflate_all(std::string_view sent);

  ContentCoding coding_;
  std::uint64_t max_bytes_;
  std::uint64_t max_sent_bytes_;
  std::uint64_t sent_bytes_ = 0;  // at most max_sent_bytes_
  std::string bytes_;
  std::unique_ptr<z_stream, EndInflate> inflate_;
  bool inflated_ = false;  // the compressed stream's end was seen
};

}  // namespace cordon
