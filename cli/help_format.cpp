#include "cli/help_format.h"

namespace cordon {
namespace {

class HelpFormat : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* app, std::string) const override {
    const bool is_subcommand = app->get_parent() != nullptr;
    if (!is_subcommand) return "Usage: cordon COMMAND [FLAGS]\n";
    return "Usage: cordon " + app->get_name() + " [FLAGS] FILE [-- ARG...]\n";
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
