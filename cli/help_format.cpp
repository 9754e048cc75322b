#include "cli/help_format.h"

namespace cordon {
namespace {

class HelpFormat : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* app, std::string) const override {
    std::string usage = app->get_name();
    for (const CLI::App* at = app->get_parent(); at != nullptr; at = at->get_parent()) {
      usage = at->get_name() + " " + usage;
    }
    const bool has_commands = !app->get_subcommands({}).empty();
    usage += has_commands ? " COMMAND" : " [FLAGS]";
    for (const CLI::Option* option : app->get_options()) {
      if (option->get_positional()) usage += " " + option->get_name();
    }
    if (app->get_name() == "run") usage += " [-- ARG...]";
    return "Usage: " + usage + "\n";
  }

  std::string make_option_opts(const CLI::Option* option) const override {
    const std::string type = option->get_type_name();
    return type.empty() || option->get_positional() ? "" : "=" + type;
  }
};

}  // namespace

std::shared_ptr<CLI::Formatter> help_format() {
  auto format = std::make_shared<HelpFormat>();
  format->column_width(32);
  return format;
}

}  // namespace cordon
