#include "actors/compile/source_map.h"

#include <algorithm>
#include <array>
#include <limits>

#include <nlohmann/json.hpp>

namespace cordon {
namespace {

// A map of more segments (12 bytes each) is not worth its memory. A source of a megabyte has about
// a quarter of that.
constexpr std::size_t kMaxSegments = 2'000'000;
constexpr std::size_t kMaxLines = 4'000'000;
constexpr std::int64_t kMaxPosition = std::numeric_limits<std::int32_t>::max();

// Takes what matters from the map's JSON and builds nothing else, so that a map's shape costs no
// memory.
class MapFields : public nlohmann::json::json_sax_t {
 public:
  std::string mappings;
  bool has_mappings = false;
  bool is_version_3 = false;
  std::size_t sources = 0;

  bool key(string_t& name) override {
    if (depth_ == 1) key_ = name;
    return true;
  }
  bool string(string_t& value) override {
    if (depth_ == 1 && key_ == "mappings") {
      if (has_mappings) return false;
      mappings = std::move(value);
      has_mappings = true;
    } else if (depth_ == 2 && key_ == "sources") {
      ++sources;
    }
    return true;
  }
  bool number_unsigned(number_unsigned_t value) override {
    if (depth_ == 1 && key_ == "version") is_version_3 = value == 3;
    return true;
  }
  bool start_object(std::size_t) override {
    ++depth_;
    return true;
  }
  bool end_object() override {
    --depth_;
    return true;
  }
  bool start_array(std::size_t) override {
    ++depth_;
    return true;
  }
  bool end_array() override {
    --depth_;
    return true;
  }
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
    return false;
  }

 private:
  std::size_t depth_ = 0;
  std::string key_;
};

constexpr std::array<std::int8_t, 256> make_base64_digits() {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::array<std::int8_t, 256> digits{};
  digits.fill(-1);
  for (std::size_t i = 0; i < kAlphabet.size(); ++i) {
    digits[static_cast<unsigned char>(kAlphabet[i])] = static_cast<std::int8_t>(i);
  }
  return digits;
}
constexpr std::array<std::int8_t, 256> kBase64Digits = make_base64_digits();

// The numbers of one segment, base64 VLQ: five bits a digit, the sixth says that more follow, the
// lowest of all is the sign.
class Mappings {
 public:
  explicit Mappings(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }
  char peek() const { return rest_.front(); }
  void pop() { rest_.remove_prefix(1); }
  bool at_number() const { return !at_end() && peek() != ',' && peek() != ';'; }

  std::optional<std::int64_t> number() {
    std::int64_t value = 0;
    for (int shift = 0; shift <= 30 && !at_end(); shift += 5) {
      const std::int8_t digit = kBase64Digits[static_cast<unsigned char>(peek())];
      if (digit < 0) return std::nullopt;
      pop();
      value |= std::int64_t{digit & 31} << shift;
      if ((digit & 32) == 0) return (value & 1) != 0 ? -(value >> 1) : value >> 1;
    }
    return std::nullopt;
  }

 private:
  std::string_view rest_;
};

bool in_range(std::int64_t value) { return value >= 0 && value <= kMaxPosition; }

}  // namespace

bool SourceMap::read_mappings(std::string_view text) {
  Mappings in(text);
  std::int64_t generated = 0;
  std::int64_t source = 0;
  std::int64_t line = 0;
  std::int64_t column = 0;
  line_starts_.push_back(0);
  while (!in.at_end()) {
    if (in.peek() == ';') {
      in.pop();
      generated = 0;
      if (line_starts_.size() == kMaxLines) return false;
      line_starts_.push_back(static_cast<std::uint32_t>(segments_.size()));
      continue;
    }
    if (in.peek() == ',') {
      in.pop();
      continue;
    }
    std::array<std::int64_t, 5> fields{};
    std::size_t count = 0;
    while (in.at_number()) {
      const std::optional<std::int64_t> value = in.number();
      if (!value || count == fields.size()) return false;
      fields[count++] = *value;
    }
    // Esbuild writes them in order; another order would be a forgery that breaks the search.
    if (fields[0] < 0 && segments_.size() > line_starts_.back()) return false;
    generated += fields[0];
    if (!in_range(generated) || segments_.size() == kMaxSegments) return false;
    Segment segment{static_cast<std::uint32_t>(generated), kUnmapped, 0};
    if (count == 4 || count == 5) {
      source += fields[1];
      line += fields[2];
      column += fields[3];
      if (source != 0 || !in_range(line) || !in_range(column)) return false;
      segment.line = static_cast<std::uint32_t>(line);
      segment.column = static_cast<std::uint32_t>(column);
    } else if (count != 1) {
      return false;
    }
    segments_.push_back(segment);
  }
  return true;
}

std::shared_ptr<const SourceMap> SourceMap::parse(std::string_view json) {
  MapFields fields;
  if (!nlohmann::json::sax_parse(json, &fields)) return nullptr;
  if (!fields.has_mappings || !fields.is_version_3 || fields.sources != 1) return nullptr;
  auto map = std::make_shared<SourceMap>(Private{});
  if (!map->read_mappings(fields.mappings)) return nullptr;
  map->line_starts_.shrink_to_fit();
  map->segments_.shrink_to_fit();
  return map;
}

std::optional<SourcePosition> SourceMap::original(SourcePosition generated) const {
  if (generated.line == 0 || generated.column == 0 || generated.line > line_starts_.size()) {
    return std::nullopt;
  }
  const auto at = [this](std::size_t index) {
    return segments_.begin() + static_cast<std::ptrdiff_t>(index);
  };
  const auto first = at(line_starts_[generated.line - 1]);
  const auto last =
      generated.line == line_starts_.size() ? segments_.end() : at(line_starts_[generated.line]);
  const auto after = std::upper_bound(
      first, last, generated.column - 1,
      [](std::uint32_t column, const Segment& s) { return column < s.generated_column; });
  if (after == first) return std::nullopt;
  const Segment& found = *std::prev(after);
  if (found.line == kUnmapped) return std::nullopt;
  return SourcePosition{found.line + 1, found.column + 1};
}

}  // namespace cordon
