#pragma once
// `cordon types`: what a program may use, as TypeScript declarations to put into a model's prompt.

#include <CLI/CLI.hpp>

#include <string>

namespace cordon {

// Registers the subcommand with `cordon`, which writes into this object while it parses.
class TypesCommand {
 public:
  explicit TypesCommand(CLI::App& cordon);
  TypesCommand(const TypesCommand&) = delete;
  TypesCommand& operator=(const TypesCommand&) = delete;

  bool chosen() const { return command_.parsed(); }
  // Prints the declarations; returns the exit code.
  int execute() const;

 private:
  CLI::App& command_;
  std::string tool_file_;  // empty: none
};

}  // namespace cordon
