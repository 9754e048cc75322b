#include "capabilities/http/resolver.h"

#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "capabilities/http/network_errors.h"
#include "capabilities/shortage.h"

namespace cordon {

namespace {

namespace asio = boost::asio;

constexpr std::size_t kMaxThreads = 64;
constexpr std::chrono::seconds kIdle{10};  // then a thread ends

SystemResolver::Addresses ask_system(const std::string& host) {
  asio::io_context unused;
  asio::ip::tcp::resolver resolver(unused);
  boost::system::error_code error;
  const auto entries =
      resolver.resolve(host, "", asio::ip::resolver_base::address_configured, error);
  // The library does not say when it had no descriptor left to ask with.
  if (error && shortage_of_descriptors() != 0) {
    return std::string(describe(asio::error::no_descriptors));
  }
  if (error == asio::error::host_not_found || error == asio::error::no_data)
    return std::string("name not found");
  if (error) return std::string("name could not be resolved");
  std::vector<asio::ip::address> addresses;
  for (const auto& entry : entries) addresses.push_back(entry.endpoint().address());
  return addresses;
}

}  // namespace

// What the threads share; each of them holds it.
class SystemResolver::LookUps : public std::enable_shared_from_this<LookUps> {
 public:
  explicit LookUps(LookUp look_up) : look_up_(std::move(look_up)) {}

  void add(std::string host, OnAddresses on_addresses) {
    std::unique_lock lock(mutex_);
    if (stopped_) return;
    auto& asking = asking_[host];
    asking.push_back(std::move(on_addresses));
    if (asking.size() > 1) return;
    waiting_.push_back(host);
    if (idle_ >= waiting_.size() || threads_ == kMaxThreads || start_thread()) {
      changed_.notify_one();
      return;
    }
    if (threads_ > 0) return;  // another one gets to it
    waiting_.pop_back();
    answer(lock, host,
           std::string("no thread to look the name up on: raise the limit of processes"));
  }

  void stop() {
    std::unique_lock lock(mutex_);
    stopped_ = true;
    asking_.clear();
    waiting_.clear();
    changed_.notify_all();
    // None that looks nothing up is left, and none that calls back.
    changed_.wait(lock, [this] { return threads_ == looking_up_ && answering_ == 0; });
  }

 private:
  bool start_thread() {
    try {
      std::thread([self = shared_from_this()] { self->run(); }).detach();
    } catch (const std::system_error&) {
      return false;
    }
    ++threads_;
    return true;
  }

  void run() {
    std::unique_lock lock(mutex_);
    while (!stopped_) {
      if (waiting_.empty()) {
        ++idle_;
        const bool bored = changed_.wait_for(lock, kIdle) == std::cv_status::timeout;
        --idle_;
        if (bored && waiting_.empty()) break;
        continue;
      }
      const std::string host = std::move(waiting_.front());
      waiting_.pop_front();
      ++looking_up_;
      lock.unlock();
      const Addresses addresses = look_up_(host);
      lock.lock();
      --looking_up_;
      answer(lock, host, addresses);
    }
    --threads_;
    if (stopped_) changed_.notify_all();
  }

  void answer(std::unique_lock<std::mutex>& lock, const std::string& host,
              const Addresses& addresses) {
    const auto found = asking_.find(host);
    if (found == asking_.end()) return;
    const std::vector<OnAddresses> asking = std::move(found->second);
    asking_.erase(found);
    ++answering_;
    lock.unlock();
    for (const OnAddresses& on_addresses : asking) on_addresses(addresses);
    lock.lock();
    --answering_;
    if (stopped_) changed_.notify_all();
  }

  const LookUp look_up_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, std::vector<OnAddresses>> asking_;  // by name, also while it is looked up
  std::deque<std::string> waiting_;                         // names that no thread has begun with
  std::size_t threads_ = 0;
  std::size_t idle_ = 0;
  std::size_t looking_up_ = 0;
  std::size_t answering_ = 0;
  bool stopped_ = false;
};

SystemResolver::SystemResolver() : SystemResolver(ask_system) {}

SystemResolver::SystemResolver(LookUp look_up)
    : look_ups_(std::make_shared<LookUps>(std::move(look_up))) {}

void SystemResolver::resolve(std::string host, OnAddresses on_addresses) {
  look_ups_->add(std::move(host), std::move(on_addresses));
}

void SystemResolver::stop() { look_ups_->stop(); }

}  // namespace cordon
