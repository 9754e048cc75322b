// Writes the seeds of binary formats, which are made here so that none is kept in the repository:
// make_seeds DIRECTORY, with one directory for each fuzz target in it.

#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>

#include "audit/chain.h"
#include "messages/frame.h"
#include "messages/session.capnp.h"

using namespace cordon;

namespace {

using Frame = wire::ChildFrame::Builder;

std::filesystem::path root;

void write(const char* target, const char* name, std::string_view bytes) {
  std::filesystem::create_directories(root / target);
  std::ofstream out(root / target / name, std::ios::binary);
  out << bytes;
  if (!out.flush()) throw std::runtime_error("cannot write a seed");
}

// ---------------------------------------------------------------------------------- sessions

template <class Fill>
std::string frame(Fill&& fill) {
  const auto message = Message<wire::ChildFrame>::build(std::forward<Fill>(fill));
  const auto header = frame_header(message.bytes().size());
  std::string bytes(reinterpret_cast<const char*>(header.data()), header.size());
  return bytes.append(reinterpret_cast<const char*>(message.bytes().data()),
                      message.bytes().size());
}

std::string result(std::string_view json) {
  return frame([=](Frame builder) {
    builder.setResult(kj::arrayPtr(reinterpret_cast<const kj::byte*>(json.data()), json.size()));
  });
}

std::string console(std::string_view text) {
  return frame([=](Frame builder) {
    auto line = builder.initConsole();
    line.setLevel(wire::ConsoleText::Level::WARN);
    line.setText(kj::StringPtr(text.data(), text.size()));
  });
}

template <class Fill>
std::string request(std::uint64_t id, Fill&& fill) {
  return frame([&](Frame builder) {
    auto request = builder.initRequest();
    request.setId(id);
    fill(request);
  });
}

using Request = wire::Request::Builder;

std::string environment(std::uint64_t id, const char* name) {
  return request(id, [=](Request builder) { builder.setEnvironment(name); });
}

std::string every_request() {
  return environment(1, "MODE") + environment(2, "HOME") +
         request(3, [](Request builder) { builder.setSecret("TOKEN"); }) +
         request(4, [](Request builder) { builder.setReadText("/etc/passwd"); }) +
         request(5,
                 [](Request builder) {
                   auto write = builder.initWriteText();
                   write.setPath("/tmp/x");
                   write.setText("text");
                 }) +
         request(7, [](Request builder) {
           auto spawn = builder.initSpawn();
           spawn.setExecutable("/bin/sh");
           spawn.initArguments(2).set(0, "-c");
         });
}

std::string fetch() {
  return request(1, [](Request builder) {
    auto fetch = builder.initFetchText();
    fetch.setUrl("http://localhost:8080/a?b=a%20very%20secret%20value");
    fetch.setMethod("POST");
    auto headers = fetch.initHeaders(2);
    headers[0].setName("x-token");
    headers[0].setValue("a very secret value");
    headers[1].setName("Host");
    headers[1].setValue("elsewhere");
    fetch.setBody("body");
  });
}

std::string failure(wire::Failure::Kind kind, std::uint64_t denied_by) {
  return frame([=](Frame builder) {
    auto failure = builder.initFailure();
    failure.setKind(kind);
    failure.setName("TypeError");
    failure.setMessage("no");
    failure.setStack("f@main.ts:1:10\n");
    failure.setDeniedBy(denied_by);
  });
}

void write_sessions() {
  const std::string requests = every_request();
  const std::string good = console("hello") + environment(1, "MODE") + result("{\"a\":[1,2.5e3]}");
  write("session", "good", good);
  write("session", "requests", requests + result("1"));
  write("session", "fetch", fetch() + result("null"));
  write("session", "denied", environment(1, "HOME") + failure(wire::Failure::Kind::THREW, 1));
  write("session", "look_alike", failure(wire::Failure::Kind::THREW, 7));
  write("session", "syntax", failure(wire::Failure::Kind::SYNTAX, 0));
  write("session", "memory", failure(wire::Failure::Kind::OUT_OF_MEMORY, 0));
  write("session", "repeated_id", environment(3, "MODE") + environment(3, "MODE"));
  write("session", "after_the_result", result("1") + requests);
  write("session", "bad_json", result("{\"a\":"));
  write("session", "long_console", console(std::string(200, 'x')) + result("1"));
  write("framing", "frames", "\x07" + good);
  write("framing", "half", "\x01" + good.substr(0, good.size() / 2));
  write("framing", "large", "\xff" + result(std::string(5000, '1')));
}

// ---------------------------------------------------------------------------------- the compiler

std::string u32(std::size_t value) {
  std::string bytes;
  for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(value >> shift));
  return bytes;
}
std::string raw(const std::string& text) { return u32(text.size()) + text; }
std::string text(const std::string& value) { return "\x03" + raw(value); }
std::string number(std::size_t value) { return "\x02" + u32(value); }
const std::string kNull(1, '\0');

struct Field {
  const char* key;
  std::string value;
};
std::string map(std::initializer_list<Field> fields) {
  std::string bytes = "\x06" + u32(fields.size());
  for (const Field& field : fields) bytes += raw(field.key) + field.value;
  return bytes;
}
std::string list(std::initializer_list<std::string> items) {
  std::string bytes = "\x05" + u32(items.size());
  for (const std::string& item : items) bytes += item;
  return bytes;
}

std::string packet(std::size_t id, const std::string& body) {
  return u32(4 + body.size()) + u32(id << 1 | 1) + body;
}

