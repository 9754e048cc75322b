// TypeScript to JavaScript by the compiler service. Every source is another one: nothing is served
// from its cache.

#include <benchmark/benchmark.h>

#include <vector>

#include "actors/compile/compiler_client.h"
#include "benchmarks/micro/processes.h"

namespace cordon::micro {
namespace {

using Compiled = Result<CompiledModule, CompileFailure>;

std::string program(std::int64_t lines, std::uint64_t number) {
  std::string source = "const call: number = " + std::to_string(number) + ";\n";
  for (std::int64_t i = 1; i < lines; ++i) {
    const std::string name = std::to_string(i);
    source += "export function f" + name + "(x: number, y?: string): string { return `${x}${y ?? ";
    source += name + "}`; }\n";
  }
  return source;
}

std::future<Compiled> compile(CompilerClient& compiler, std::string source) {
  auto promise = std::make_shared<std::promise<Compiled>>();
  auto future = promise->get_future();
  compiler.compile({.source = std::move(source)},
                   [promise](Compiled compiled) { promise->set_value(std::move(compiled)); });
  return future;
}

// range(0): lines of a source; range(1): sources in flight at one time; range(2): the quick
// compiler first, as a runtime has it, or esbuild alone.
void transpile(benchmark::State& state) {
  CompilerOptions options;
  options.launcher = engine_file("cordon-engine");
  options.esbuild = engine_file("cordon-esbuild");
  if (state.range(2) != 0) options.transpiler = engine_file("cordon-transpiler");
  const Running<CompilerClient> compiler(options);
  if (compiler.client() == nullptr) return state.SkipWithError(compiler.problem().c_str());
  std::uint64_t number = 0;
  for (auto _ : state) {
    std::vector<std::future<Compiled>> flight;
    for (std::int64_t i = 0; i < state.range(1); ++i) {
      flight.push_back(compile(*compiler.client(), program(state.range(0), number++)));
    }
    for (auto& each : flight) {
      const Compiled compiled = each.get();
      if (!compiled) return state.SkipWithError(compiled.error().message.c_str());
    }
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(number));
}
BENCHMARK(transpile)
    ->Name("compile/service")
    ->ArgNames({"lines", "in flight", "quick"})
    ->ArgsProduct({{1, 80}, {1, 16}, {0, 1}})
    ->UseRealTime();

}  // namespace
}  // namespace cordon::micro
