#include "messages/payload.h"

#include <kj/io.h>

#include <cstdint>
#include <new>

namespace cordon {

static_assert(sizeof(capnp::word) == Payload::kWordBytes);

namespace {

constexpr std::size_t kMaxSegments = 512;
constexpr int kMaxNesting = 32;
constexpr std::uint64_t kAmplification = 4;

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
