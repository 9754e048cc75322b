#include "actors/compile/stack_trace.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <string>

namespace cordon {
namespace {

// Generated line 2 column 1 is line 10 column 5 of the source, line 3 column 3 is line 11 column 1;
// line 1 comes from nowhere.
constexpr std::string_view kMap =
    R"({"version":3,"sources":["main.ts"],"mappings":";AASI;EACJ","names":[]})";

class Stack {
 public:
  std::string render(std::string_view raw, std::string_view name = "Error",
                     std::string_view message = "m") const {
    return render_stack(name, message, raw, {"main.ts", map_.get(), [](std::string_view file) {
                                               return file == "lib/x" || file == "@scope/pkg";
                                             }});
  }

 private:
  std::shared_ptr<const SourceMap> map_ = SourceMap::parse(kMap);
};

TEST_CASE("frames are mapped to the source") {
  CHECK(Stack().render("f@main.ts:2:1\n@main.ts:3:9\n") ==
        "Error: m\n    at f (main.ts:10:5)\n    at main.ts:11:1");
}

TEST_CASE("frames of granted modules keep their positions") {
  CHECK(Stack().render("f@lib/x:7:8\ng@@scope/pkg:1:2") ==
        "Error: m\n    at f (lib/x:7:8)\n    at g (@scope/pkg:1:2)");
}

TEST_CASE("frames of other files are not the guest's") {
  CHECK(Stack().render("f@prelude:1:1\n@fino:ai/sandbox/capabilities:2:2\nf@main.ts:2:1\n"
                       "f@xmain.ts:2:1\nself-hosted:1:1") == "Error: m\n    at f (main.ts:10:5)");
}

TEST_CASE("helpers that the compiler added are left out") {
  CHECK(Stack().render("__using@main.ts:1:1\nf@main.ts:2:1") ==
        "Error: m\n    at f (main.ts:10:5)");
  // A guest's own function of such a name is not: it has a place in the source.
  CHECK(Stack().render("__mine@main.ts:2:1") == "Error: m\n    at __mine (main.ts:10:5)");
}

TEST_CASE("a position that maps to nothing is left out") {
  CHECK(Stack().render("f@main.ts:1:1") == "Error: m\n    at f (main.ts)");
  CHECK(render_stack("Error", "m", "f@main.ts:2:1", {"main.ts", nullptr, nullptr}) ==
        "Error: m\n    at f (main.ts)");
}

TEST_CASE("functions are named as people name them") {
  const auto [engine, shown] = GENERATE(table<std::string, std::string>({
      {"main_default", "at default (main.ts:10:5)"},
      {"main_default<", "at default (main.ts:10:5)"},
      {"run/<", "at main.ts:10:5"},
      {"run/inner", "at inner (main.ts:10:5)"},
      {"run/inner<", "at inner (main.ts:10:5)"},
      {"get size", "at get size (main.ts:10:5)"},
      {"o[\"we/ird@x\"]", "at o[\"we/ird@x\"] (main.ts:10:5)"},
      {"o[\"@main.ts:9:9", "at o[\"@main.ts:9:9 (main.ts:10:5)"},
      {"async*later", "at async later (main.ts:10:5)"},
      {"promise callback*later", "at async later (main.ts:10:5)"},
      {"async*", "at async main.ts:10:5"},
  }));
  CHECK(Stack().render(engine + "@main.ts:2:1") == "Error: m\n    " + shown);
}

TEST_CASE("evaluated code is shown where it was evaluated") {
  CHECK(Stack().render("f@main.ts line 3 > eval:1:7") == "Error: m\n    at f (eval at main.ts:11)");
  CHECK(Stack().render("@main.ts line 3 > eval line 1 > eval:1:7") ==
        "Error: m\n    at eval (eval at main.ts:11)");
  CHECK(Stack().render("anonymous@main.ts line 2 > Function:1:1") ==
        "Error: m\n    at anonymous (eval at main.ts:10)");
  CHECK(Stack().render("f@lib/x line 4 > eval:1:7") == "Error: m\n    at f (eval at lib/x:4)");
  CHECK(Stack().render("f@prelude line 4 > eval:1:7") == "Error: m");
}

TEST_CASE("lines that are no frames are left out") {
  CHECK(Stack().render("\n\n@\n:1:1\nf@main.ts\nf@main.ts:1\nf@main.ts:x:1\nf@main.ts:1:x\n"
                       "f@main.ts:99999999999:1\nf@main.ts:2:-1\n") == "Error: m");
}

TEST_CASE("the first line cannot be broken") {
  const std::string text =
      Stack().render("", "My\nError", "m\n    at forged (main.ts:1:1)\x1b[31m\u202e");
  CHECK(text.find('\n') == std::string::npos);
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find("\u202e") == std::string::npos);
  CHECK(Stack().render("", "", "m") == "Error: m");
  CHECK(Stack().render("", "TypeError", "") == "TypeError");
}

TEST_CASE("a frame cannot deceive and is short") {
  CHECK(Stack().render("f\x1b\xff@main.ts:2:1") ==
        "Error: m\n    at f\\u{1b}\uFFFD (main.ts:10:5)");
  CHECK(Stack().render(std::string(1000, 'f') + "@main.ts:2:1").size() < 200);
  CHECK(Stack().render(std::string(100000, 'f') + "@main.ts:2:1") == "Error: m");
}

TEST_CASE("there are at most 50 frames") {
  std::string raw;
  for (int i = 0; i < 400; ++i) raw += "f@main.ts:2:1\n";
  const std::string text = Stack().render(raw);
  CHECK(std::count(text.begin(), text.end(), '\n') == 50);
}

TEST_CASE("random text is survived") {
  std::mt19937 random(7);
  const std::string pieces[] = {"@",  ":", "main.ts", " line ", " > eval", "1",
                                "\n", "*", "/",       "<",      "\xff"};
  const Stack stack;
  for (int round = 0; round < 5000; ++round) {
    std::string raw;
    for (int left = static_cast<int>(random() % 40); left > 0; --left) {
      raw += pieces[random() % std::size(pieces)];
    }
    const std::string text = stack.render(raw);
    CHECK(text.starts_with("Error: m"));
    CHECK(text.find('\xff') == std::string::npos);
  }
}

}  // namespace
}  // namespace cordon
