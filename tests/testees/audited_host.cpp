// A host under load, to be killed: prints each name whose reply a guest has seen, one a line, for
// ever. Arguments: the audit log, "none", "group" or "each", and "files" or "both" for a database
// as well.

#include <cordon/sandbox.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

constexpr int kCallers = 4;

// Asks for names that are not granted: a refusal is a reply as well, and each name is new.
std::string program(const std::string& name) {
  return "import { environment, writeText } from 'fino:ai/sandbox/capabilities';\n"
         "export default async (directory: string) => {\n"
         "  for (let i = 0; i < 20; i++) {\n"
         "    const name = '" +
         name +
         "_' + i;\n"
         "    if (i % 7 === 6) await writeText(directory + '/' + name, name);\n"
         "    else await environment(name).catch(() => {});\n"
         "    console.log(name);\n"
         "  }\n"
         "};\n";
}

void tell(std::string_view text) {
  const std::string line = std::string(text) + "\n";
  if (::write(STDOUT_FILENO, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    ::_exit(1);
  }
}

}  // namespace

int main(int, char** argv) {
  const std::filesystem::path log = argv[1];
  const std::string_view level = argv[2];
  const std::string directory = log.parent_path() / "written";
  cordon::RuntimeOptions options;
  options.audit.files = {log};
  if (std::string_view(argv[3]) == "both") options.audit.databases = {log.string() + ".db"};
  options.audit.rotate_bytes = 64 << 10;
  options.audit.durability = level == "none"    ? cordon::AuditDurability::kNone
                             : level == "group" ? cordon::AuditDurability::kGroup
                                                : cordon::AuditDurability::kEach;
  cordon::Runtime runtime(options);
  cordon::AISandboxOptions grants;
  grants.filesystem.emplace().write = {directory};
  cordon::ProgramOptions entry;
  entry.on_console = [](std::string_view, std::string_view text) { tell(text); };
  // Names differ from those of hosts before.
  const std::string prefix = "P" + std::to_string(::getpid()) + "_";
  std::atomic<int> calls{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < kCallers; ++i) {
    callers.emplace_back([&] {
      for (;;) {
        cordon::AISandbox sandbox(runtime, program(prefix + std::to_string(++calls)), grants,
                                  entry);
        sandbox.call(cordon::Value::from_json("[\"" + directory + "\"]"));
      }
    });
  }
  for (auto& caller : callers) caller.join();
}
