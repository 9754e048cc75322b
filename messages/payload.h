#pragma once
// One Cap'n Proto message as an immutable, reference-counted block of words.
//
// Copies share the block, so a message crosses any number of actors without being copied. Every
// `read()` makes a reader of its own: traversal is counted per reader, and many threads may read
// one message at the same time. Thread-safe as an immutable value: distinct Payload objects may be
// used from distinct threads, one object may not be assigned while another thread uses it.

#include <capnp/message.h>
#include <capnp/serialize.h>

#include <atomic>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <utility>

namespace cordon {

// No message is ever larger; checked before anything is allocated.
inline constexpr std::size_t kMaxPayloadBytes = std::size_t{256} << 20;

class Payload {
 public:
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
    capnp::word* data() noexcept { return reinterpret_cast<capnp::word*>(this + 1); }

   private:
    explicit Block(std::size_t words) noexcept : words_(words) {}
    std::atomic<std::size_t> references_{1};
    std::size_t words_;
  };
  static_assert(sizeof(Block) % alignof(capnp::word) == 0);

  Block* block_ = nullptr;
};

// How far a reader may go: pointers that alias or repeat data cannot make it read more than four
// times the message, and nesting is bounded.
capnp::ReaderOptions reader_limits(std::size_t message_bytes);

// A payload whose root is known to be a `T`. read() and any step of reading a hostile one may throw
// kj::Exception: catch it where the bytes come from a child.
template <class T>
class Message : public Payload {
 public:
  class View {
   public:
    explicit View(const Message& message)
        : payload_(message),
          reader_(payload_.words(), reader_limits(payload_.bytes().size())),
          root_(reader_.template getRoot<T>()) {}
    View(const View&) = delete;
    View& operator=(const View&) = delete;
    const typename T::Reader* operator->() const noexcept { return &root_; }
    typename T::Reader operator*() const noexcept { return root_; }

   private:
    Payload payload_;
    capnp::FlatArrayMessageReader reader_;
    typename T::Reader root_;
  };

  Message() noexcept = default;
  explicit Message(Payload payload) noexcept : Payload(std::move(payload)) {}

  // The view keeps the bytes alive and must not leave the thread that made it.
  View read() const { return View(*this); }

  // `fill` gets the root's builder.
  template <class Fill>
  static Message build(Fill&& fill) {
    alignas(capnp::word) capnp::word scratch[kScratchWords] = {};
    capnp::MallocMessageBuilder builder(kj::arrayPtr(scratch, kScratchWords));
    std::forward<Fill>(fill)(builder.initRoot<T>());
    return Message(flatten(builder));
  }

 private:
  static constexpr std::size_t kScratchWords = 128;
};

}  // namespace cordon
