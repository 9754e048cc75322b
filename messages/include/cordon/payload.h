#pragma once
// One message between Cordon's actors as an immutable, reference-counted block of words.
//
// Copies share the block, so a message crosses any number of actors without being copied.
// Thread-safe as an immutable value: distinct Payload objects may be used from distinct threads,
// one object may not be assigned while another thread uses it.
//
// The encoding is Cap'n Proto's, which a service need not know: the functions of
// <cordon/actors.h> make and read the messages.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

namespace capnp {
class MessageBuilder;
class word;
}  // namespace capnp

namespace kj {
template <class T>
class ArrayPtr;
}  // namespace kj

namespace cordon {

// No message is ever larger; checked before anything is allocated.
inline constexpr std::size_t kMaxPayloadBytes = std::size_t{256} << 20;

class Payload {
 public:
  static constexpr std::size_t kWordBytes = 8;

  Payload() noexcept = default;
  Payload(const Payload& other) noexcept : block_(other.block_) {
    if (block_ != nullptr) block_->retain();
  }
  Payload(Payload&& other) noexcept : block_(std::exchange(other.block_, nullptr)) {}
  Payload& operator=(Payload other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~Payload() {
    if (block_ != nullptr) block_->release();
  }

  // The message that `builder` holds, in stream encoding.
  static Payload flatten(capnp::MessageBuilder& builder);

  // Room for `bytes` (a non-zero multiple of eight, at most kMaxPayloadBytes), to be filled through
  // mutable_bytes() before the payload is shared.
  static Payload uninitialised(std::size_t bytes);

  bool empty() const noexcept { return block_ == nullptr; }
  std::span<const std::byte> bytes() const noexcept;
  std::span<std::byte> mutable_bytes() noexcept;
  kj::ArrayPtr<const capnp::word> words() const noexcept;

  // The segment table fits and adds up to the length. Cheap; makes no promise about the pointers in
  // the segments, which Cap'n Proto checks as they are followed.
  bool has_sound_segment_table() const noexcept;

 private:
  class Block {
   public:
    static Block* make(std::size_t words);
    void retain() noexcept { references_.fetch_add(1, std::memory_order_relaxed); }
    void release() noexcept;
    std::size_t words() const noexcept { return words_; }
    std::uint64_t* data() noexcept { return reinterpret_cast<std::uint64_t*>(this + 1); }

    void shrink(std::size_t words) noexcept { words_ = words; }

   private:
    explicit Block(std::size_t words) noexcept : words_(words) {}
    std::atomic<std::size_t> references_{1};
    std::size_t words_;
  };
  static_assert(sizeof(Block) % kWordBytes == 0);

  friend class BlockBuilder;
  Block* block_ = nullptr;
};

template <class T>
class MessageView;  // messages/payload.h

// A payload whose root is known to be a `T`.
template <class T>
class Message : public Payload {
 public:
  Message() noexcept = default;
  explicit Message(Payload payload) noexcept : Payload(std::move(payload)) {}

  // The view keeps the bytes alive and must not leave the thread that made it. This and any step of
  // reading hostile bytes may throw kj::Exception: catch it where the bytes come from a child.
  MessageView<T> read() const;

  // `fill` gets the root's builder. For a large message `large_bytes` says how much text and data
  // it will hold, at least: it is then built where it stays, not copied there. The result is the
  // same.
  template <class Fill>
  static Message build(Fill&& fill, std::size_t large_bytes = 0);
};

}  // namespace cordon
