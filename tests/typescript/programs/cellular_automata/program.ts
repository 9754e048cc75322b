// Conway's life with a glider and a pulsar on a torus, elementary automata, and Langton's ant.

type Cell = `${number},${number}`;
enum Direction { Up, Right, Down, Left }
const kMoves: Readonly<Record<Direction, readonly [dx: number, dy: number]>> = {
  [Direction.Up]: [0, -1], [Direction.Right]: [1, 0], [Direction.Down]: [0, 1], [Direction.Left]: [-1, 0],
};

class Life {
  private constructor(readonly width: number, readonly height: number, private readonly alive: ReadonlySet<Cell>) {}

  static parse(lines: readonly string[]): Life {
    const alive = lines.flatMap((line, y) => [...line].flatMap((char, x): Cell[] => (char === '#' ? [`${x},${y}`] : [])));
    return new Life(lines[0]!.length, lines.length, new Set(alive));
  }

  #wrap(x: number, y: number): Cell { return `${(x + this.width) % this.width},${(y + this.height) % this.height}`; }

  next(): Life {
    const neighbours = new Map<Cell, number>();
    for (const cell of this.alive) {
      const [x, y] = cell.split(',').map(Number) as [number, number];
      for (const dx of [-1, 0, 1]) for (const dy of [-1, 0, 1]) {
        if (dx === 0 && dy === 0) continue;
        const at = this.#wrap(x + dx, y + dy);
        neighbours.set(at, (neighbours.get(at) ?? 0) + 1);
      }
    }
    const alive = [...neighbours].filter(([cell, n]) => n === 3 || (n === 2 && this.alive.has(cell))).map(([cell]) => cell);
    return new Life(this.width, this.height, new Set(alive));
  }

  *generations(): Generator<Life, never> {
    for (let life: Life = this; ; life = life.next()) yield life;
  }

  get population(): number { return this.alive.size; }
  equals(other: Life): boolean { return this.alive.symmetricDifference(other.alive).size === 0; }
  toLines(): string[] {
    return Array.from({ length: this.height }, (_, y) => Array.from({ length: this.width }, (_, x) => (this.alive.has(`${x},${y}`) ? '#' : '.')).join(''));
  }

  /** After how many generations it is what it was. */
  period(limit: number): number | undefined {
    return this.generations().drop(1).take(limit).map((life, i) => [life, i + 1] as const).find(([life]) => life.equals(this))?.[1];
  }
}

function elementary(rule: number, width: number, steps: number): string[] {
  let row = Uint8Array.from({ length: width }, (_, i) => Number(i === width >> 1));
  return Array.from({ length: steps }, () => {
    const text = Array.from(row, (cell) => ' #'[cell]).join('').trimEnd();
    row = row.map((_, i) => (rule >> (4 * (row[i - 1] ?? 0) + 2 * row[i]! + (row[i + 1] ?? 0))) & 1);
    return text;
  });
}

function ant(steps: number): { black: number; at: [number, number] } {
  const black = new Set<Cell>();
  let [x, y, facing] = [0, 0, Direction.Up];
  for (let i = 0; i < steps; i++) {
    const cell: Cell = `${x},${y}`;
    facing = (facing + (black.has(cell) ? 3 : 1)) % 4;
    if (!black.delete(cell)) black.add(cell);
    const [dx, dy] = kMoves[facing];
    [x, y] = [x + dx, y + dy];
  }
  return { black: black.size, at: [x, y] };
}

export default (patterns: Record<string, string[]>, generations: number) => ({
  patterns: Object.fromEntries(Object.entries(patterns).map(([name, lines]) => {
    const life = Life.parse(lines);
    const last = life.generations().drop(generations).take(1).toArray()[0]!;
    return [name, { after: last.toLines(), population: last.population, period: life.period(40) ?? null }];
  })),
  sierpinski: elementary(90, 15, 8),
  rule110: elementary(110, 21, 4),
  ant: [ant(100), ant(11_000)],
});
