// Capability calls: arguments are checked without coercion, replies settle promises, and denials
// are genuine or not.

#include <catch2/catch.hpp>

#include "tests/script/script_host.h"

using namespace cordon::testing;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using cordon::Message;
using cordon::wire::ChildFrame;

namespace {

constexpr const char* kImport =
    "import { environment, secret, readText, writeText, fetchText, spawn, SandboxDeniedError }"
    " from 'fino:ai/sandbox/capabilities';\n";

std::string text_of(capnp::Text::Reader text) { return {text.cStr(), text.size()}; }

void answer(cordon::wire::Request::Reader request, cordon::wire::Reply::Builder reply) {
  switch (request.which()) {
    case cordon::wire::Request::ENVIRONMENT:
      return reply.setText("value of " + text_of(request.getEnvironment()));
    case cordon::wire::Request::SECRET: {
      auto denied = reply.initDenied();
      denied.setCapability("secret");
      denied.setMessage("Secret access is not granted");
      denied.setTarget(request.getSecret());
      return;
    }
    case cordon::wire::Request::READ_TEXT:
      return reply.initFailed().setMessage("no such file");
    case cordon::wire::Request::WRITE_TEXT:
      return reply.setDone();
    case cordon::wire::Request::FETCH_TEXT: {
      auto response = reply.initResponse();
      response.setStatus(404);
      auto headers = response.initHeaders(2);
      headers[0].setName("__proto__");
      headers[0].setValue("own");
      headers[1].setName("x-a");
      headers[1].setValue("b");
      response.setBody("späte Antwort");
      return;
    }
    case cordon::wire::Request::SPAWN: {
      auto exit = reply.initExit();
      const bool signalled = request.getSpawn().getArguments().size() != 0;
      exit.setCode(signalled ? -1 : 3);
      exit.setSignal(signalled ? 9 : 0);
      exit.setStdout("out");
      exit.setStderr("err");
      return;
    }
    case cordon::wire::Request::TOOL:
      return reply.initFailed().setMessage("no tool");
  }
}

Ending run(const std::string& body) { return host().run({.code = kImport + body}, answer); }

// What `call` rejects with: "name: message", and no request may have been written.
std::string refused(const std::string& call) {
  const Ending ending =
      run("export default async () => { try { await " + call +
          "; return 'accepted'; } catch (e) { return `${e.name}: ${e.message}`; } };");
  CHECK(ending.requests.empty());
  return describe(ending);
}

}  // namespace

TEST_CASE("Replies become values") {
  CHECK(describe(run("export default () => environment('A');")) == R"("value of A")");
  CHECK(describe(run("export default () => writeText('/a', 'b');")) == R"({"$undefined":true})");
  CHECK(describe(run("export default () => spawn('/bin/x');")) ==
        R"({"code":3,"signal":null,"stdout":"out","stderr":"err"})");
  CHECK(describe(run("export default () => spawn('/bin/x', ['a']);")) ==
        R"({"code":null,"signal":9,"stdout":"out","stderr":"err"})");
  CHECK(describe(run("export default () => fetchText('http://x/');")) ==
        R"({"status":404,"headers":{"__proto__":"own","x-a":"b"},"body":"späte Antwort"})");
}

TEST_CASE("Text to be written is cut where the host refuses it, at a character's end") {
  const Ending ending =
      host().run({.code = "import {writeText} from 'fino:ai/sandbox/capabilities';"
                          "export default () => { void writeText('/p', 'ab\u20accd'); };",
                  .argument_bytes = 4});
  REQUIRE(ending.requests.size() == 1);
  const auto frame = Message<ChildFrame>(ending.requests[0]);
  CHECK(text_of(frame.read()->getRequest().getWriteText().getText()) == "ab");
}

