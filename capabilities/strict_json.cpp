#include "capabilities/strict_json.h"

#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace cordon {

namespace {

using nlohmann::json;
using Kind = StrictJsonError::Kind;

// Sees every token once, before anything is built. (A callback of json::parse would see them as
// well, but with it nlohmann-json goes through a whole array after each of its objects.)
class Judge final : public nlohmann::json_sax<json> {
 public:
  explicit Judge(std::size_t max_depth) : max_depth_(max_depth) {}
  const std::optional<StrictJsonError>& error() const noexcept { return error_; }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }

  bool start_object(std::size_t) override { return enter(); }
  bool end_object() override { return leave(); }
  bool start_array(std::size_t) override { return enter(); }
  bool end_array() override { return leave(); }
  bool key(string_t& key) override {
    return keys_.back().insert(key).second || fail({Kind::kRepeatedKey, 0, key});
  }

  bool parse_error(std::size_t byte, const std::string&,
                   const nlohmann::detail::exception& error) override {
    const bool number = dynamic_cast<const json::out_of_range*>(&error) != nullptr;
    return fail({number ? Kind::kNumber : Kind::kSyntax, byte, {}});
  }

 private:
  bool enter() {
    keys_.emplace_back();
    return keys_.size() <= max_depth_ || fail({Kind::kTooDeep, 0, {}});
  }
  bool leave() {
    keys_.pop_back();
    return true;
  }
  bool fail(StrictJsonError error) {
    error_ = std::move(error);
    return false;
  }

  const std::size_t max_depth_;
  std::vector<std::set<std::string>> keys_;  // of each object or array that is open
  std::optional<StrictJsonError> error_;
};

}  // namespace

Result<json, StrictJsonError> parse_strict_json(std::string_view text, std::size_t max_depth) {
  Judge judge(max_depth);
  json::sax_parse(text, &judge);
  // In place, since JSON converts to and from nearly anything.
  if (judge.error()) return {boost::system::in_place_error, *judge.error()};
  return {boost::system::in_place_value, json::parse(text)};
}

}  // namespace cordon
