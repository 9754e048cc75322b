// Text at the edge: lists, arguments, what a terminal is shown, files.

#include <fcntl.h>

#include <catch2/catch.hpp>

#include "cli/arguments.h"
#include "cli/comma_list.h"
#include "cli/command_line.h"
#include "cli/terminal_text.h"
#include "cli/text_file.h"
#include "tests/cli/support/temporary_directory.h"

using namespace cordon;
using Texts = std::vector<std::string>;

TEST_CASE("Lists are split at commas, and a doubled comma is a comma") {
  CHECK(*split_comma_list("a") == Texts{"a"});
  CHECK(*split_comma_list("a,b,c") == Texts{"a", "b", "c"});
  CHECK(*split_comma_list("a,,b") == Texts{"a,b"});
  CHECK(*split_comma_list("a,,,b") == Texts{"a,", "b"});
  CHECK(*split_comma_list(",,") == Texts{","});
  for (const char* text : {"", ",", "a,", ",a", "a,,,"}) {
    INFO(text);
    CHECK(!split_comma_list(text));
  }
}

TEST_CASE("An argument that is JSON is that value, any other is a string") {
  CHECK(parse_arguments({})->json() == "[]");
  CHECK(parse_arguments({"1", "true", "null", R"({"a":[1]})", R"("text")"})->json() ==
        R"([1,true,null,{"a":[1]},"text"])");
  CHECK(parse_arguments({"text", "", "1,2", "[1", "01", "NaN", "'a'", "a\"b\\"})->json() ==
        R"(["text","","1,2","[1","01","NaN","'a'","a\"b\\"])");
  // Numbers and tags keep their text.
  CHECK(parse_arguments({"1.10", "12345678901234567890123", R"({"$bigint":"7"})"})->json() ==
        R"([1.10,12345678901234567890123,{"$bigint":"7"}])");
}

TEST_CASE("Arguments that cannot cross are refused, not changed") {
  CHECK(parse_arguments({"ok", "\xff"}).error().message == "argument 2 is not UTF-8 text");
  const std::string deep = std::string(3100, '[') + std::string(3100, ']');
  CHECK(parse_arguments({deep}).error().message.find("nested too deeply") != std::string::npos);
  const std::string deepest = std::string(999, '[') + std::string(999, ']');
  CHECK(parse_arguments({deepest})->json() == "[" + deepest + "]");
}

TEST_CASE("The command line is cut at the first --") {
  const char* const argv[] = {"cordon", "run", "a.ts", "--", "[1]", "--", "--json"};
  const auto line = split_command_line(argv);
  CHECK(line->command == Texts{"run", "a.ts"});
  CHECK(line->arguments == Texts{"[1]", "--", "--json"});

  const char* const no_arguments[] = {"cordon", "run", "--allow-env=A="};
  CHECK(split_command_line(no_arguments)->command.size() == 2);
  CHECK(split_command_line(no_arguments)->arguments.empty());
}

TEST_CASE("A flag with nothing after its = would swallow the next word and is refused") {
  const char* const argv[] = {"cordon", "run", "--allow-read=", "a.ts"};
  CHECK(split_command_line(argv).error().message == "--allow-read= needs a value after \"=\"");
}

TEST_CASE("Nothing that steers a terminal gets through") {
  CHECK(printable("plain\ttext\nin lines: \u00e4\u20ac\U0001f600") ==
        "plain\ttext\nin lines: \u00e4\u20ac\U0001f600");
  CHECK(printable("\x1b[31m\r\x07\x7f") == "\\u{1b}[31m\\u{d}\\u{7}\\u{7f}");
  CHECK(printable("\u009b\u202e\u2066\u2028") == "\\u{9b}\\u{202e}\\u{2066}\\u{2028}");
  CHECK(printable("a\xff\xc3") == "a\ufffd\ufffd");
  CHECK(printable("\xed\xa0\x80") == "\ufffd\ufffd\ufffd");  // a surrogate
  CHECK(printable(std::string_view("\0", 1)) == "\\u{0}");
  CHECK(printable_line("a\nb\tc") == "a\\nb\\tc");
}

TEST_CASE("JSON for a terminal means the same") {
  const std::string json = "{\"a\":\"\u009b\u202e\x7f\u00e4\"}";
  const std::string shown = printable_json(json);
  CHECK(shown == "{\"a\":\"\\u009b\\u202e\\u007f\u00e4\"}");
  CHECK(nlohmann::json::parse(shown) == nlohmann::json::parse(json));
}

TEST_CASE("UTF-8 is told from other bytes") {
  CHECK(is_utf8(""));
  CHECK(is_utf8("a\u00e4\u20ac\U0010ffff"));
  for (const char* bytes :
       {"\xff", "\xc3", "\xc0\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "a\x80"}) {
    CHECK(!is_utf8(bytes));
  }
}

TEST_CASE("Text files are read whole and bounded") {
  const test::TemporaryDirectory directory;
  CHECK(*read_text_file(directory.write("ok", "four"), {4}) == "four");
  CHECK(*read_text_file(directory.write("empty", ""), {4}) == "");
  CHECK(read_text_file(directory.write("large", "fives"), {4}).error().message ==
        "larger than 4 bytes");
  CHECK(read_text_file(directory.path() / "large", {4, "--flag"}).error().message ==
        "larger than 4 bytes; see --flag");
  CHECK(read_text_file(directory.write("binary", "\xff"), {4}).error().message == "not UTF-8 text");
  CHECK(read_text_file(directory.path(), {4}).error().message == "Is a directory");
  CHECK(read_text_file(directory.path() / "absent", {4}).error().message ==
        "No such file or directory");
  const std::string big(200'000, 'x');
  CHECK(*read_text_file(directory.write("big", big), {big.size()}) == big);
}
