#include "capabilities/process/private_loader.h"

#include <elf.h>

#include <array>
#include <cstring>

namespace cordon {

namespace {

// In the order of how little they are missed.
constexpr std::array<std::uint32_t, 2> kSpareHeaders = {PT_GNU_STACK, PT_NOTE};

}  // namespace

std::optional<std::string> make_private_loader(std::string image) {
  Elf64_Ehdr header{};
  if (image.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, image.data(), sizeof header);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_phentsize != sizeof(Elf64_Phdr) || header.e_phoff > image.size() ||
      (image.size() - header.e_phoff) / sizeof(Elf64_Phdr) < header.e_phnum) {
    return std::nullopt;
  }
  for (const std::uint32_t spare : kSpareHeaders) {
    for (std::size_t i = 0; i < header.e_phnum; ++i) {
      char* const place = image.data() + header.e_phoff + i * sizeof(Elf64_Phdr);
      Elf64_Phdr segment{};
      std::memcpy(&segment, place, sizeof segment);
      if (segment.p_type != spare) continue;
      segment.p_type = PT_INTERP;
      segment.p_filesz = 0;
      std::memcpy(place, &segment, sizeof segment);
      return image;
    }
  }
  return std::nullopt;
}

}  // namespace cordon
