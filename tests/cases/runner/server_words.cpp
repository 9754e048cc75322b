#include "tests/cases/runner/server_words.h"

#include <zlib.h>

#include <algorithm>
#include <boost/algorithm/string/case_conv.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "tests/cases/runner/text_json.h"
#include "tests/cases/runner/words.h"

namespace cordon::cases {

namespace {

using Behaviour = RecordedServer::Behaviour;
using testing::Peer;

bool echo(Peer& peer, const Request& request) {
  std::string response = testing::ok(request.method + " " + request.target);
  if (request.method == "HEAD") response.resize(response.find("\r\n\r\n") + 4);
  return peer.send(response);
}

Behaviour fixed(std::string response) {
  return
      [response = std::move(response)](Peer& peer, const Request&) { return peer.send(response); };
}

// `text` again and again after `head`, until the client has gone.
Behaviour endless(std::string head, std::string text) {
  return [head = std::move(head), text = std::move(text)](Peer& peer, const Request&) {
    if (!peer.send(head)) return false;
    while (peer.send(text)) {
    }
    return false;
  };
}

Behaviour trickle(std::chrono::milliseconds pause) {
  return [pause](Peer& peer, const Request&) {
    if (!peer.send("HTTP/1.1 200 OK\r\n\r\n")) return false;
    while (peer.send("x") && !peer.gone_within(pause)) {
    }
    return false;
  };
}

std::string gzip_of_zeros(std::size_t size) {
  std::string out;
  z_stream stream{};
  if (deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("zlib");
  std::vector<Bytef> zeros(std::size_t{1} << 16U), piece(std::size_t{1} << 16U);
  for (int state = Z_OK; state != Z_STREAM_END;) {
    if (stream.avail_in == 0 && size > 0) {
      const std::size_t part = std::min(size, zeros.size());
      stream.next_in = zeros.data();
      stream.avail_in = static_cast<uInt>(part);
      size -= part;
    }
    stream.next_out = piece.data();
    stream.avail_out = static_cast<uInt>(piece.size());
    state = deflate(&stream, size == 0 ? Z_FINISH : Z_NO_FLUSH);
    out.append(reinterpret_cast<const char*>(piece.data()), piece.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  return out;
}

// "Name: value and Other: value, body text", in any part.
Behaviour status(const std::string& code, std::string rest, const std::string& words) {
  std::string headers, body;
  while (!rest.empty()) {
    if (const auto part = says(rest, "(?:an? )?(?:empty|no) body")) {
      rest.clear();
    } else if (const auto size =
                   says(rest, "(?:an? |the )?body of ([\\d ,]+) ?(bytes|[KMG]i?B)(?: of zeros)?")) {
      body.assign(byte_count((*size)[1], (*size)[2]), '0');
      rest.clear();
    } else if (const auto text = says(rest, "(?:the |a )?body:? \"?(.*?)\"?")) {
      body = (*text)[1];
      rest.clear();
    } else if (const auto header = says(
                   rest,
                   "([A-Za-z][A-Za-z-]*): ?(\\S*?)(?:,? (?:and|with)(?: with)? (.*)|, (.*))?")) {
      headers += (*header)[1].str() + ": " + (*header)[2].str() + "\r\n";
      rest = (*header)[3].matched ? (*header)[3].str() : (*header)[4].str();
    } else {
      throw Unknown("the server wording \"" + words + "\" from \"" + rest + "\" on");
    }
  }
  return fixed("HTTP/1.1 " + code + " Status\r\n" + headers +
               "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
}

Behaviour phrase(const std::string& text, const std::string& words) {
  static const std::string kOk = "HTTP/1.1 200 OK\r\n";
  static const std::string kZeros(std::size_t{1} << 16U, '0');
  if (says(text, "(?:is )?echo(?:es|ed)?")) return echo;
  if (const auto match = says(text,
                              "(?:answers|returns|responds|replies|sends)(?: with)?(?: status)? "
                              "(\\d{3})(?:,?(?: with| and)? (.*))?"))
    return status((*match)[1], (*match)[2], words);
  if (const auto match =
          says(text, "(?:streams|sends)(?: zeros| bytes| text| data| a body)? " + kForEver +
                         "(?:,? (?:with )?(?:no|without(?: a)?) Content-Length)?"))
    return endless(kOk + "\r\n", kZeros);
  if (says(text, "(?:streams|sends)(?: zeros| bytes| text| data| a body)? " + kForEver +
                     ",? (?:chunked|in chunks|with chunked encoding)"))
    return endless(kOk + "Transfer-Encoding: chunked\r\n\r\n", "10000\r\n" + kZeros + "\r\n");
  if (says(text,
           "sends (?:endless headers|headers " + kForEver + "|header lines " + kForEver + ")"))
    return endless(kOk, "X-Header: 0123456789012345678901234567890123456789\r\n");
  if (const auto match =
          says(text,
               "sends (?:the )?headers at once, (?:and )?then one byte (?:a|an|every|per|each) "
               "(?:(\\d+) ?)?(ms|milliseconds?|s|seconds?)(?: " +
                   kForEver + ")?"))
    return trickle(duration((*match)[1], (*match)[2]));
  if (const auto match =
          says(text, ".*gzip.*?([\\d ,]+) ?(bytes|[KMG]i?B)(?: of zeros?| of zero bytes)?"))
    return
        [body = gzip_of_zeros(byte_count((*match)[1], (*match)[2]))](Peer& peer, const Request&) {
          return peer.send(kOk + "Content-Encoding: gzip\r\nContent-Length: " +
                           std::to_string(body.size()) + "\r\n\r\n" + body);
        };
  if (const auto match = says(text,
                              "(?:answers|sends|returns)(?: with)? (?:a body of )?([\\d ,]+) ?"
                              "(bytes|[KMG]i?B)(?: of zeros| of text)?"))
    return fixed(testing::ok(std::string(byte_count((*match)[1], (*match)[2]), '0')));
  if (says(
          text,
          "(?:accepts (?:the connection )?and )?(?:never answers|hangs|stays silent|says nothing)"))
    return [](Peer& peer, const Request&) {
      peer.wait_for_end();
      return false;
    };
  if (says(text, "closes(?: the connection)?(?: at once| without an answer| without answering)?"))
    return [](Peer&, const Request&) { return false; };
  throw Unknown("the server wording \"" + text + "\" in \"" + words + "\"");
}

struct Rule {
  std::string method;  // "": any
  std::string target;  // "": any
  Behaviour behaviour;
};

Rule rule_of(const std::string& clause) {
  if (const auto match = says(clause, "(?:(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) )?(/\\S*) (.*)"))
    return {boost::to_upper_copy((*match)[1].str()), (*match)[2], phrase((*match)[3], clause)};
  if (const auto match =
          says(clause,
               "(?:all else|all others?|(?:any|every)thing(?: "
               "else)?|(?:any|every|each|all) (?:other )?(?:request|path)s?)(?: is)? (.*)"))
    return {"", "", phrase((*match)[1], clause)};
  return {"", "", phrase(clause, clause)};
}

}  // namespace

Behaviour server_behaviour(const std::string& words) {
  std::vector<Rule> rules;
  for (const std::string& clause : clauses(words)) rules.push_back(rule_of(clause));
  if (rules.empty()) throw Unknown("a server that is said nothing about");
  return [rules = std::move(rules)](Peer& peer, const Request& request) {
    for (const Rule& rule : rules) {
      const bool same_target =
          rule.target.empty() || rule.target == request.target.substr(0, request.target.find('?'));
      if (same_target && (rule.method.empty() || rule.method == request.method))
        return rule.behaviour(peer, request);
    }
    return echo(peer, request);
  };
}

}  // namespace cordon::cases
