#pragma once
// TypeScript to JavaScript by two supervised, locked-down services: a quick one, which plain
// sources go to first, and esbuild, which judges all that the quick one has not answered. Whatever
// becomes of the quick one, a source's errors are esbuild's, and nothing but time is lost.
//
// Requests are pipelined. One that outlasts its deadline, or during which the service dies, is a
// suspect: the service is restarted, the innocent in flight are sent again, and the suspect runs
// alone in a one-shot service; if it stalls or kills that as well, it fails by itself. Every
// request is answered exactly once.

#include <boost/asio/io_context.hpp>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "actors/compile/service_launcher.h"
#include "actors/compile/source_map.h"
#include "actors/process/engine_process.h"
#include "messages/result.h"

namespace cordon {

struct CompileRequest {
  std::string source;  // hostile TypeScript, well-formed UTF-8, its size limited by the caller
  bool experimental_decorators = false;
  bool one_line_tokens = false;  // no token of the code holds a line break (tests_body.h)
  bool by_esbuild = false;       // the engine has refused what the quick compiler made of it
};

struct CompiledModule {
  std::string code;                      // ES module, JavaScript that the engine's version takes
  std::shared_ptr<const SourceMap> map;  // back to the TypeScript; null when there is none to trust
  // The quick compiler has made it, which overlooks some mistakes: if the engine refuses the code,
  // only esbuild can say why, or make code that the engine takes.
  bool is_quick = false;
};

struct CompileFailure {
  enum class Kind : std::uint8_t {
    kSyntax,       // the source is not TypeScript; line and column are set when known
    kResources,    // it took too long or too much memory to compile
    kUnavailable,  // the service cannot be had on this host
  };
  Kind kind = Kind::kUnavailable;
  std::string message;
  std::uint32_t line = 0;    // 1-based; 0 when unknown
  std::uint32_t column = 0;  // 1-based, in UTF-16 code units
};

struct CompilerOptions {
  std::filesystem::path launcher;  // cordon-engine; runs the service locked down
  std::filesystem::path esbuild;
  std::filesystem::path transpiler;  // the quick compiler's; empty: esbuild compiles everything
  std::chrono::milliseconds deadline{5000};               // of one source
  std::uint64_t memory_bytes = std::uint64_t{512} << 20;  // of the service
};

class CompilerClient {
 public:
  using OnCompiled = std::function<void(Result<CompiledModule, CompileFailure>)>;

  static Result<std::unique_ptr<CompilerClient>, StartFailure> start(boost::asio::io_context& io,
                                                                     CompilerOptions options);
  // With other ways to start the services.
  static Result<std::unique_ptr<CompilerClient>, StartFailure> start(boost::asio::io_context& io,
                                                                     CompilerOptions options,
                                                                     ServiceLaunchers launchers);

  // Stops the services, answers what is open with kUnavailable, and waits for its end. Call after
  // the io_context has stopped or from its thread.
  ~CompilerClient();

  // Thread-safe. `on_compiled` runs on the I/O thread, exactly once.
  void compile(CompileRequest request, OnCompiled on_compiled);

 private:
  class Impl;
  explicit CompilerClient(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

}  // namespace cordon
