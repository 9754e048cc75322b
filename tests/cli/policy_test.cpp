// --policy and the other flags: how they combine, and what each error says.

#include <catch2/catch.hpp>

#include "capabilities/policy_json.h"
#include "cli/policy_flags.h"
#include "tests/cli/support/temporary_directory.h"

using namespace cordon;
using Texts = std::vector<std::string>;
using Names = std::map<std::string, std::string>;

namespace {

// A working directory with a policy.json in it.
class Desk {
 public:
  explicit Desk(std::string_view policy) { directory_.write("policy.json", policy); }

  const test::TemporaryDirectory& directory() const { return directory_; }
  std::string path(const std::string& name) const { return (directory_.path() / name).string(); }

  Result<AISandboxOptions, UsageError> parse(Texts flags) const {
    flags.emplace_back("--policy=policy.json");  // last: the order does not matter
    CLI::App app;
    const PolicyFlags policy(app);
    app.parse(Texts(flags.rbegin(), flags.rend()));
    return policy.options({directory_.path(), [](const std::string& name) {
                             return name == "SET" ? std::optional<std::string>("from caller")
                                                  : std::nullopt;
                           }});
  }
  AISandboxOptions options(const Texts& flags = {}) const { return *parse(flags); }
  std::string problem(const Texts& flags = {}) const {
    const auto options = parse(flags);
    return options ? "none" : options.error().message;
  }

 private:
  test::TemporaryDirectory directory_;
};

}  // namespace

TEST_CASE("A policy alone is the options") {
  const Desk desk(
      R"({"filesystem": {"read": ["/etc"]}, "network": {"origins": ["https://a.example"]},
    "subprocess": {"commands": ["/bin/sh"], "timeoutMs": 5},
    "environment": {"A": "1"}, "secrets": {"T": "literal"}, "modules": {"m": "export {}"},
    "resources": {"maxOperations": 7}, "compilerOptions": {"experimentalDecorators": true}})");
  const AISandboxOptions options = desk.options();
  CHECK(options.filesystem->read == Texts{"/etc"});
  CHECK(options.network->methods == Texts{"GET"});
  CHECK(options.subprocess->timeout_ms == 5);
  CHECK(options.environment == Names{{"A", "1"}});
  CHECK(options.secrets == Names{{"T", "literal"}});
  CHECK(options.modules == Names{{"m", "export {}"}});
  CHECK(options.resources.max_operations == 7);
  CHECK(options.experimental_decorators);
  CHECK(options_to_json(Desk("{}").options(), SecretMask::kShown) ==
        options_to_json({}, SecretMask::kShown));
}

TEST_CASE("Flags add to a policy's lists") {
  const Desk desk(R"({"filesystem": {"read": ["/etc"]},
    "network": {"origins": ["https://a.example"], "methods": ["HEAD"]},
    "subprocess": {"commands": ["/bin/sh"], "timeoutMs": 5}})");
  const AISandboxOptions options =
      desk.options({"--allow-read=.", "--allow-write=.", "--allow-net=https://b.example",
                    "--allow-methods=POST", "--allow-run=/bin/cat"});
  CHECK(options.filesystem->read == Texts{"/etc", desk.directory().path()});
  CHECK(options.filesystem->write == Texts{desk.directory().path()});
  CHECK(options.network->origins == Texts{"https://a.example", "https://b.example"});
  CHECK(options.network->methods == Texts{"HEAD", "POST"});
  CHECK(options.subprocess->commands == Texts{"/bin/sh", "/bin/cat"});
  CHECK(options.subprocess->timeout_ms == 5);
}