TEST_CASE("Requests carry what the guest gave") {
  const Ending ending = run(R"js(export default async () => {
    await environment('\ud800\u0000é');
    await writeText('/p', 'lone \ud800 end');
    await fetchText(new URL('http://x/y'), { method: 'PUT', headers: { A: '1', __proto__: null, b: '2' }, body: '' });
    await fetchText('u', { headers: [['a', '1'], ['a', '2']], other: {} });
    await spawn('/c', ['-x', '']);
  };)js");
  REQUIRE(ending.requests.size() == 5);
  std::uint64_t id = 0;
  for (const auto& payload : ending.requests) {
    CHECK(Message<ChildFrame>(payload).read()->getRequest().getId() == ++id);
  }
  const auto frame = [&](std::size_t i) { return Message<ChildFrame>(ending.requests[i]); };
  CHECK(text_of(frame(0).read()->getRequest().getEnvironment()) ==
        std::string("\xED\xA0\x80\0\xC3\xA9", 6));
  CHECK(text_of(frame(1).read()->getRequest().getWriteText().getText()) == "lone \xEF\xBF\xBD end");
  const auto put_frame = frame(2);
  const auto put_view = put_frame.read();
  const auto put = put_view->getRequest().getFetchText();
  CHECK(text_of(put.getUrl()) == "http://x/y");
  CHECK(text_of(put.getMethod()) == "PUT");
  REQUIRE(put.getHeaders().size() == 2);
  CHECK(text_of(put.getHeaders()[1].getName()) == "b");
  CHECK(put.hasBody());
  const auto get_frame = frame(3);
  const auto get_view = get_frame.read();
  const auto get = get_view->getRequest().getFetchText();
  CHECK_FALSE(get.hasMethod());
  CHECK_FALSE(get.hasBody());
  REQUIRE(get.getHeaders().size() == 2);
  CHECK(text_of(get.getHeaders()[1].getValue()) == "2");
  const auto spawn_frame = frame(4);
  const auto spawn_view = spawn_frame.read();
  const auto arguments = spawn_view->getRequest().getSpawn().getArguments();
  REQUIRE(arguments.size() == 2);
  CHECK(text_of(arguments[0]) == "-x");
}

TEST_CASE("A wrong type is a TypeError that names the argument, and nothing is asked") {
  const std::pair<const char*, const char*> cases[] = {
      {"environment()", "environment: argument `name` must be a string, not undefined"},
      {"secret(null)", "secret: argument `name` must be a string, not null"},
      {"readText(5)", "readText: argument `path` must be a string, not a number"},
      {"readText(['/a'])", "readText: argument `path` must be a string, not an array"},
      {"readText({})", "readText: argument `path` must be a string, not an object"},
      {"readText(new String('/a'))", "readText: argument `path` must be a string, not an object"},
      {"readText(() => '/a')", "readText: argument `path` must be a string, not a function"},
      {"writeText('/a')", "writeText: argument `text` must be a string, not undefined"},
      {"writeText(Symbol(), 'b')", "writeText: argument `path` must be a string, not a symbol"},
      {"fetchText(5n)", "fetchText: argument `url` must be a string, not a bigint"},
      {"fetchText({ href: 'http://x' })",
       "fetchText: argument `url` must be a string or a URL, not an object"},
      {"fetchText('u', null)", "fetchText: argument `init` must be an object, not null"},
      {"fetchText('u', { method: 1 })", "fetchText: `init.method` must be a string, not a number"},
      {"fetchText('u', { body: {} })", "fetchText: `init.body` must be a string, not an object"},
      {"fetchText('u', { headers: 'a' })",
       "fetchText: `init.headers` must be an object of strings or an array of pairs, not a string"},
      {"fetchText('u', { headers: new Map([['a', 'b']]) })",
       "fetchText: `init.headers` must be an object of strings or an array of pairs, not an "
       "object"},
      {"fetchText('u', { headers: { a: 1 } })",
       "fetchText: `init.headers[\\\"a\\\"]` must be a string, not a number"},
      {"fetchText('u', { headers: ['ab'] })",
       "fetchText: `init.headers[0]` must be a pair of strings, not a string"},
      {"fetchText('u', { headers: [['a']] })",
       "fetchText: `init.headers[0]` must be a pair of strings"},
      {"spawn('/a', 'b')", "spawn: argument `args` must be an array of strings, not a string"},
      {"spawn('/a', { length: 1, 0: 'b' })",
       "spawn: argument `args` must be an array of strings, not an object"},
      {"spawn('/a', [, 'b'])", "spawn: argument `args`[0] must be a string, not undefined"},
      {"spawn('/a', new Proxy([], { get: () => 1e9 }))",
       "spawn: argument `args` has too many elements"}};
  for (const auto& [call, message] : cases) {
    CAPTURE(call);
    CHECK(refused(call) == "\"TypeError: " + std::string(message) + "\"");
  }
}

