#include "tests/engine/bpf_evaluator.h"

#include <cstring>
#include <stdexcept>

namespace cordon::test {

std::uint32_t evaluate(std::span<const sock_filter> program, const seccomp_data& data) {
  std::uint32_t accumulator = 0;
  for (std::size_t at = 0; at < program.size(); ++at) {
    const sock_filter& step = program[at];
    switch (step.code) {
      case BPF_LD | BPF_W | BPF_ABS:
        if (step.k > sizeof data - 4 || step.k % 4 != 0) throw std::logic_error("load");
        std::memcpy(&accumulator, reinterpret_cast<const char*>(&data) + step.k, 4);
        break;
      case BPF_ALU | BPF_AND | BPF_K:
        accumulator &= step.k;
        break;
      case BPF_JMP | BPF_JEQ | BPF_K:
        at += accumulator == step.k ? step.jt : step.jf;
        break;
      case BPF_JMP | BPF_JGE | BPF_K:
        at += accumulator >= step.k ? step.jt : step.jf;
        break;
      case BPF_JMP | BPF_JGT | BPF_K:
        at += accumulator > step.k ? step.jt : step.jf;
        break;
      case BPF_JMP | BPF_JA:
        at += step.k;
        break;
      case BPF_RET | BPF_K:
        return step.k;
      default:
        throw std::logic_error("unknown instruction");
    }
  }
  throw std::logic_error("no return");
}

}  // namespace cordon::test
