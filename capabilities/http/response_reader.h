#pragma once
// From a server's bytes to a response. Hostile input: whatever arrives, in pieces of any size, it
// ends in a response or in a problem, and never holds more than the limits allow.
//
// Stricter than HTTP demands where leniency is how responses get smuggled: one framing only, CRLF
// line ends, chunked as the only transfer coding.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "capabilities/http/fetched_response.h"

namespace cordon {

enum class ResponseProblem : std::uint8_t {
  kMalformed,
  kTruncated,       // the connection ended first
  kHeaderTooLarge,  // header, chunk line or trailer
  kBodyTooLarge,
  kUnknownCoding,
  kOutOfMemory,  // the host is
};

class ResponseReader {
 public:
  struct Limits {
    std::size_t header_bytes = 0;
    std::uint64_t body_bytes = 0;
  };

  // `to_head`: the answer to a HEAD request, which has no body.
  ResponseReader(const Limits& limits, bool to_head);
  ~ResponseReader();
  ResponseReader(ResponseReader&&) noexcept;
  ResponseReader& operator=(ResponseReader&&) noexcept;

  // Takes bytes in order and returns how many it is through with: what is left must come again,
  // with more behind it. It is never more than the header limit. Not once is_done() or problem().
  std::size_t put(std::string_view bytes);
  // The server ended the connection in good order.
  void put_end();

  std::optional<ResponseProblem> problem() const noexcept;
  bool is_done() const noexcept;

  // Once is_done(): whether the server means to answer another request on this connection.
  bool keeps_alive() const;
  FetchedResponse take();

 private:
  class Parser;

  void begin_response();
  std::size_t put_some(std::string_view bytes);

  Limits limits_;
  bool to_head_;
  std::size_t header_bytes_ = 0;  // of all headers so far, informational ones included
  unsigned responses_ = 0;
  std::unique_ptr<Parser> parser_;
};

}  // namespace cordon