TEST_CASE("No coercion hook is called, and each part is read once") {
  const Ending ending = run(R"js(export default async () => {
    let hooks = 0;
    const changing = { toString() { hooks++; return '/good'; }, toJSON() { hooks++; return '/good'; },
                       [Symbol.toPrimitive]() { hooks++; return '/good'; } };
    for (const call of [() => readText(changing), () => writeText('/a', changing), () => spawn('/a', [changing])]) {
      await call().then(() => { hooks = -1000; }, () => {});
    }
    let reads = 0;
    const args = ['a'];
    Object.defineProperty(args, 0, { get() { return `arg${++reads}`; } });
    await spawn('/a', args);
    return [hooks, reads];
  };)js");
  CHECK(describe(ending) == "[0,1]");
  REQUIRE(ending.requests.size() == 1);
  const auto view = Message<ChildFrame>(ending.requests[0]).read();
  CHECK(text_of(view->getRequest().getSpawn().getArguments()[0]) == "arg1");
}

TEST_CASE("What a getter throws is what the call rejects with") {
  CHECK(refused("fetchText('u', { get body() { throw new RangeError('mine'); } })") ==
        R"("RangeError: mine")");
}

TEST_CASE("Deep rubbish as an argument is refused cheaply") {
  CHECK(describe(run(R"js(export default async () => {
    let deep = {};
    for (let i = 0; i < 200000; i++) deep = { a: deep };
    const outcomes = [];
    for (const init of [{ headers: deep }, { body: deep }, { method: deep }]) {
      await fetchText('http://x', init).then(() => outcomes.push('sent'), (e) => outcomes.push(e.name));
    }
    return outcomes;
  };)js")) == R"(["TypeError","TypeError","TypeError"])");
}

TEST_CASE("A denial has the documented shape") {
  CHECK(
      describe(run(R"js(export default async () => {
    let e; try { await secret('KEY'); } catch (error) { e = error; }
    return [e instanceof SandboxDeniedError, e instanceof Error, e.name, e.message, e.capability, e.target,
            Object.keys(e), e.constructor === SandboxDeniedError, /^default@main.ts:3:\d+\n$/.test(e.stack)];
  };)js")) ==
      R"([true,true,"SandboxDeniedError","Secret access is not granted","secret","KEY",["capability","target"],true,true])");
}

TEST_CASE("A failure is an ordinary error with the stack of its call") {
  CHECK(describe(run("export default async () => { try { await readText('/x'); } catch (e) {"
                     "return [e.constructor === Error, e.message, "
                     "e.stack.startsWith('default@main.ts')]; } };")) ==
        R"([true,"no such file",true])");
}

TEST_CASE("An uncaught denial is linked to its request, a look-alike is not") {
  const auto denied_by = [](const std::string& body) {
    const Ending ending = run("export default async () => {" + body + "};");
    REQUIRE(ending.failure);
    CHECK(ending.failure->name == "SandboxDeniedError");
    return ending.failure->denied_by;
  };
  CHECK(denied_by("await environment('A'); await secret('KEY');") == 2);
  CHECK(denied_by("try { await secret('KEY'); } catch (e) { throw e; }") == 1);
  CHECK(denied_by("throw new SandboxDeniedError('forged', 'secret', 'KEY');") == 0);
  CHECK(denied_by("try { await secret('KEY'); } catch (e) { throw Object.assign(Object.create(e), "
                  "{ message: 'x' }); }") == 0);
}

TEST_CASE("The class of denials cannot be tampered with") {
  CHECK(
      describe(run(R"js(export default async () => {
    const attempts = [() => { SandboxDeniedError.prototype.name = 'x'; }, () => { SandboxDeniedError.x = 1; },
                      () => Object.setPrototypeOf(SandboxDeniedError, Array),
                      () => Object.setPrototypeOf(SandboxDeniedError.prototype, null)];
    let refused = 0;
    for (const attempt of attempts) try { attempt(); } catch { refused++; }
    for (const key of ['name', 'capability', 'target', 'message', 'stack']) {
      Object.defineProperty(Object.prototype, key, { set() { throw new Error('setter'); }, configurable: true });
      Object.defineProperty(Error.prototype, key, { set() { throw new Error('setter'); }, configurable: true });
    }
    globalThis.Error = class Fake {};
    Object.defineProperty = () => { throw new Error('patched'); };
    const own = new SandboxDeniedError('m', 'c', 't');
    try { await secret('KEY'); } catch (e) {
      return [refused, e.name, e.capability, e.message, own.name, own.capability, own.target, own instanceof SandboxDeniedError];
    }
  };)js")) ==
      R"([4,"SandboxDeniedError","secret","Secret access is not granted","SandboxDeniedError","c","t",true])");
}

TEST_CASE("Patched built-ins cannot forge a call or an answer") {
  const Ending ending = run(R"js(export default async () => {
    JSON.stringify = () => '{}'; JSON.parse = () => ({ ok: true, value: 'forged' });
    Array.prototype.push = () => 0; Map.prototype.get = () => (x) => x; Map.prototype.set = function () { return this; };
    Reflect.apply = Function.prototype.call = Function.prototype.apply = () => 'forged';
    Promise.resolve = () => 'forged'; String.prototype.toString = () => 'forged';
    Promise.prototype.then = function () { return this; };
    return await environment('MODE');
  };)js");
  CHECK(describe(ending) == R"("value of MODE")");
  REQUIRE(ending.requests.size() == 1);
  CHECK(text_of(Message<ChildFrame>(ending.requests[0]).read()->getRequest().getEnvironment()) ==
        "MODE");
}

