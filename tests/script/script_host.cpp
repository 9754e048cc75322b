#include "tests/script/script_host.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

#include "messages/descriptor_passing.h"
#include "messages/frame.h"
#include "spawn.capnp.h"

namespace cordon::testing {

namespace {

constexpr int kControl = 3;

std::pair<UniqueFd, UniqueFd> socket_pair(int type) {
  int fds[2];
  if (::socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, fds) != 0)
    throw std::runtime_error("socketpair");
  return {UniqueFd(fds[0]), UniqueFd(fds[1])};
}

std::string text_of(capnp::Text::Reader text) { return {text.cStr(), text.size()}; }

FailureText read_failure(wire::Failure::Reader failure) {
  return {failure.getKind(),           text_of(failure.getName()), text_of(failure.getMessage()),
          text_of(failure.getStack()), failure.getDeniedBy(),      failure.getLine(),
          failure.getColumn()};
}

capnp::Text::Reader text_reader(const std::string& text) { return {text.c_str(), text.size()}; }

Payload job_frame(const Job& job) {
  return Message<wire::HostFrame>::build([&](wire::HostFrame::Builder frame) {
    auto out = frame.initJob();
    out.setCode(text_reader(job.code));
    out.setSourceName(text_reader(job.source_name));
    out.setEntry(job.entry);
    out.setArguments(capnp::Data::Reader(reinterpret_cast<const kj::byte*>(job.arguments.data()),
                                         job.arguments.size()));
    auto modules = out.initModules(static_cast<unsigned>(job.modules.size()));
    for (unsigned i = 0; i < job.modules.size(); ++i) {
      modules[i].setSpecifier(text_reader(job.modules[i].first));
      modules[i].setCode(text_reader(job.modules[i].second));
    }
    auto limits = out.initLimits();
    limits.setHeapBytes(job.heap_bytes);
    limits.setConsoleBytes(job.console_bytes);
    limits.setResultBytes(job.result_bytes);
    limits.setArgumentBytes(job.argument_bytes);
    limits.setOpenRequests(job.open_requests);
    limits.setOpenBytes(job.open_bytes);
  });
}

}  // namespace

void Session::send_job(const Job& job) { send(job_frame(job)); }

Payload Session::next() { return read_frame(channel_.get(), kMaxPayloadBytes); }

void Session::reply(std::uint64_t id, const std::function<void(wire::Reply::Builder)>& fill) {
  send(Message<wire::HostFrame>::build([&](wire::HostFrame::Builder frame) {
    auto reply = frame.initReply();
    reply.setId(id);
    fill(reply);
  }));
}

void Session::send(const Payload& frame) {
  if (!write_frame(channel_.get(), frame)) throw std::runtime_error("the child is gone");
}

ScriptHost::ScriptHost(bool jit) {
  auto [mine, theirs] = socket_pair(SOCK_SEQPACKET);
  const char* option = jit ? "--jit" : "--no-jit";
  pid_ = ::fork();
  if (pid_ == 0) {
    ::dup2(theirs.get(), kControl);
    ::execl(CORDON_SCRIPT_TESTEE, "script_testee", option, static_cast<char*>(nullptr));
    ::_exit(127);
  }
  control_ = std::move(mine);
}

ScriptHost::~ScriptHost() {
  control_.reset();
  ::waitpid(pid_, nullptr, 0);
}

Session ScriptHost::start(const Job& job) {
  auto [mine, theirs] = socket_pair(SOCK_STREAM);
  ::fcntl(theirs.get(), F_SETFL, O_NONBLOCK);  // as the real one
  const auto request = Message<wire::ForkRequest>::build(
      [&](wire::ForkRequest::Builder fork) { fork.setSerial(job.data_limit_bytes); });
  const int descriptors[] = {theirs.get()};
  if (!send_packet(control_.get(), request, descriptors)) {
    throw std::runtime_error("the engine process is gone");
  }
  Session session(std::move(mine));
  session.send_job(job);
  return session;
}

Ending ScriptHost::run(const Job& job, const Answer& answer) {
  Session session = start(job);
  Ending ending;
  for (;;) {
    const Payload payload = session.next();
    if (payload.empty()) return ending;
    ending.wrote_after_the_end |= ending.result || ending.failure;
    const auto frame = Message<wire::ChildFrame>(payload).read();
    switch (frame->which()) {
      case wire::ChildFrame::REQUEST: {
        ending.requests.push_back(payload);
        if (!answer) break;
        const auto request = frame->getRequest();
        session.reply(request.getId(), [&](wire::Reply::Builder reply) { answer(request, reply); });
        break;
      }
      case wire::ChildFrame::CONSOLE: {
        const auto console = frame->getConsole();
        ending.console.push_back(
            {console.getLevel(), text_of(console.getText()), console.getTruncated()});
        break;
      }
      case wire::ChildFrame::RESULT: {
        const auto result = frame->getResult().asChars();
        ending.result = std::string(result.begin(), result.size());
        break;
      }
      case wire::ChildFrame::FAILURE:
        ending.failure = read_failure(frame->getFailure());
        break;
    }
  }
}

ScriptHost& host() {
  static ScriptHost shared;
  return shared;
}

Ending run_module(const std::string& code, const std::string& arguments) {
  return host().run({.code = code, .arguments = arguments});
}

Ending run_script(const std::string& code) {
  return host().run({.code = code, .entry = wire::Entry::SCRIPT});
}

std::string outcome(const std::string& code, const std::string& arguments) {
  return describe(run_module(code, arguments));
}

std::string describe(const Ending& ending) {
  if (ending.result) return *ending.result;
  if (!ending.failure) return "closed without a last frame";
  static constexpr const char* kKinds[] = {"threw",     "syntax",         "stuck",
                                           "badResult", "resultTooLarge", "outOfMemory"};
  return std::string(kKinds[static_cast<std::size_t>(ending.failure->kind)]) + " " +
         ending.failure->name + ": " + ending.failure->message;
}

}  // namespace cordon::testing