std::string transformed() {
  return map({{"code", text("let a = 1;\n")},
              {"codeFS", "\x01" + std::string(1, '\0')},
              {"errors", list({})},
              {"map", text(R"({"version":3,"sources":["m"],"mappings":"AAAA,SAAS"})")},
              {"mapFS", "\x01" + std::string(1, '\0')},
              {"warnings", list({})}});
}

std::string syntax_error(std::size_t line, std::size_t column) {
  const std::string location = map({{"column", number(column)},
                                    {"file", text("main.ts")},
                                    {"length", number(1)},
                                    {"line", number(line)},
                                    {"lineText", text("let")},
                                    {"namespace", text("")},
                                    {"suggestion", text("")}});
  return map({{"code", text("")},
              {"errors", list({map({{"id", text("")},
                                    {"location", location},
                                    {"notes", list({})},
                                    {"text", text("Unexpected end of file")}})})},
              {"map", text("")},
              {"warnings", list({})}});
}

void write_compiler() {
  // cordon-transpiler's: what follows the length, id, status, bytes of code, code and map.
  const std::string code = "const a = 1;\n";
  const std::string source_map = R"({"version":3,"sources":["main.ts"],"mappings":"AAAA"})";
  const auto quick = [](std::uint32_t id, std::uint32_t status, std::uint32_t code_bytes,
                        const std::string& rest) {
    return u32(static_cast<std::uint32_t>(12 + rest.size())) + u32(id) + u32(status) +
           u32(code_bytes) + rest;
  };
  const auto code_bytes = static_cast<std::uint32_t>(code.size());
  write("compile_protocol", "quick_good",
        quick(0, 1, code_bytes, code + source_map) + quick(1, 0, 0, ""));
  write("compile_protocol", "quick_long_code", quick(0, 1, 4'000'000'000, code + source_map));
  write("compile_protocol", "quick_declined_with_code", quick(1, 0, code_bytes, code));
  write("compile_protocol", "quick_unknown_status", quick(0, 7, code_bytes, code + source_map));
  write("compile_protocol", "good", packet(0, transformed()) + packet(1, transformed()));
  write("compile_protocol", "error", packet(1, syntax_error(2, 4)) + packet(0, transformed()));
  write("compile_protocol", "error_outside", packet(0, syntax_error(70, 4'000'000'000)));
  write("compile_protocol", "refusal", packet(0, map({{"error", text("Invalid command")}})));
  write("compile_protocol", "unknown_id", packet(9, transformed()));
  write("compile_protocol", "a_request", u32(4 + 5) + u32(2) + text("x").substr(0, 5));
  write("compile_protocol", "deep", packet(0, [] {
          std::string nested = kNull;
          for (int i = 0; i < 200; ++i) nested = list({nested});
          return nested;
        }()));
}

// ---------------------------------------------------------------------------------- the rest

std::string gzip(const std::string& plain) {
  z_stream stream{};
  if (deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("zlib");
  }
  std::string input = plain;
  std::string out(deflateBound(&stream, plain.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<unsigned char*>(input.data());
  stream.avail_in = static_cast<unsigned>(input.size());
  stream.next_out = reinterpret_cast<unsigned char*>(out.data());
  stream.avail_out = static_cast<unsigned>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

void write_responses() {
  const auto coded = [](const std::string& body) {
    return "ag"
           "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: " +
           std::to_string(body.size()) + "\r\n\r\n" + body;
  };
  write("http_response", "gzip", coded(gzip("hello, hello, hello")));
  write("http_response", "bomb", coded(gzip(std::string(100'000, 'x'))));
  const std::string chunked =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-A: 1\r\nX-A: 2\r\n\r\n"
      "3\r\nhel\r\n2;ext=\"1\"\r\nlo\r\n0\r\nTrailer: x\r\n\r\n";
  write("http_response", "chunked", "ab" + chunked);
  write("http_response", "head", "\x01z" + chunked);
  write("http_response", "continue",
        "ac"
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No\r\n\r\n");
  write("http_response", "length",
        "ad"
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
  write("http_response", "two_lengths",
        "ae"
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!");
  write("http_response", "to_the_end",
        "af"
        "HTTP/1.0 200 OK\r\n\r\nhello");
}

void write_log() {
  const auto record = Message<wire::AuditRecord>::build([](wire::AuditRecord::Builder builder) {
    builder.setSandbox("sb-1");
    builder.setCapability("filesystem.read");
    builder.setOperation("readText");
    builder.setTarget("/srv/\u00e4\u202e\n");
    builder.setReason("it is not granted");
    builder.setDurationUs(1250);
    builder.setBytes(-1);
    builder.setCount(3);
  });
  std::string log;
  ChainHead head;
  for (int i = 0; i < 3; ++i) {
    const SandboxAuditEvent event = next_event(*record.read(), head, 1'700'000'000'000 + i);
    log += to_json(event) + "\n";
    head = head_after(event);
  }
  write("audit_log", "good", log);
  write("audit_log", "first_line_missing", log.substr(log.find('\n') + 1));
}

void write_stacks() {
  const std::string map =
      R"({"version":3,"sources":["main.ts"],"names":[],"mappings":"AAAA,SAAS,EAAE;AACX;;ACAA"})";
  const std::string stack =
      "async*outer/inner<@main.ts:1:10\nf@main.ts line 3 > eval:1:2\ng@module:4:5\n@other:1:1\n";
  write("source_map", "map_and_stack", map + std::string(1, '\0') + stack);
  write("source_map", "stack", std::string(1, '\0') + stack);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  root = argv[1];
  write_sessions();
  write_compiler();
  write_responses();
  write_log();
  write_stacks();
}
