#pragma once
// What a payload holds, read and built with Cap'n Proto.
//
// Every `read()` makes a reader of its own: traversal is counted per reader, and many threads may
// read one message at the same time.

#include <capnp/message.h>
#include <capnp/serialize.h>

#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <cordon/payload.h>

namespace cordon {

// How far a reader may go: pointers that alias or repeat data cannot make it read more than four
// times the message, and nesting is bounded.
capnp::ReaderOptions reader_limits(std::size_t message_bytes);

// Builds a message in the block of a payload. What does not fit there goes elsewhere, and all of it
// is copied in the end.
class BlockBuilder final : public capnp::MessageBuilder {
 public:
  // Of text and data; the words around them have room as well.
  explicit BlockBuilder(std::size_t bytes);

  kj::ArrayPtr<capnp::word> allocateSegment(unsigned minimum_words) override;
  Payload finish();

 private:
  Payload payload_;
  std::vector<kj::Array<capnp::word>> overflow_;
  bool begun_ = false;
};

template <class T>
class MessageView {
 public:
  explicit MessageView(const Message<T>& message)
      : payload_(message),
        reader_(payload_.words(), reader_limits(payload_.bytes().size())),
        root_(reader_.template getRoot<T>()) {}
  MessageView(const MessageView&) = delete;
  MessageView& operator=(const MessageView&) = delete;
  const typename T::Reader* operator->() const noexcept { return &root_; }
  typename T::Reader operator*() const noexcept { return root_; }

 private:
  Payload payload_;
  capnp::FlatArrayMessageReader reader_;
  typename T::Reader root_;
};

template <class T>
MessageView<T> Message<T>::read() const {
  return MessageView<T>(*this);
}

template <class T>
template <class Fill>
Message<T> Message<T>::build(Fill&& fill, std::size_t large_bytes) {
  constexpr std::size_t kScratchWords = 128;
  if (large_bytes > kScratchWords * kWordBytes) {
    BlockBuilder builder(large_bytes);
    std::forward<Fill>(fill)(builder.template initRoot<T>());
    return Message(builder.finish());
  }
  alignas(capnp::word) capnp::word scratch[kScratchWords] = {};
  capnp::MallocMessageBuilder builder(kj::arrayPtr(scratch, kScratchWords));
  std::forward<Fill>(fill)(builder.template initRoot<T>());
  return Message(flatten(builder));
}

}  // namespace cordon
