#pragma once
// A dynamic loader that can only be what the kernel uses it as: another program's interpreter.
//
// The system's loader, executed by itself, runs any file that it is given, executable or not. So
// the view holds a copy in which one program header, which a loader does not need, is an
// interpreter of its own without a name: the kernel refuses to execute such a file, but never looks
// at that header in a file that it loads as an interpreter.

#include <optional>
#include <string>

namespace cordon {

// `image`: the bytes of an ELF file. None when it is not one, or has no header to spare.
std::optional<std::string> make_private_loader(std::string image);

}  // namespace cordon
