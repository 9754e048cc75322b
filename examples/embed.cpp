#include <cordon/sandbox.h>

#include <iostream>
#include <string>

const std::string kSource = R"(
  import { environment } from 'fino:ai/sandbox/capabilities';

  export default async function add(numbers: number[]): Promise<string> {
    const label = await environment('LABEL');
    console.log(`adding ${numbers.length} numbers`);
    return `${label} is ${numbers.reduce((sum, n) => sum + n, 0)}`;
  }
)";

int main() try {
  cordon::Runtime runtime;  // one per process: shared by all sandboxes
  cordon::AISandboxOptions options;
  options.environment["LABEL"] = "the sum";
  options.resources.wall_clock_ms = 2000;

  cordon::AISandbox sandbox(runtime, kSource, options);
  const cordon::Outcome outcome = sandbox.call(cordon::Value::from_json("[[1, 2, 3]]"));
  if (outcome.status != cordon::Status::kOk) {
    std::cerr << cordon::to_string(outcome.status) << ": " << outcome.error->message << "\n";
    return 1;
  }
  std::cout << outcome.value().view().get<std::string>() << "\n";  // the sum is 6
} catch (const cordon::Unavailable& error) {
  std::cerr << "this host cannot enforce the sandbox: " << error.what() << "\n";
  return 3;
}