TEST_CASE("A policy's network grant has GET, which --allow-methods adds to") {
  CHECK(Desk(R"({"network": {"origins": ["https://a.example"]}})")
            .options({"--allow-methods=POST"})
            .network->methods == Texts{"GET", "POST"});
  const Texts both = {"--allow-net=https://a.example", "--allow-methods=POST"};
  CHECK(Desk("{}").options(both).network->methods == Texts{"POST"});
  CHECK(Desk("{}").problem({"--allow-methods=POST"}) ==
        "--allow-methods: needs --allow-net=ORIGIN as well");
}

TEST_CASE("Flags replace a policy's values") {
  const Desk desk(R"({"environment": {"A": "1", "B": "2"}, "secrets": {"S": "policy", "T": "kept"},
    "modules": {"m": "old", "n": "kept"}, "resources": {"maxOperations": 7, "wallClockMs": 5},
    "network": {"origins": ["https://a.example"], "allowPrivateAddresses": true},
    "compilerOptions": {"experimentalDecorators": true}})");
  desk.directory().write("m.mjs", "new");
  const AISandboxOptions options =
      desk.options({"--allow-env=B=3,C=4", "--secret=S=env:SET", "--module=m=m.mjs", "--max-ops=8",
                    "--allow-private-addresses=false", "--experimental-decorators=false"});
  CHECK(options.environment == Names{{"A", "1"}, {"B", "3"}, {"C", "4"}});
  CHECK(options.secrets == Names{{"S", "from caller"}, {"T", "kept"}});
  CHECK(options.modules == Names{{"m", "new"}, {"n", "kept"}});
  CHECK(options.resources.max_operations == 8);
  CHECK(options.resources.wall_clock_ms == 5);
  CHECK_FALSE(options.network->allow_private_addresses);
  CHECK_FALSE(options.experimental_decorators);
  CHECK(desk.options().network->allow_private_addresses);

  const AISandboxOptions on =
      Desk(R"({"network": {"origins": []}})")
          .options({"--allow-private-addresses", "--experimental-decorators"});
  CHECK(on.network->allow_private_addresses);
  CHECK(on.experimental_decorators);
}

TEST_CASE("Modules named by flags obey the policy's source limit") {
  const Desk desk(R"({"resources": {"maxSourceBytes": 4}})");
  desk.directory().write("m.mjs", "12345");
  CHECK(desk.problem({"--module=m=m.mjs"}) ==
        "--module=m: m.mjs: larger than 4 bytes; see --max-source-bytes");
  CHECK(desk.problem({"--module=m=m.mjs", "--max-source-bytes=5"}) == "none");
}

