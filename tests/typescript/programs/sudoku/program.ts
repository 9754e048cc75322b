// A sudoku solver: candidates as bits, naked and hidden singles, then search; it also counts solutions.

type Grid = Uint8Array; // 81 cells, 0 is empty
const kAll = 0b1_1111_1111;

const unitsOf: readonly (readonly number[])[] = [
  ...Array.from({ length: 9 }, (_, r) => Array.from({ length: 9 }, (_, c) => 9 * r + c)),
  ...Array.from({ length: 9 }, (_, c) => Array.from({ length: 9 }, (_, r) => 9 * r + c)),
  ...Array.from({ length: 9 }, (_, b) => Array.from({ length: 9 }, (_, i) => 27 * Math.floor(b / 3) + 3 * (b % 3) + 9 * Math.floor(i / 3) + (i % 3))),
];
const peersOf: readonly ReadonlySet<number>[] = Array.from({ length: 81 }, (_, cell) =>
  new Set(unitsOf.filter((unit) => unit.includes(cell)).flat()).difference(new Set([cell])));

const bitCount = (bits: number): number => { let n = 0; for (; bits; bits &= bits - 1) n++; return n; };
const digitOf = (bit: number): number => 32 - Math.clz32(bit);

class Board {
  #candidates: Uint16Array;
  constructor(private readonly grid: Grid, candidates?: Uint16Array) {
    this.#candidates = candidates ?? new Uint16Array(81).fill(kAll);
  }

  static parse(text: string): Board | null {
    const digits = text.replace(/[^\d.]/g, '').replaceAll('.', '0');
    if (digits.length !== 81) throw new RangeError(`${digits.length} cells instead of 81`);
    const board = new Board(new Uint8Array(81));
    return [...digits].every((digit, cell) => digit === '0' || board.place(cell, Number(digit))) ? board : null;
  }

  copy(): Board { return new Board(this.grid.slice(), this.#candidates.slice()); }
  get text(): string { return this.grid.join(''); }

  place(cell: number, digit: number): boolean {
    const bit = 1 << (digit - 1);
    if (this.grid[cell] === digit) return true;
    if (this.grid[cell] !== 0 || !(this.#candidates[cell]! & bit)) return false;
    this.grid[cell] = digit;
    this.#candidates[cell] = bit;
    for (const peer of peersOf[cell]!) {
      if (this.grid[peer] === digit) return false;
      this.#candidates[peer]! &= ~bit;
      if (this.#candidates[peer] === 0) return false;
    }
    return true;
  }

  /** Places what is forced. False when that leads to a contradiction. */
  propagate(): boolean {
    for (let changed = true; changed;) {
      changed = false;
      for (let cell = 0; cell < 81; cell++) {
        if (this.grid[cell] !== 0 || bitCount(this.#candidates[cell]!) !== 1) continue;
        if (!this.place(cell, digitOf(this.#candidates[cell]!))) return false;
        changed = true;
      }
      for (const unit of unitsOf) {
        for (let digit = 1; digit <= 9; digit++) {
          const places = unit.filter((cell) => this.#candidates[cell]! & (1 << (digit - 1)));
          if (places.length === 0) return false;
          if (places.length > 1 || this.grid[places[0]!] !== 0) continue;
          if (!this.place(places[0]!, digit)) return false;
          changed = true;
        }
      }
    }
    return true;
  }

  *solutions(): Generator<string, void> {
    if (!this.propagate()) return;
    const open = [...this.grid.keys()].filter((cell) => this.grid[cell] === 0);
    if (open.length === 0) return yield this.text;
    const cell = open.reduce((best, at) => (bitCount(this.#candidates[at]!) < bitCount(this.#candidates[best]!) ? at : best));
    for (let digit = 1; digit <= 9; digit++) {
      if (!(this.#candidates[cell]! & (1 << (digit - 1)))) continue;
      const next = this.copy();
      if (next.place(cell, digit)) yield* next.solutions();
    }
  }
}

const isSolved = (text: string): boolean => unitsOf.every((unit) => new Set(unit.map((cell) => text[cell])).size === 9) && !text.includes('0');

export default (puzzles: string[]) => puzzles.map((puzzle) => {
  try {
    const solutions = Board.parse(puzzle)?.solutions().take(2).toArray() ?? [];
    const [first = ''] = solutions;
    const given = puzzle.replace(/[^\d.]/g, '');
    return { solutions: solutions.length, only: solutions.length === 1 ? first : '', solved: isSolved(first), keepsGiven: [...given].every((digit, i) => '0.'.includes(digit) || first[i] === digit) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
});