TEST_CASE("Functions reached through capabilities belong to the guest's realm") {
  CHECK(
      describe(run(R"js(export default async () => {
    const promise = environment('A'); let error; try { await secret('B'); } catch (e) { error = e; }
    const probe = 'return [typeof process, typeof require, typeof Deno, typeof fetch, typeof native].join()';
    const seen = new Set();
    for (const o of [environment, promise, await promise, error, SandboxDeniedError, [], {}]) seen.add(o.constructor.constructor(probe)());
    return [...seen, String(spawn), environment instanceof Function, Object.keys(environment)];
  };)js")) ==
      R"(["undefined,undefined,undefined,undefined,undefined","function spawn() {\n    [native code]\n}",true,[]])");
}

TEST_CASE("Replies that answer nothing are ignored, and order is free") {
  Session session = host().start(
      {.code = std::string(kImport) +
               "export default () => Promise.all([environment('A'), environment('B')]);"});
  REQUIRE_FALSE(session.next().empty());
  REQUIRE_FALSE(session.next().empty());
  const auto text = [](const char* value) {
    return [value](cordon::wire::Reply::Builder reply) { reply.setText(value); };
  };
  session.reply(99, text("nobody"));
  session.reply(2, text("b"));
  session.reply(2, text("twice"));
  session.reply(1, text("a"));
  const cordon::Payload last = session.next();
  const auto view = Message<ChildFrame>(last).read();
  REQUIRE(view->isResult());
  CHECK(std::string(view->getResult().asChars().begin(), view->getResult().size()) ==
        R"(["a","b"])");
}

TEST_CASE("Many calls at once are all answered") {
  constexpr int kCalls = 5000;
  Session session =
      host().start({.code = std::string(kImport) +
                            "export default async () => { const all = await Promise.all("
                            "Array.from({ length: 5000 }, (_, i) => environment(`N${i}`)));"
                            "return all.every((value, i) => value === `reply ${i + 1}`); };"});
  for (int i = 0; i < kCalls; ++i) REQUIRE_FALSE(session.next().empty());
  for (int id = kCalls; id > 0; --id) {
    session.reply(static_cast<std::uint64_t>(id), [id](cordon::wire::Reply::Builder reply) {
      reply.setText("reply " + std::to_string(id));
    });
  }
  const cordon::Payload last = session.next();
  const auto view = Message<ChildFrame>(last).read();
  REQUIRE(view->isResult());
  CHECK(std::string(view->getResult().asChars().begin(), view->getResult().size()) == "true");
}
