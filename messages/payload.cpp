#include "messages/payload.h"

#include <kj/io.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

namespace cordon {

static_assert(sizeof(capnp::word) == Payload::kWordBytes);

namespace {

constexpr std::size_t kMaxSegments = 512;
constexpr int kMaxNesting = 32;
constexpr std::uint64_t kAmplification = 4;
constexpr std::size_t kWordsAroundText = 256;

}  // namespace

Payload::Block* Payload::Block::make(std::size_t words) {
  void* const memory = ::operator new(sizeof(Block) + words * sizeof(capnp::word));
  return new (memory) Block(words);
}

void Payload::Block::release() noexcept {
  if (references_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  this->~Block();
  ::operator delete(static_cast<void*>(this));
}

Payload Payload::flatten(capnp::MessageBuilder& builder) {
  Payload payload =
      uninitialised(capnp::computeSerializedSizeInWords(builder) * sizeof(capnp::word));
  const auto out = payload.mutable_bytes();
  kj::ArrayOutputStream stream(kj::arrayPtr(reinterpret_cast<kj::byte*>(out.data()), out.size()));
  capnp::writeMessage(stream, builder);
  return payload;
}

BlockBuilder::BlockBuilder(std::size_t bytes)
    : payload_(Payload::uninitialised((bytes / Payload::kWordBytes + 1 + kWordsAroundText) *
                                      Payload::kWordBytes)) {
  std::ranges::fill(payload_.mutable_bytes(), std::byte{});
}

kj::ArrayPtr<capnp::word> BlockBuilder::allocateSegment(unsigned minimum_words) {
  const auto bytes = payload_.mutable_bytes();
  auto* const words = reinterpret_cast<capnp::word*>(bytes.data());
  const std::size_t room = bytes.size() / Payload::kWordBytes - 1;  // behind the segment table
  if (!std::exchange(begun_, true) && minimum_words <= room) return kj::arrayPtr(words + 1, room);
  const std::size_t size = std::max<std::size_t>(minimum_words, kWordsAroundText);
  auto more = kj::heapArray<capnp::word>(size);
  std::memset(more.begin(), 0, size * sizeof(capnp::word));
  overflow_.push_back(std::move(more));
  return overflow_.back();
}

Payload BlockBuilder::finish() {
  if (!overflow_.empty()) return Payload::flatten(*this);
  const std::size_t words = getSegmentsForOutput()[0].size();
  // The table of one segment: how many there are beside the first, and its size.
  const std::uint32_t table[] = {0, static_cast<std::uint32_t>(words)};
  std::memcpy(payload_.mutable_bytes().data(), table, sizeof table);
  payload_.block_->shrink(1 + words);
  return std::exchange(payload_, Payload());
}

Payload Payload::uninitialised(std::size_t bytes) {
  Payload payload;
  payload.block_ = Block::make(bytes / sizeof(capnp::word));
  return payload;
}

std::span<const std::byte> Payload::bytes() const noexcept {
  if (block_ == nullptr) return {};
  return {reinterpret_cast<const std::byte*>(block_->data()),
          block_->words() * sizeof(capnp::word)};
}

std::span<std::byte> Payload::mutable_bytes() noexcept {
  if (block_ == nullptr) return {};
  return {reinterpret_cast<std::byte*>(block_->data()), block_->words() * sizeof(capnp::word)};
}

kj::ArrayPtr<const capnp::word> Payload::words() const noexcept {
  if (block_ == nullptr) return {};
  return kj::arrayPtr(reinterpret_cast<const capnp::word*>(block_->data()), block_->words());
}

bool Payload::has_sound_segment_table() const noexcept {
  const auto all = words();
  if (all.size() == 0) return false;
  const auto at = [base = bytes().data()](std::size_t index) {
    std::uint32_t value = 0;
    std::memcpy(&value, base + index * sizeof value, sizeof value);
    return value;
  };
  const std::uint64_t segments = std::uint64_t{at(0)} + 1;
  if (segments > kMaxSegments) return false;
  const std::uint64_t table_words = segments / 2 + 1;
  if (table_words > all.size()) return false;
  std::uint64_t total = table_words;
  for (std::uint64_t i = 0; i < segments; ++i) total += at(1 + i);
  return total == all.size();
}

capnp::ReaderOptions reader_limits(std::size_t message_bytes) {
  capnp::ReaderOptions options;
  options.traversalLimitInWords = message_bytes / sizeof(capnp::word) * kAmplification + 64;
  options.nestingLimit = kMaxNesting;
  return options;
}

}  // namespace cordon
