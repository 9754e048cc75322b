// Many calls of one program at a time: compiled once, a future for each, fair to whoever waits.
// Prints each result in order, then the runtime's figures as Prometheus would read them.

#include <cordon/sandbox.h>

#include <chrono>
#include <future>
#include <iostream>
#include <string>
#include <vector>

const std::string kSource = R"(
  export default function primes(limit: number): number {
    const composite = new Uint8Array(limit);
    let count = 0;
    for (let n = 2; n < limit; n++) {
      if (composite[n]) continue;
      count++;
      for (let multiple = n * n; multiple < limit; multiple += n) composite[multiple] = 1;
    }
    return count;
  }
)";

int main() try {
  cordon::Runtime runtime({.max_concurrent_calls = 4});
  cordon::AISandboxOptions options;
  options.resources.wall_clock_ms = 5000;

  const cordon::PreparedProgram program(runtime, kSource, options, {.tenant = "examples"});
  if (program.compile_error()) {
    std::cerr << program.compile_error()->message << "\n";
    return 1;
  }
  std::vector<std::future<cordon::Outcome>> calls;
  for (const int limit : {10, 100, 1000, 10000, 100000}) {
    calls.push_back(program.call_async(cordon::Value::from({limit})));
  }
  for (auto& call : calls) {
    const cordon::Outcome outcome = call.get();
    std::cout << (outcome.result ? outcome.result->json() : to_string(outcome.status)) << "\n";
  }

  runtime.drain(std::chrono::seconds(10));
  std::cout << to_prometheus(runtime.metrics());
} catch (const cordon::Unavailable& error) {
  std::cerr << "this host cannot enforce the sandbox: " << error.what() << "\n";
  return 3;
}
