#pragma once
// A queue in which tenants take turns: as many tenants as wait get as many equal shares, however
// much one of them asks for. Within a tenant the order is that of arrival.

#include <algorithm>
#include <cstddef>
#include <deque>
#include <list>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace cordon {

// Not thread-safe.
template <class T>
class FairQueue {
 public:
  void push(const std::string& tenant, T item) {
    const auto [found, fresh] = index_.try_emplace(tenant);
    // Who was away takes a turn after all who wait already.
    if (fresh) found->second = turns_.insert(turns_.end(), Tenant{tenant, {}});
    found->second->items.push_back(std::move(item));
    ++size_;
  }

  // The next item of the first tenant in turn that may have one.
  template <class MayStart>
  std::optional<T> pop(MayStart&& may_start) {
    const auto next = std::find_if(turns_.begin(), turns_.end(),
                                   [&](const Tenant& each) { return may_start(each.name); });
    if (next == turns_.end()) return std::nullopt;
    turns_.splice(turns_.end(), turns_, next);
    return take(next, next->items.begin());
  }

  // The first item that is so.
  template <class Wanted>
  std::optional<T> remove(Wanted&& wanted) {
    for (auto tenant = turns_.begin(); tenant != turns_.end(); ++tenant) {
      const auto item = std::find_if(tenant->items.begin(), tenant->items.end(), wanted);
      if (item != tenant->items.end()) return take(tenant, item);
    }
    return std::nullopt;
  }

  // Makes room for one item of `tenant` at the cost of the one that has most, if it would still
  // have no fewer then: its newest item that may go.
  template <class MayGo>
  std::optional<T> displace_for(const std::string& tenant, MayGo&& may_go) {
    const auto most = std::max_element(
        turns_.begin(), turns_.end(),
        [](const Tenant& a, const Tenant& b) { return a.items.size() < b.items.size(); });
    if (most == turns_.end() || most->items.size() < size_of(tenant) + 2) return std::nullopt;
    const auto item = std::find_if(most->items.rbegin(), most->items.rend(), may_go);
    if (item == most->items.rend()) return std::nullopt;
    return take(most, std::prev(item.base()));
  }

  bool empty() const { return size_ == 0; }
  std::size_t size() const { return size_; }
  std::size_t size_of(const std::string& tenant) const {
    const auto found = index_.find(tenant);
    return found == index_.end() ? 0 : found->second->items.size();
  }

 private:
  struct Tenant {
    std::string name;
    std::deque<T> items;  // never empty
  };
  using Turn = typename std::list<Tenant>::iterator;

  T take(Turn tenant, typename std::deque<T>::iterator item) {
    T taken = std::move(*item);
    tenant->items.erase(item);
    if (tenant->items.empty()) {
      index_.erase(tenant->name);
      turns_.erase(tenant);
    }
    --size_;
    return taken;
  }

  std::list<Tenant> turns_;  // whose turn is next first
  std::unordered_map<std::string, Turn> index_;
  std::size_t size_ = 0;
};

}  // namespace cordon
