#include "actors/compile/compiler_service.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "actors/compile/quick_protocol.h"
#include "actors/process/watch.h"

namespace cordon {
namespace {

constexpr std::size_t kReadBytes = std::size_t{64} << 10;
constexpr int kReadsPerTurn = 16;  // then others on the I/O thread have theirs

// JavaScript and map are a few times as long as their source at most, apart from the fixed text of
// helpers; a longer answer is an attack on our memory.
constexpr std::size_t kFixedAnswerBytes = std::size_t{1} << 20;
constexpr std::size_t kAnswerBytesPerSourceByte = 32;

std::size_t answer_limit(std::size_t source_bytes) {
  return std::min(esbuild::kMaxPacketBytes,
                  kFixedAnswerBytes + source_bytes * kAnswerBytesPerSourceByte);
}

const auto kAllSuspect = [](std::uint32_t, const auto&) { return true; };

auto only(std::uint32_t suspect) {
  return [suspect](std::uint32_t id, const auto&) { return id == suspect; };
}

}  // namespace

const ServiceProtocol kEsbuildProtocol{
    .encode =
        [](std::uint32_t id, const CompileRequest& request) {
          return esbuild::encode_transform(
              id, request.source,
              {.experimental_decorators = request.experimental_decorators,
               .one_line_tokens = request.one_line_tokens});
        },
    .decode_id = [](std::string_view bytes) { return esbuild::decode_answer_id(bytes); },
    .decode = [](std::string_view body) { return esbuild::decode_answer(body); }};

const ServiceProtocol kQuickProtocol{
    .encode =
        [](std::uint32_t id, const CompileRequest& request) {
          return quick::encode_request(id, request.source);
        },
    .decode_id = [](std::string_view bytes) -> std::optional<std::uint32_t> {
      return quick::decode_answer_id(bytes);
    },
    .decode = [](std::string_view body) { return quick::decode_answer(body); }};

CompilerService::CompilerService(boost::asio::io_context& io, const ServiceProtocol& protocol,
                                 std::chrono::milliseconds deadline, Events events)
    : protocol_(protocol),
      socket_(io),
      timer_(io),
      deadline_(deadline),
      events_(std::move(events)) {}

Result<std::shared_ptr<CompilerService>, StartFailure> CompilerService::open(
    boost::asio::io_context& io, const ServiceProtocol& protocol, LaunchedService service,
    std::chrono::milliseconds deadline, Events events) {
  std::shared_ptr<CompilerService> opened(
      new CompilerService(io, protocol, deadline, std::move(events)));
  auto failure = watch(opened->socket_, service.channel, boost::asio::local::stream_protocol());
  if (failure) return *std::move(failure);
  opened->process_ = std::move(service.process);
  opened->wait_readable();
  return opened;
}

void CompilerService::send(CompileJob job) {
  const std::uint32_t id = next_id_++ & esbuild::kMaxId;
  outgoing_.push_back(protocol_.encode(id, job.request));
  bytes_in_flight_ += job.request.source.size();
  ++job.times_sent;
  flight_.emplace(id, Flight{std::move(job), Clock::now() + deadline_});
  if (flight_.size() == 1) wait_deadline();
  flush();
}

std::chrono::steady_clock::duration CompilerService::slowness() const {
  if (flight_.empty()) return {};
  return Clock::now() - (flight_.begin()->second.deadline - deadline_);
}

ServiceRemains CompilerService::close() {
  return remains("closed", [](std::uint32_t, const Flight&) { return false; });
}

void CompilerService::wait_readable() {
  socket_.async_wait(socket_.wait_read,
                     [weak = weak_from_this()](const boost::system::error_code& error) {
                       const auto self = weak.lock();
                       if (self && !error && self->is_open()) self->on_readable();
                     });
}

void CompilerService::wait_writable() {
  if (std::exchange(waiting_writable_, true)) return;
  socket_.async_wait(socket_.wait_write,
                     [weak = weak_from_this()](const boost::system::error_code& error) {
                       const auto self = weak.lock();
                       if (!self || error || !self->is_open()) return;
                       self->waiting_writable_ = false;
                       self->flush();
                     });
}

void CompilerService::wait_deadline() {
  if (flight_.empty()) {
    timer_.cancel();
    return;
  }
  timer_.expires_at(flight_.begin()->second.deadline);
  timer_.async_wait([weak = weak_from_this()](const boost::system::error_code& error) {
    const auto self = weak.lock();
    if (!self || error || !self->is_open() || self->flight_.empty()) return;
    const auto now = Clock::now();
    if (self->flight_.begin()->second.deadline > now) return self->wait_deadline();
    self->break_off("did not answer in time",
                    [now](std::uint32_t, const Flight& flight) { return flight.deadline <= now; });
  });
}

void CompilerService::flush() {
  while (!outgoing_.empty()) {
    const std::string_view left = std::string_view(outgoing_.front()).substr(written_);
    const ssize_t sent =
        ::send(socket_.native_handle(), left.data(), left.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    // Any other error means that the service has ended: the reading side sees that too, and after
    // the answers that are still on their way.
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno == EAGAIN) return wait_writable();
    if (sent < 0) {
      outgoing_.clear();
      written_ = 0;
      return;
    }
    written_ += static_cast<std::size_t>(sent);
    if (written_ < outgoing_.front().size()) continue;
    outgoing_.pop_front();
    written_ = 0;
  }
}

void CompilerService::on_readable() {
  for (int reads = 0; reads < kReadsPerTurn; ++reads) {
    const std::size_t filled = incoming_.size();
    incoming_.resize(filled + kReadBytes);
    const ssize_t got =
        ::recv(socket_.native_handle(), incoming_.data() + filled, kReadBytes, MSG_DONTWAIT);
    incoming_.resize(filled + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) break;
    if (got <= 0) return break_off("ended", kAllSuspect);
    parse();
    if (!is_open()) return;
  }
  wait_readable();
}

void CompilerService::parse() {
  std::string_view rest = incoming_;
  std::size_t parsed = 0;
  while (rest.size() >= esbuild::kLengthBytes + esbuild::kIdBytes) {
    const std::size_t length = esbuild::read_u32(rest);
    rest.remove_prefix(esbuild::kLengthBytes);
    const std::optional<std::uint32_t> id = protocol_.decode_id(rest.substr(0, esbuild::kIdBytes));
    const auto found = id ? flight_.find(*id) : flight_.end();
    if (found == flight_.end()) return break_off("answered what nobody had asked", kAllSuspect);
    if (length < esbuild::kIdBytes ||
        length > answer_limit(found->second.job.request.source.size())) {
      return break_off("gave an answer of a forbidden length", only(*id));
    }
    if (rest.size() < length) break;
    take_answer(*id, rest.substr(esbuild::kIdBytes, length - esbuild::kIdBytes));
    if (!is_open()) return;
    rest.remove_prefix(length);
    parsed += esbuild::kLengthBytes + length;
  }
  incoming_.erase(0, parsed);
  if (incoming_.empty()) incoming_.shrink_to_fit();
}

void CompilerService::take_answer(std::uint32_t id, std::string_view body) {
  std::optional<esbuild::Answer> answer = protocol_.decode(body);
  if (!answer) return break_off("gave an answer without sense", only(id));
  const auto found = flight_.find(id);
  CompileJob job = std::move(found->second.job);
  flight_.erase(found);
  bytes_in_flight_ -= job.request.source.size();
  wait_deadline();
  events_.on_answer(std::move(job), *std::move(answer));
}

void CompilerService::break_off(std::string reason, const IsSuspect& is_suspect) {
  const auto on_broken = std::move(events_.on_broken);
  on_broken(remains(std::move(reason), is_suspect));
}

ServiceRemains CompilerService::remains(std::string reason, const IsSuspect& is_suspect) {
  boost::system::error_code ignored;
  timer_.cancel();
  socket_.close(ignored);
  outgoing_.clear();
  incoming_.clear();
  ServiceRemains left{std::move(reason), {}, {}, std::move(process_)};
  for (auto& [id, flight] : std::exchange(flight_, {})) {
    auto& side = is_suspect(id, flight) ? left.suspects : left.innocents;
    side.push_back(std::move(flight.job));
  }
  bytes_in_flight_ = 0;
  return left;
}

}  // namespace cordon
