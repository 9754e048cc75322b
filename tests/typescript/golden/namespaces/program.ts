// Namespaces: nested, dotted, merged with each other and with a class, a function and an enum.

namespace Shapes {
  export const sides = 4;
  const secret = 'not exported';
  export let count = 0;
  export function make() { count++; return secret.length; }
  export namespace Deep {
    export const value = sides * 10;
  }
}
namespace Shapes {
  export const more = sides + 1;
  export const total = () => count;
}
namespace A.B.C {
  export const leaf = 'leaf';
  export interface OnlyAType { x: number }
}

class Point { constructor(public x = 0) {} }
namespace Point {
  export const origin = new Point(7);
  export type Like = { x: number };
}

function greet(name: string) { return `${greet.prefix} ${name}`; }
namespace greet { export let prefix = 'hello'; }

enum Unit { Metre = 1 }
namespace Unit { export const parse = (text: string) => (text === 'm' ? Unit.Metre : undefined); }

namespace OnlyTypes { export interface Nothing { a: 1 } }
declare namespace Outside { const gone: number; }

import Alias = A.B.C;
import leaf = A.B.C.leaf;

export default () => {
  const made = Shapes.make();
  Shapes.make();
  greet.prefix = 'good day,';
  const like: Point.Like = Point.origin;
  return {
    made,
    count: Shapes.count,
    total: Shapes.total(),
    hidden: 'secret' in Shapes,
    more: Shapes.more,
    deep: Shapes.Deep.value,
    alias: [Alias.leaf, leaf],
    origin: [Point.origin instanceof Point, like.x],
    greeting: greet('world'),
    parsed: [Unit.parse('m'), Unit.parse('x') === undefined, Unit[1]],
    onlyTypes: eval('typeof OnlyTypes'),
    outside: eval('typeof Outside'),
  };
};
