#include "tests/cases/runner/judge.h"

#include <optional>
#include <thread>

#include "tests/cases/runner/audit_checks.h"
#include "tests/cases/runner/driver_words.h"
#include "tests/cases/runner/expectation.h"
#include "tests/cases/runner/judged_run.h"
#include "tests/cases/runner/needs.h"
#include "tests/cases/runner/pattern.h"
#include "tests/cases/runner/post_checks.h"
#include "tests/cases/runner/racer.h"
#include "tests/cases/runner/scene.h"
#include "tests/cases/runner/tagged.h"

namespace cordon::cases {

namespace {

constexpr std::chrono::seconds kLongestRun{60};

// The parent did not answer: why, for the report.
class ParentFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// This host lacks what every case needs.
class HostFailure : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// One run of one case.
class Run {
 public:
  Run(const Case& one, const RunPlan& plan, const Settings& settings)
      : plan_(plan),
        scale_(settings.time_scale),
        scene_(one.fields.value("fixture", Json::array()), settings.parent),
        fields_(placed(one.fields)) {}

  // Why the strict sandbox cannot be had, when it is needed; the case is then a skipped one.
  const std::optional<std::string>& no_strict_sandbox() const { return no_strict_sandbox_; }

  Problems judge(bool needs_strict_sandbox) {
    for (const auto& check : fields_.value("post", Json::array()))
      if (check.contains("no_marker_on_host")) require_no_marker(check["no_marker_on_host"]);
    parent_.emplace(scene_.parent);
    Problems problems;
    try {
      start_parent();
      if (needs_strict_sandbox || may_spawn()) try_strict_sandbox();
      const std::string source = source_text();
      // Before the run: an unknown wording fails the case whatever Cordon does.
      const Json steps = fields_.contains("driver")
                             ? driver_steps(text_of(fields_["driver"], "a driver"))
                             : plain_driver_steps();
      run(source, steps);
      problems = no_strict_sandbox_ ? check_failed_closed() : check(steps);
    } catch (const ParentFailure& failure) {
      problems.push_back(failure.what());
    }
    end_parent(problems);
    return problems;
  }