TEST_CASE("An error of the policy names the file and the field, whatever flags say") {
  const auto problem = [](std::string_view policy, const Texts& flags = {}) {
    return Desk(policy).problem(flags);
  };
  CHECK(problem("{") == "--policy=policy.json: policy: is not valid JSON at line 1, column 2");
  CHECK(problem("\xff") == "--policy=policy.json: not UTF-8 text");
  CHECK(problem(R"({"resources": {"maxOps": 1}})")
            .starts_with("--policy=policy.json: resources.maxOps: is not a known field"));
  CHECK(problem(R"({"resources": {"maxOperations": 0}})", {"--max-ops=1"})
            .starts_with("--policy=policy.json: resources.maxOperations: must be a whole number"));
  CHECK(problem(R"({"network": {"origins": ["ftp://a.example"]}})")
            .starts_with("--policy=policy.json: network.origins[0]: "));
  CHECK(problem(R"({"filesystem": {"read": ["/", "/nonexistent"]}})", {"--allow-read=/etc"})
            .starts_with("--policy=policy.json: filesystem.read[1]: "));
  CHECK(problem(R"({"secrets": {"T": "abc"}})").starts_with("--policy=policy.json: secrets.T: "));

  const Desk desk("{}");
  std::filesystem::remove(desk.path("policy.json"));
  CHECK(desk.problem() == "--policy=policy.json: No such file or directory");
}

TEST_CASE("Paths in a policy are absolute") {
  const auto problem = [](std::string_view policy) { return Desk(policy).problem(); };
  const std::string rule =
      ": must be an absolute path: a policy's paths are not resolved against the working directory";
  const std::string file = "--policy=policy.json: ";
  CHECK(problem(R"({"filesystem": {"read": ["/etc", "."]}})") ==
        file + "filesystem.read[1]" + rule + ", those of --allow-read are");
  CHECK(problem(R"({"filesystem": {"write": [""]}})") ==
        file + "filesystem.write[0]" + rule + ", those of --allow-write are");
  CHECK(problem(R"({"subprocess": {"commands": ["sh"]}})") ==
        file + "subprocess.commands[0]" + rule + ", those of --allow-run are");
  const auto with_sandbox = [&](const std::string& sandbox) {
    return problem(R"({"subprocess": {"sandbox": )" + sandbox + "}}");
  };
  const std::string sandbox = file + "subprocess.sandbox.";
  CHECK(with_sandbox(R"({"filesystem": {"readonly": ["a"]}})") ==
        sandbox + "filesystem.readonly[0]" + rule);
  CHECK(with_sandbox(R"({"filesystem": {"writable": ["a"]}})") ==
        sandbox + "filesystem.writable[0]" + rule);
  CHECK(with_sandbox(R"({"process": {"allowedBinaries": ["a"]}})") ==
        sandbox + "process.allowedBinaries[0]" + rule);
}

TEST_CASE("An error of the flags names the flag, and the policy that they came on top of") {
  const Desk desk(R"({"filesystem": {"read": ["/etc"]}})");
  const std::string problem = desk.problem({"--allow-read=absent"});
  CHECK(problem.starts_with("--allow-read: filesystem.read[1]: "));
  CHECK(problem.ends_with(" (together with --policy=policy.json)"));
  // Each is right by itself.
  const Desk commands(R"({"subprocess": {"commands": ["/bin/sh"]}})");
  CHECK(commands.problem() == "none");
  CHECK(commands.problem({"--allow-write=/"}) ==
        "--allow-run: subprocess.commands[0]: must not lie beneath a path that can be written "
        "(together with --policy=policy.json)");
}

TEST_CASE("Secrets of a policy come from elsewhere, and errors do not show them") {
  const Desk desk(R"({"secrets": {"T": {"file": "/nonexistent/x"}}})");
  CHECK(desk.problem() ==
        "--policy=policy.json: secrets.T.file: cannot be opened: No such file or directory");
  CHECK(Desk(R"({"secrets": {"T": {"env": "CORDON_TEST_UNSET"}}})").problem() ==
        "--policy=policy.json: secrets.T.env: names an environment variable that is not set");
  const Desk token("{}");
  const std::string file = token.directory().write("token", "from file\n");
  token.directory().write("policy.json", R"({"secrets": {"T": {"file": ")" + file + "\"}}}");
  CHECK(token.options().secrets == Names{{"T", "from file"}});

  for (const char* secret : {"424242", "[\"424242\"]", "{\"env\": \"424242\", \"fd\": 1}"}) {
    const std::string problem =
        Desk(R"({"secrets": {"T": )" + std::string(secret) + "}}").problem();
    CHECK(
        problem.starts_with("--policy=policy.json: secrets.T: must be a string, {\"env\": NAME}"));
    CHECK(problem.find("424242") == std::string::npos);
  }
}

TEST_CASE("A printed policy reads back as the same, but for masked secrets") {
  const Desk desk(R"({"filesystem": {"read": ["/etc"], "write": []},
    "subprocess": {"commands": ["/bin/sh"], "sandbox": {"resources": {"pids": 3}}},
    "secrets": {"S": "first literal", "T": "second literal"}})");
  const auto print = [](const AISandboxOptions& options) {
    return options_to_json(options, SecretMask::kMasked);
  };
  const std::string printed = print(desk.options({"--allow-read=.", "--cpu-time=2s"}));
  CHECK(printed.find("literal") == std::string::npos);

  const Desk again(printed);
  CHECK(again.problem() ==
        "--policy=policy.json: secrets.S: is \"***\", which --print-policy writes for a secret's "
        "value: put {\"env\": NAME}, {\"file\": PATH} or {\"fd\": N} there, or give "
        "--secret=S=env:NAME as well");
  CHECK(again.problem({"--secret=S=env:SET"}).starts_with("--policy=policy.json: secrets.T: is"));
  const auto options = again.parse({"--secret=S=env:SET", "--secret=T=env:SET"});
  REQUIRE(options.has_value());
  CHECK(options->secrets == Names{{"S", "from caller"}, {"T", "from caller"}});
  CHECK(print(*options) == printed);
}
