#pragma once
// Puts the data of a warm zygote onto huge pages.
//
// A fork copies an entry of the page tables for each page of data, and the child's end drops it
// again; of a huge page it is one for 512, until the child writes there, and the kernel takes those
// together as well. No protection is involved: where there are no such pages, forks are slower
// (docs/decisions/040).

#include <cstddef>
#include <cstdint>

namespace cordon::engine {

// At the process's start: what the C library's heap is going to hold begins where a huge page does.
void align_heap() noexcept;

// For the end of the warm-up. `chunk_bytes`: in what pieces the engine maps its own heap. Returns
// the bytes that lie on huge pages now.
std::uint64_t move_data_to_huge_pages(std::size_t chunk_bytes) noexcept;

}  // namespace cordon::engine
