// An assembler and a virtual machine: labels, a stack, calls, memory, traps, and a disassembler that goes back.

enum Op { Push, Add, Sub, Mul, Div, Dup, Swap, Drop, Load, Store, Jump, JumpZero, Call, Return, Less, Print, Halt }
const kWithOperand: ReadonlySet<Op> = new Set([Op.Push, Op.Load, Op.Store, Op.Jump, Op.JumpZero, Op.Call]);
const kLimits = { steps: 100_000, stack: 256, memory: 64 } as const;

class Trap extends Error {
  constructor(message: string, readonly at: number) { super(`${message} at ${at}`); }
  override get name() { return 'Trap'; }
}

namespace Assembler {
  const opOf = new Map(Object.entries(Op).filter((entry): entry is [string, Op] => typeof entry[1] === 'number').map(([name, op]) => [name.toLowerCase(), op]));

  export function assemble(source: string): Int32Array {
    const labels = new Map<string, number>();
    const words: { name: string; operand?: string; line: number }[] = [];
    let size = 0;
    source.split('\n').forEach((text, i) => {
      const [code = ''] = text.split(';');
      const { label, name, operand } = /^\s*(?:(?<label>\w+):)?\s*(?:(?<name>[a-z]+)(?:\s+(?<operand>-?\w+))?)?\s*$/i.exec(code)?.groups ?? fail(`line ${i + 1}: syntax`);
      if (label !== undefined) labels.set(label, size);
      if (name === undefined) return;
      words.push({ name: name.toLowerCase(), operand, line: i + 1 });
      size += operand === undefined ? 1 : 2;
    });
    return Int32Array.from(words.flatMap(({ name, operand, line }) => {
      const op = opOf.get(name) ?? fail(`line ${line}: unknown ${name}`);
      if (kWithOperand.has(op) !== (operand !== undefined)) fail(`line ${line}: ${name} takes ${kWithOperand.has(op) ? 'an' : 'no'} operand`);
      if (operand === undefined) return [op];
      const value = /^-?\d+$/.test(operand) ? Number(operand) : labels.get(operand) ?? fail(`line ${line}: no label ${operand}`);
      return [op, value];
    }));
  }

  export function* disassemble(code: Int32Array): Generator<string> {
    for (let at = 0; at < code.length; at++) {
      const op = code[at] as Op;
      const operand = kWithOperand.has(op) ? ` ${code[++at]}` : '';
      yield Op[op].toLowerCase() + operand;
    }
  }

  function fail(message: string): never { throw new SyntaxError(message); }
}

class Machine {
  readonly #stack: number[] = [];
  readonly #calls: number[] = [];
  readonly #memory = new Int32Array(kLimits.memory);
  readonly printed: number[] = [];
  steps = 0;

  constructor(private readonly code: Int32Array, inputs: readonly number[]) { this.#memory.set(inputs); }

  run(): void {
    for (let at = 0; ;) {
      if (++this.steps > kLimits.steps) throw new Trap('too many steps', at);
      const here = at;
      const op = this.code[at++] as Op | undefined;
      const operand = op !== undefined && kWithOperand.has(op) ? this.code[at++]! : 0;
      const pop = () => this.#stack.pop() ?? trap('empty stack');
      const push = (value: number) => (this.#stack.length < kLimits.stack ? this.#stack.push(value | 0) : trap('full stack'));
      const trap = (message: string): never => { throw new Trap(message, here); };
      const cell = () => (operand >= 0 && operand < kLimits.memory ? operand : trap(`no cell ${operand}`));
      const binary = (apply: (a: number, b: number) => number) => { const b = pop(); push(apply(pop(), b)); };
      switch (op) {
        case Op.Push: push(operand); break;
        case Op.Add: binary((a, b) => a + b); break;
        case Op.Sub: binary((a, b) => a - b); break;
        case Op.Mul: binary(Math.imul); break;
        case Op.Div: binary((a, b) => (b === 0 ? trap('division by zero') : Math.trunc(a / b))); break;
        case Op.Less: binary((a, b) => Number(a < b)); break;
        case Op.Dup: { const top = pop(); push(top); push(top); break; }
        case Op.Swap: { const [b, a] = [pop(), pop()]; push(b); push(a); break; }
        case Op.Drop: pop(); break;
        case Op.Load: push(this.#memory[cell()]!); break;
        case Op.Store: this.#memory[cell()] = pop(); break;
        case Op.Jump: at = operand; break;
        case Op.JumpZero: if (pop() === 0) at = operand; break;
        case Op.Call: if (this.#calls.push(at) > kLimits.stack) trap('too many calls'); at = operand; break;
        case Op.Return: at = this.#calls.pop() ?? trap('no call'); break;
        case Op.Print: this.printed.push(pop()); break;
        case Op.Halt: return;
        default: trap('no instruction');
      }
    }
  }
}

export default (programs: Record<string, { source: string; inputs?: number[] }>) =>
  Object.entries(programs).map(([name, { source, inputs = [] }]) => {
    try {
      const code = Assembler.assemble(source);
      const again = Assembler.assemble([...Assembler.disassemble(code)].join('\n'));
      const machine = new Machine(code, inputs);
      let end = 'halted';
      try { machine.run(); } catch (error) { if (error instanceof Trap) end = error.message; else throw error; }
      return { name, printed: machine.printed, end, words: code.length, steps: machine.steps, same: String(again) === String(code) };
    } catch (error) {
      return { name, problem: (error as Error).message };
    }
  });
