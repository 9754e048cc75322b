// The host's side of compiling: what goes to the compiler, what comes back, and positions mapped
// back to the source.

#include <memory>
#include <variant>

#include "actors/compile/esbuild_protocol.h"
#include "actors/compile/source_map.h"
#include "actors/compile/stack_trace.h"
#include "benchmarks/paths/path.h"

namespace cordon::paths {
namespace {

constexpr int kLines = 80;

// Five segments a line: what a program of 80 lines has.
std::string map_json() {
  std::string mappings;
  for (int i = 0; i < kLines; ++i) mappings += "AACA,MAAM,IAAI,GAAG,KAAK;";
  return R"({"version":3,"sources":["main.ts"],"names":[],"mappings":")" + mappings + "\"}";
}

std::string program() {
  std::string source;
  for (int i = 0; i < kLines; ++i) {
    source += "export const value" + std::to_string(i) + ": number = compute(" + std::to_string(i);
    source += ");\n";
  }
  return source;
}

Work encode() {
  const auto source = std::make_shared<const std::string>(program());
  return [source] { keep(esbuild::encode_transform(7, *source, {})); };
}

// Lengths before everything, in the service's own form.
std::string counted(const std::string& text) {
  std::string bytes;
  for (unsigned shift = 0; shift < 32; shift += 8) {
    bytes.push_back(static_cast<char>(text.size() >> shift));
  }
  return bytes + text;
}

std::string answer() {
  const std::string code = "\x03" + counted(program());
  const std::string map = "\x03" + counted(map_json());
  return std::string("\x06\x02\0\0\0", 5) + counted("code") + code + counted("map") + map;
}

Work decode() {
  const auto body = std::make_shared<const std::string>(answer());
  const auto decoded = esbuild::decode_answer(*body);
  expect(decoded && std::get<esbuild::Transformed>(*decoded).code == program(), "another answer");
  return [body] { keep(esbuild::decode_answer(*body)); };
}

Work decode_map() {
  const auto json = std::make_shared<const std::string>(map_json());
  expect(SourceMap::parse(*json) != nullptr, "the map cannot be read");
  return [json] { keep(SourceMap::parse(*json)); };
}

Work map_stack() {
  const auto map = SourceMap::parse(map_json());
  const auto render = [map] {
    return render_stack("Error", "no such item",
                        "inner@main.ts:12:7\nouter@main.ts:40:3\nmain@main.ts:77:15\n",
                        {.main = "main.ts", .map = map.get(), .is_module = {}});
  };
  expect(render().find("main.ts:") != std::string::npos, "the stack lacks its positions");
  return [render] { keep(render()); };
}

}  // namespace

std::vector<Path> compile_paths() {
  return {
      {"compile/request", 5000, encode},
      {"compile/answer", 5000, decode},
      {"source map/decode", 150, decode_map},
      {"source map/stack", 2000, map_stack},
  };
}

}  // namespace cordon::paths
