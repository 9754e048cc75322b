#include "tests/cases/runner/expectation.h"

#include <algorithm>

#include "tests/cases/runner/pattern.h"
#include "tests/cases/runner/tagged.h"

namespace cordon::cases {

namespace {

void require_known(const Json& expect) {
  require_keys(expect,
               {"any_of", "ok", "result", "result_match", "result_re", "result_not_re",
                "result_max_bytes", "error_kind", "message_re", "message_not_re", "message_max",
                "capability", "target", "not_instance_of", "constructor_throws"},
               "expect");
  if (expect.empty()) throw Unknown("an expectation of nothing");
  if (expect.contains("any_of")) {
    if (!expect["any_of"].is_array() || expect["any_of"].empty()) throw Unknown("an empty any_of");
    for (const Json& member : expect["any_of"]) require_known(member);
  }
  const bool on_result = expect.contains("result") || expect.contains("result_match") ||
                         expect.contains("result_re") || expect.contains("result_not_re") ||
                         expect.contains("result_max_bytes");
  if (on_result && !expect.value("ok", false))
    throw Unknown("an expectation about the result without ok: true");
  for (const char* flag : {"ok", "constructor_throws"}) {
    if (expect.contains(flag) && !expect[flag].is_boolean())
      throw Unknown(std::string(flag) + ": " + json_text(expect[flag]));
  }
}

std::size_t characters(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

class Check {
 public:
  Check(const Json& expect, const Json& outcome) : expect_(expect), outcome_(outcome) {}

  Problems problems() {
    if (expect_.contains("any_of")) any_of();
    constructor();
    if (expect_.contains("ok")) {
      require(outcome_.value("ok", false) == expect_["ok"].get<bool>(),
              expect_["ok"] == true ? "a result" : "an error");
    }
    if (outcome_.value("ok", false)) {
      result();
    }
    error();
    return std::move(problems_);
  }

 private:
  void require(bool holds, const std::string& expected) {
    if (!holds) problems_.push_back("expected " + expected);
  }

  void any_of() {
    Problems all;
    for (const Json& member : expect_["any_of"]) {
      const Problems each = check_expectation(member, outcome_);
      if (each.empty()) return;
      for (const std::string& problem : each) all.push_back("any_of: " + problem);
    }
    problems_.insert(problems_.end(), all.begin(), all.end());
  }

  void constructor() {
    const bool threw = outcome_.contains("constructor");
    if (expect_.contains("any_of")) return;
    const bool wanted = expect_.value("constructor_throws", false);
    require(threw == wanted, wanted ? "the constructor to throw" : "the constructor not to throw");
  }

  void result() {
    if (!expect_.contains("ok")) return;
    const std::string text = outcome_["result"];
    const Json result = parse_json(text);
    for (const char* name : {"result", "result_match"}) {
      if (!expect_.contains(name)) continue;
      const Json wanted = without_json_tags(expect_[name]);
      require(equals(wanted, result, name != std::string("result")),
              std::string(name) + " " + json_text(wanted));
    }
    pattern("result_re", text, true);
    pattern("result_not_re", text, false);
    if (expect_.contains("result_max_bytes"))
      require(static_cast<double>(text.size()) <=
                  number_of(expect_["result_max_bytes"], "result_max_bytes"),
              "result_max_bytes " + json_text(expect_["result_max_bytes"]));
  }

  void pattern(const char* name, const std::string& text, bool wanted) {
    if (!expect_.contains(name)) return;
    const std::string regex = text_of(expect_[name], name);
    require(matches(regex, text) == wanted, std::string(name) + " /" + regex + "/");
  }

  void error() {
    if (expect_.contains("error_kind")) kind();
    if (expect_.contains("not_instance_of"))
      for (const std::string& name : texts_of(expect_["not_instance_of"], "not_instance_of"))
        require(outcome_.value("ok", false) || outcome_.value("name", "") != name,
                "an error that is no " + name);
    const bool about_message = expect_.contains("message_re") ||
                               expect_.contains("message_not_re") ||
                               expect_.contains("message_max");
    if (about_message) {
      require(!outcome_.value("ok", false), "an error with a message");
      const std::string message =
          outcome_.value("message", outcome_.value("constructor", std::string()));
      pattern("message_re", message, true);
      pattern("message_not_re", message, false);
      if (expect_.contains("message_max"))
        require(static_cast<double>(characters(message)) <=
                    number_of(expect_["message_max"], "message_max"),
                "message_max " + json_text(expect_["message_max"]));
    }
    for (const char* name : {"capability", "target"}) {
      if (!expect_.contains(name)) continue;
      const std::string wanted = text_of(expect_[name], name);
      require(outcome_.contains(name) && outcome_[name] == wanted,
              std::string(name) + " " + wanted);
    }
  }

  // "Error" is any error but a denial; every other name is that name.
  void kind() {
    const auto kinds = texts_of(expect_["error_kind"], "error_kind");
    const std::string name = outcome_.value("name", std::string());
    const bool denied = name == "SandboxDeniedError";
    const bool holds = std::any_of(kinds.begin(), kinds.end(), [&](const std::string& kind) {
      return kind == name || (kind == "Error" && !denied);
    });
    require(!outcome_.value("ok", false) && !outcome_.contains("constructor") && holds,
            "error_kind " + json_text(expect_["error_kind"]));
  }

  const Json& expect_;
  const Json& outcome_;
  Problems problems_;
};

}  // namespace

Problems check_expectation(const Json& expect, const Json& outcome) {
  require_known(expect);
  return Check(expect, outcome).problems();
}

}  // namespace cordon::cases
