// Values that cross between host and guest.

#include <cordon/value.h>

#include <memory>

#include "actors/json_text.h"
#include "benchmarks/paths/path.h"

namespace cordon::paths {
namespace {

// Some 20 KB: objects, strings with escapes, numbers of all kinds.
const std::string& text() {
  static const std::string json = [] {
    std::string list = "[";
    for (int i = 0; i < 200; ++i) {
      const std::string number = std::to_string(i);
      if (i > 0) list += ',';
      list += R"({"id":)" + number + R"(,"name":"item )" + number;
      list += R"(","note":"a quote \" and an é","values":[)" + number;
      list += R"(,0.3333333333333333,true,null,{"$num":"NaN"}]})";
    }
    return list + "]";
  }();
  return json;
}

Work check() {
  expect(!find_json_error(text()), "no JSON");
  return [] { keep(find_json_error(text())); };
}

Work view() {
  const Value value = Value::from_json(text());
  expect(value.view().size() == 200, "the view lacks something");
  return [value] { keep(value.view()); };
}

Work write() {
  const auto view = std::make_shared<const nlohmann::json>(nlohmann::json::parse(text()));
  expect(Value::from(*view).view() == *view, "what is written reads differently");
  return [view] { keep(Value::from(*view)); };
}

}  // namespace

std::vector<Path> value_paths() {
  return {
      {"value/check", 60, check},
      {"value/view", 12, view},
      {"value/write", 40, write},
  };
}

}  // namespace cordon::paths
