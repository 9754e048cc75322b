// Positions are those of the TypeScript, through everything that the compiler removes or rewrites.

interface Removed {
  a: string;
  b: number;
}
enum Kind { First = 1, Second }
const enum Inlined { X = 10 }
type Mapped<T> = {
  [K in keyof T]: T[K];
};
declare function ghost(): void;
abstract class Base<T extends object> {
  constructor(protected readonly value: T, private label = 'base') {}
  abstract run(kind: Kind): void;
}
namespace Space {
  export function thrower(kind: Kind): never {
    throw new RangeError(`kind ${Kind[kind]} ${Inlined.X}`);
  }
}
class Derived extends Base<Mapped<Removed>> {
  accessor count = 0;
  override run(kind: Kind): void {
    Space.thrower(kind);
  }
}
export default (): void => {
  const derived = new Derived({ a: '', b: 1 } satisfies Removed);
  derived.run(Kind.Second);
};
