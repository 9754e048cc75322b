// Matrices over exact fractions: product, determinant, inverse, powers, and linear equations.

class Fraction {
  static readonly zero = new Fraction(0n);
  static readonly one = new Fraction(1n);
  readonly numerator: bigint;
  readonly denominator: bigint;

  constructor(numerator: bigint, denominator = 1n) {
    if (denominator === 0n) throw new RangeError('division by zero');
    const divisor = Fraction.#gcd(numerator, denominator) * (denominator < 0n ? -1n : 1n);
    this.numerator = numerator / divisor;
    this.denominator = denominator / divisor;
  }

  static #gcd(a: bigint, b: bigint): bigint {
    while (b !== 0n) [a, b] = [b, a % b];
    return a < 0n ? -a : a;
  }

  static parse(text: string | number): Fraction {
    const { sign, whole, part, below } = /^(?<sign>-?)(?<whole>\d+)(?:\.(?<part>\d+)|\/(?<below>\d+))?$/.exec(String(text))?.groups ?? {};
    if (whole === undefined) throw new SyntaxError(`not a number: ${text}`);
    const digits = BigInt(whole + (part ?? ''));
    return new Fraction(sign ? -digits : digits, below !== undefined ? BigInt(below) : 10n ** BigInt(part?.length ?? 0));
  }

  plus(other: Fraction): Fraction { return new Fraction(this.numerator * other.denominator + other.numerator * this.denominator, this.denominator * other.denominator); }
  minus(other: Fraction): Fraction { return this.plus(new Fraction(-other.numerator, other.denominator)); }
  times(other: Fraction): Fraction { return new Fraction(this.numerator * other.numerator, this.denominator * other.denominator); }
  over(other: Fraction): Fraction { return new Fraction(this.numerator * other.denominator, this.denominator * other.numerator); }
  get isZero(): boolean { return this.numerator === 0n; }
  toString(): string { return this.denominator === 1n ? `${this.numerator}` : `${this.numerator}/${this.denominator}`; }
}

class Matrix {
  private constructor(private readonly rows: readonly (readonly Fraction[])[]) {}

  static of(rows: readonly (readonly (string | number)[])[]): Matrix { return new Matrix(rows.map((row) => row.map(Fraction.parse))); }
  static identity(size: number): Matrix {
    return new Matrix(Array.from({ length: size }, (_, i) => Array.from({ length: size }, (_, j) => (i === j ? Fraction.one : Fraction.zero))));
  }

  times(other: Matrix): Matrix {
    if (this.rows[0]!.length !== other.rows.length) throw new RangeError(`${this.rows[0]!.length} columns times ${other.rows.length} rows`);
    return new Matrix(this.rows.map((row) => other.rows[0]!.map((_, j) => row.reduce((sum, value, k) => sum.plus(value.times(other.rows[k]![j]!)), Fraction.zero))));
  }

  power(exponent: number): Matrix {
    if (exponent === 0) return Matrix.identity(this.rows.length);
    const half = this.power(exponent >> 1);
    return exponent % 2 === 0 ? half.times(half) : half.times(half).times(this);
  }

  transposed(): Matrix { return new Matrix(this.rows[0]!.map((_, j) => this.rows.map((row) => row[j]!))); }

  /** Gauss and Jordan's elimination of [this | right]: the determinant of this, and the right side that remains. */
  eliminate(right: Matrix): { determinant: Fraction; right: Matrix } {
    const size = this.rows.length;
    const rows = this.rows.map((row, i) => [...row, ...right.rows[i]!]);
    let determinant = Fraction.one;
    for (let column = 0; column < size; column++) {
      const pivot = rows.findIndex((row, i) => i >= column && !row[column]!.isZero);
      if (pivot < 0) return { determinant: Fraction.zero, right };
      if (pivot !== column) {
        [rows[pivot], rows[column]] = [rows[column]!, rows[pivot]!];
        determinant = Fraction.zero.minus(determinant);
      }
      const lead = rows[column]![column]!;
      determinant = determinant.times(lead);
      rows[column] = rows[column]!.map((value) => value.over(lead));
      for (let i = 0; i < size; i++) {
        const factor = rows[i]![column]!;
        if (i !== column && !factor.isZero) rows[i] = rows[i]!.map((value, j) => value.minus(factor.times(rows[column]![j]!)));
      }
    }
    return { determinant, right: new Matrix(rows.map((row) => row.slice(size))) };
  }

  get determinant(): Fraction { return this.eliminate(Matrix.identity(this.rows.length)).determinant; }

  inverse(): Matrix {
    const { determinant, right } = this.eliminate(Matrix.identity(this.rows.length));
    if (determinant.isZero) throw new RangeError('singular');
    return right;
  }

  toText(): string[] { return this.rows.map((row) => row.join(' ')); }
}

export default (rows: (string | number)[][], right: (string | number)[]) => {
  const matrix = Matrix.of(rows);
  const column = Matrix.of(right.map((value) => [value]));
  const inverse = matrix.inverse();
  let singular = '';
  try { Matrix.of([[1, 2], [2, 4]]).inverse(); } catch (error) { singular = (error as Error).message; }
  return {
    determinant: String(matrix.determinant),
    inverse: inverse.toText(),
    identity: matrix.times(inverse).toText(),
    solution: matrix.eliminate(column).right.toText(),
    transposed: Matrix.of([[1, 2, 3], ['1/2', 0.25, -4]]).transposed().toText(),
    fibonacci: Matrix.of([[1, 1], [1, 0]]).power(90).toText()[0],
    singular,
  };
};
