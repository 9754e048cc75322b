// Every piece of syntax that is only types, or that types surround, disappears without a trace.

import type { readText } from 'fino:ai/sandbox/capabilities';
import { type spawn, SandboxDeniedError } from 'fino:ai/sandbox/capabilities';
import type Nothing from './nowhere';
import { type Inline, type Other } from './nowhere-inline';
import type * as Everything from 'node:fs';
import { UsedAsTypeOnly } from './nowhere-either';
export type { Pair };
export { type Tree };

type Pair<A, B = A> = readonly [first: A, second?: B, ...rest: A[]];
interface Tree<in out T> { value: T; children?: Tree<T>[]; <U>(x: U): U; new (x: T): Tree<T>; readonly [key: `data-${string}`]: T }
type Getters<T> = { readonly [K in keyof T & string as `get${Capitalize<K>}`]-?: () => T[K] };
type Element<T> = T extends readonly (infer U extends string | number)[] ? U : never;
type Route = `/${'users' | 'posts'}/${number}`;
type Read = typeof readText;
type Module = typeof import('./nowhere');
type Spawned = Awaited<ReturnType<typeof spawn>>;
type Either = { kind: 'a'; a: number } | { kind: 'b'; b: string };
type Recursive = string | Recursive[];
declare const ghost: unique symbol;
declare function phantom(): void;
declare global { interface Array<T> { phantom?: T } }
declare module 'somewhere' { export const x: number; }
abstract class Unused<const T extends readonly unknown[], U = UsedAsTypeOnly | Inline | Other> { abstract x: T | U; protected abstract y?: Nothing }

const config = { host: 'localhost', ports: [80, 443] } as const satisfies { host: string; ports: readonly number[] };
const routes = { home: '/users/1' } satisfies Record<string, Route>;
const identity = <T,>(value: T): T => value;
const first = <const T extends readonly unknown[]>(list: T): T[0] => list[0];
const asserted = <any>{ angle: 'bracket' };
let definite!: number;

function assertNumber(value: unknown, message?: string): asserts value is number {
  if (typeof value !== 'number') throw new TypeError(message ?? 'not a number');
}
function isText(this: void, value: unknown): value is string { return typeof value === 'string'; }
function describe(value: Either): string {
  switch (value.kind) {
    case 'a': return `a${value.a}`;
    case 'b': return `b${value.b}`;
    default: { const never: never = value; return never; }
  }
}
function overloaded(x: string): string;
function overloaded(x: number): number;
function overloaded(x: any) { return x; }
function optional(a: number, b?: string, { c = 3 }: { c?: number } = {}, ...rest: [d?: boolean]): unknown[] {
  return [a, b, c, ...rest];
}

export default (pair: Pair<number> = [1, 2, 3], ...more: unknown[]) => {
  definite = 5;
  const maybe: { deep?: { value: number } } | undefined = { deep: { value: 1 } };
  const less = (x: number, y: number) => x < y && (y > (x as number));
  assertNumber(pair[0]);
  return {
    pair,
    more,
    config,
    routes,
    identity: identity<string>('same'),
    first: first(['x', 1]),
    angle: asserted.angle,
    definite: definite!,
    bang: maybe!.deep!.value + maybe?.deep!.value!,
    instantiated: (identity<number>)(4),
    less: less(1, 2),
    isText: ['a', 1].filter(isText),
    either: [describe({ kind: 'a', a: 1 }), describe({ kind: 'b', b: 'x' })],
    overloaded: overloaded('o'),
    optional: optional(1),
    denied: typeof SandboxDeniedError satisfies string,
    gone: [typeof (globalThis as any).ghost, typeof (globalThis as any).phantom],
    cast: (JSON.parse('{"n":1}') as { n: number }).n as unknown as string,
  };
};