  // What failed and what came of it, for people.
  std::string report(const Problems& problems) const {
    std::string text;
    if (!plan_.label.empty()) text += "  run with " + plan_.label + "\n";
    for (const std::string& problem : problems) text += "  - " + problem + "\n";
    if (judged_) {
      Json outcome = judged_->outcome;
      const std::string console = outcome.value("console", std::string());
      outcome.erase("console");
      text += "  outcome: " + json_text(outcome).substr(0, 2000) + "\n";
      for (const std::string& line : judged_->event_lines) {
        // A chain's hashes explain nothing here.
        text += "  event: " + line.substr(0, line.find(",\"prev\":")) + "\n";
        if (text.size() > 20'000) break;
      }
      if (!console.empty()) text += "  console: " + console.substr(0, 2000) + "\n";
    }
    if (const std::string errors = parent_->error_text(); !errors.empty())
      text += "  parent's standard error: " + errors.substr(0, 4000) + "\n";
    return text;
  }

 private:
  Json placed(const Json& fields) const {
    Json out = Json::object();
    for (const auto& [name, value] : fields.items())
      out[name] = name == "title" ? value : replaced(value, scene_.placeholders());
    return out;
  }

  static void require_no_marker(const Json& marker) {
    const auto there = markers_on_host(text_of(marker, "no_marker_on_host"));
    if (!there.empty())
      throw std::runtime_error(there.front().string() + " is there before the run: remove it");
  }

  std::chrono::milliseconds scaled(std::chrono::milliseconds time) const {
    return std::chrono::duration_cast<std::chrono::milliseconds>(time * scale_);
  }

  Json ask(const Json& request) {
    try {
      parent_->channel().send(request);
    } catch (const std::runtime_error&) {
      // It has ended; how is told below.
    }
    if (auto answer = parent_->channel().receive(scaled(kLongestRun))) return *answer;
    if (parent_->channel().timed_out())
      throw ParentFailure("the run went past " + std::to_string(scaled(kLongestRun).count()) +
                          " ms");
    throw ParentFailure("the parent crashed: " + parent_->wait(scaled(std::chrono::seconds(5))));
  }

  void start_parent() {
    const Json answer = ask({{"resolver", scene_.resolver}});
    if (answer.contains("unavailable")) throw HostFailure(answer["unavailable"].get<std::string>());
  }

  Json call(const std::string& source, const std::string& options, const std::string& arguments,
            const Json& steps) {
    return ask(
        {{"run",
          {{"source", source}, {"arguments", arguments}, {"options", options}, {"steps", steps}}}});
  }

  // Whatever a case says: where commands may run, it takes the strict sandbox.
  bool may_spawn() const {
    return plan_.options.contains("subprocess") &&
           fields_.value("source", std::string()).find("spawn(") != std::string::npos;
  }

  void try_strict_sandbox() {
    const Json probe = call(
        "import { spawn } from 'fino:ai/sandbox/capabilities';\n"
        "export default async () => (await spawn('/bin/true')).code;",
        R"({"subprocess":{"commands":["/bin/true"]}})", "[]", plain_driver_steps());
    if (probe.value("ok", false) && probe["result"] == "0") return;
    const std::string message = probe.value("message", json_text(probe));
    if (!matches("strict sandbox", message))
      throw ParentFailure("spawn fails without naming the strict sandbox: " + json_text(probe));
    no_strict_sandbox_ = message;
  }

  std::string arguments_text() const {
    return json_text(without_json_tags(replaced(plan_.arguments, scene_.placeholders())));
  }

  std::string source_text() {
    const std::string source = text_of(fields_.value("source", Json()), "a source");
    if (has_lone_surrogate(source)) throw Unknown("a source with a lone surrogate");
    if (source != "$GEN") return source;
    const Json answer =
        ask({{"evaluate",
              {{"expression", text_of(fields_.value("source_gen", Json()), "a source_gen")},
               {"arguments", arguments_text()}}}});
    if (!answer.value("ok", false))
      throw std::runtime_error("source_gen: " + answer.value("message", std::string()));
    return answer["text"];
  }

  void run(const std::string& source, const Json& steps) {
    const Json options = as_policy(replaced(plan_.options, scene_.placeholders()));
    judged_.emplace(JudgedRun{.root = scene_.root,
                              .parent = *parent_,
                              .server = scene_.server.get(),
                              .server2 = scene_.server2.get(),
                              .sockets = scene_.sockets,
                              .canary = scene_.canary ? scene_.canary->pid() : -1,
                              .time_scale = scale_});
    judged_->processes_before = count_by_name(descendants(judged_->helpers()));
    {
      ProcessWatch watch(descendants({}));
      std::optional<Racer> racer;
      if (scene_.racer) racer.emplace(*scene_.racer, scene_.root.path());
      judged_->outcome = call(source, json_text(options), arguments_text(), steps);
      racer.reset();
      std::this_thread::sleep_for(scene_.wait_after_call);
      watch.stop();
      judged_->most_processes = watch.most_processes();
      judged_->most_child_mib = watch.most_child_mib();
    }
    const Json trail = ask({{"events", true}});
    for (const Json& line : trail["events"]) {
      judged_->event_lines.push_back(line);
      judged_->events.push_back(parse_json(line.get<std::string>()));
    }
    judged_->lookups = trail["lookups"].get<std::vector<std::string>>();
  }

  Problems check(const Json& steps) {
    Problems problems =
        check_expectation(fields_.value("expect", Json::object()), judged_->outcome);
    const auto add = [&](const Problems& more) {
      problems.insert(problems.end(), more.begin(), more.end());
    };
    add(check_refused_calls(steps));
    const Json audit_expect = fields_.value("audit_expect", Json::array());
    add(check_audit(audit_expect, fields_.value("audit_forbid", Json::array()), *judged_));
    add(check_post(fields_.value("post", Json::array()), *judged_, audit_expect));
    return problems;
  }

  Problems check_refused_calls(const Json& steps) const {
    Problems problems;
    const Json refused = judged_->outcome.value("refused_calls", Json::array());
    std::size_t at = 0;
    for (const Json& step : steps) {
      if (step["do"] != "refused_call") continue;
      const Json message = at < refused.size() ? refused[at] : Json();
      ++at;
      const std::string pattern = step["pattern"];
      if (!message.is_string()) {
        problems.push_back("a call that had to be refused was not");
      } else if (!pattern.empty() && !matches(pattern, message.get<std::string>())) {
        problems.push_back("expected the refused call to say /" + pattern + "/, not \"" +
                           message.get<std::string>() + "\"");
      }
    }
    return problems;
  }

  // Without the strict sandbox no command runs, and what fails for that reason says so.
  Problems check_failed_closed() const {
    Problems problems;
    for (const Json& event : judged_->events) {
      if (event.at("capability") == "subprocess" && event.at("outcome") == "used")
        problems.push_back("a command ran without the strict sandbox: " + json_text(event));
    }
    const Json& outcome = judged_->outcome;
    if (!judged_->ok() && !matches("strict sandbox", outcome.value("message", std::string())))
      problems.push_back("expected an error that names the strict sandbox");
    return problems;
  }

  void end_parent(Problems& problems) {
    try {
      parent_->channel().send({{"finish", true}});
    } catch (const std::runtime_error&) {
      // Told by how it ended.
    }
    const bool failed_already = !parent_->alive() && !problems.empty();
    const std::string end =
        failed_already ? "exit code 0" : parent_->wait(scaled(std::chrono::seconds(20)));
    if (end != "exit code 0") problems.push_back("the parent did not end well: " + end);
    kill_descendants(scene_.canary ? std::vector{scene_.canary->pid()} : std::vector<pid_t>{});
  }

  const RunPlan& plan_;
  const double scale_;
  Scene scene_;
  const Json fields_;
  std::optional<ParentProcess> parent_;
  std::optional<JudgedRun> judged_;
  std::optional<std::string> no_strict_sandbox_;
};

}  // namespace

Verdict judge(const Case& one, const Settings& settings) {
  try {
    const auto runs = runs_of(one);
    const Needs needs = look_for(one.fields.value("fixture", Json::array()));
    if (needs.missing) return {Verdict::Kind::kSkipped, *needs.missing};
    Verdict verdict;
    for (const RunPlan& plan : runs) {
      Run run(one, plan, settings);
      const Problems problems = run.judge(needs.strict_sandbox);
      if (settings.show || !problems.empty()) verdict.text += run.report(problems);
      if (!problems.empty()) {
        verdict.kind = Verdict::Kind::kFailed;
      } else if (run.no_strict_sandbox() && verdict.kind == Verdict::Kind::kPassed) {
        verdict = {Verdict::Kind::kSkipped, "no strict sandbox here: " + *run.no_strict_sandbox()};
      }
    }
    return verdict;
  } catch (const HostFailure& failure) {
    return {Verdict::Kind::kSkipped, failure.what()};
  } catch (const std::exception& error) {
    return {Verdict::Kind::kFailed, std::string("  - ") + error.what() + "\n"};
  }
}

}  // namespace cordon::cases
