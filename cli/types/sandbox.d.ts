// What a TypeScript program in a Cordon sandbox has, beyond the library of ECMAScript 2025.
//
// - The program is one module. Its default export is called once with the caller's arguments; what it returns, awaited,
//   is the result. When it settles the run is over: timers stop, pending calls are cancelled. (In a script run the top
//   level is the program: nothing is called, and `require` reaches the host's modules.)
// - Results and arguments: JSON values, and undefined, NaN, Infinity, -0, bigint, Date, Map, Set, Error, ArrayBuffer and
//   its views. Class instances become plain objects. Functions, symbols, cycles and more than 1,000 levels are errors.
// - Importable are 'fino:ai/sandbox/capabilities' and modules and tools that the host lists by name; nothing else, by no spelling:
//   no packages, no `node:`, no files, no URLs. `import.meta` is empty.
// - Absent: fetch, WebSocket, workers, process, Buffer, WebAssembly and everything else that touches the outside.
//   The functions of the capability module are the only way out, and each needs a grant.
// - Missing from ES2025: SharedArrayBuffer and Atomics, Float16Array, resizable buffers, Intl.Segmenter,
//   Intl.DurationFormat, the regular expression flag `v` and `(?i:)` groups, symbols as weak keys.
// - The time zone is UTC, the locale en-US. Types are removed, not checked.
// - Limits, unless the host sets others: 30 s in all, 256 MiB of memory, 100 capability calls (32 at a time), 1 MiB for
//   each file, body and command output, 64 KiB of console text, 16 MiB of result. A run over its time or memory is
//   killed; too many or too large calls are refused with a SandboxDeniedError.

/// <reference lib="es2025" />
/// <reference lib="esnext.array" />
/// <reference lib="esnext.decorators" />
/// <reference lib="esnext.disposable" />

declare module 'fino:ai/sandbox/capabilities' {
  /** What a refusal is about: a missing grant, or a limit (`resource.*`). */
  export type Capability =
    | 'environment' | 'secret' | 'filesystem.read' | 'filesystem.write' | 'network' | 'subprocess' | 'tool'
    | `resource.${'operations' | 'bytes' | 'wallClock' | 'memory' | 'cpu' | 'result'}`;

  /**
   * The host refused: not granted, or over a limit. Catch it to go on without; uncaught, it ends the run as "denied".
   * Only the host's own count: a look-alike is an ordinary error. What fails after it was allowed (no such file,
   * connection refused) is a plain Error.
   */
  export class SandboxDeniedError extends Error {
    private constructor();
    readonly name: 'SandboxDeniedError';
    readonly capability: Capability;
    /** The name, path, origin or command that was asked for. */
    readonly target?: string;
  }

  /** A variable that the host granted, by its exact name. */
  export function environment(name: string): Promise<string>;

  /** A secret that the host granted. Never print it: the console and the result are not secret. */
  export function secret(name: string): Promise<string>;

  /** The text of a regular file beneath a granted root. `path` is absolute; the bytes are read as UTF-8. */
  export function readText(path: string): Promise<string>;

  /** Writes a whole file beneath a granted root, atomically. `path` is absolute; its directory exists. */
  export function writeText(path: string, text: string): Promise<void>;

  export interface FetchTextInit {
    /** A granted method ("GET" by default). */
    method?: string;
    headers?: Record<string, string> | [name: string, value: string][];
    body?: string;
  }

  export interface FetchTextResponse {
    status: number;
    /** Names in lower case; repeated headers are joined with ", ". */
    headers: Record<string, string>;
    body: string;
  }

  /**
   * One HTTP request to a granted origin. Any status is a response; redirects are not followed. Headers that frame or
   * route (Host, Content-Length, Connection, ...) are refused.
   */
  export function fetchText(url: string | URL, init?: FetchTextInit): Promise<FetchTextResponse>;

  /** How a command ended: `code` or else `signal` is a number. */
  export interface SpawnResult {
    code: number | null;
    signal: number | null;
    stdout: string;
    stderr: string;
  }

  /** Runs a granted command (its exact absolute path) without a shell, input or network, and waits for its end. */
  export function spawn(command: string, args?: string[]): Promise<SpawnResult>;
}

/** Goes to the host as it happens, and is part of the outcome. */
declare var console: {
  log(...values: unknown[]): void;
  info(...values: unknown[]): void;
  debug(...values: unknown[]): void;
  warn(...values: unknown[]): void;
  error(...values: unknown[]): void;
  trace(...values: unknown[]): void;
  dir(value: unknown, options?: { depth?: number | null; showHidden?: boolean }): void;
  table(value: unknown, columns?: string[]): void;
  assert(condition?: unknown, ...values: unknown[]): void;
  count(label?: string): void;
  countReset(label?: string): void;
  group(...values: unknown[]): void;
  groupCollapsed(...values: unknown[]): void;
  groupEnd(): void;
  time(label?: string): void;
  timeLog(label?: string, ...values: unknown[]): void;
  timeEnd(label?: string): void;
};

/** Timers are numbers; handlers are functions, never text. */
declare function setTimeout<Args extends unknown[]>(handler: (...args: Args) => unknown, ms?: number, ...args: Args): number;
declare function setInterval<Args extends unknown[]>(handler: (...args: Args) => unknown, ms?: number, ...args: Args): number;
declare function clearTimeout(timer?: number): void;
declare function clearInterval(timer?: number): void;
declare function queueMicrotask(callback: () => void): void;

/** Copies as the standard has it; functions, symbols and promises are a DataCloneError. */
declare function structuredClone<T>(value: T, options?: { transfer?: ArrayBuffer[] }): T;

/** Base64 of text whose characters are bytes (0 to 255). */
declare function btoa(bytes: string): string;
declare function atob(base64: string): string;

/** Milliseconds since the call started. */
declare var performance: { now(): number; readonly timeOrigin: number };

declare var crypto: {
  /** At most 65,536 bytes a call. */
  getRandomValues<T extends Int8Array | Uint8Array | Uint8ClampedArray | Int16Array | Uint16Array | Int32Array | Uint32Array | BigInt64Array | BigUint64Array>(array: T): T;
  randomUUID(): string;
};

declare class TextEncoder {
  readonly encoding: string;
  encode(text?: string): Uint8Array<ArrayBuffer>;
  encodeInto(text: string, destination: Uint8Array): { read: number; written: number };
}

/** Knows utf-8, utf-16le and windows-1252 (which is latin1); any other label is a RangeError. */
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  readonly encoding: string;
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;
  decode(bytes?: ArrayBuffer | ArrayBufferView, options?: { stream?: boolean }): string;
}

declare class URL {
  constructor(url: string | URL, base?: string | URL);
  static canParse(url: string | URL, base?: string | URL): boolean;
  static parse(url: string | URL, base?: string | URL): URL | null;
  href: string;
  readonly origin: string;
  protocol: string;
  username: string;
  password: string;
  host: string;
  hostname: string;
  port: string;
  pathname: string;
  search: string;
  readonly searchParams: URLSearchParams;
  hash: string;
  toString(): string;
  toJSON(): string;
}

declare class URLSearchParams implements Iterable<[string, string]> {
  constructor(init?: string | Record<string, string> | Iterable<[string, string]>);
  readonly size: number;
  append(name: string, value: string): void;
  delete(name: string, value?: string): void;
  get(name: string): string | null;
  getAll(name: string): string[];
  has(name: string, value?: string): boolean;
  set(name: string, value: string): void;
  sort(): void;
  forEach(callback: (value: string, name: string, parent: URLSearchParams) => void, thisArg?: unknown): void;
  entries(): IteratorObject<[string, string]>;
  keys(): IteratorObject<string>;
  values(): IteratorObject<string>;
  [Symbol.iterator](): IteratorObject<[string, string]>;
  toString(): string;
}

declare class AbortController {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
}

declare class AbortSignal {
  private constructor();
  static abort(reason?: unknown): AbortSignal;
  static timeout(ms: number): AbortSignal;
  static any(signals: Iterable<AbortSignal>): AbortSignal;
  readonly aborted: boolean;
  readonly reason: any;
  onabort: ((event: { readonly type: string; readonly target: AbortSignal }) => unknown) | null;
  throwIfAborted(): void;
  addEventListener(
    type: 'abort',
    listener: (event: { readonly type: string; readonly target: AbortSignal }) => unknown,
    options?: { once?: boolean; signal?: AbortSignal },
  ): void;
  removeEventListener(type: 'abort', listener: (event: { readonly type: string; readonly target: AbortSignal }) => unknown): void;
}

/** Thrown by structuredClone, atob, crypto and abort signals; `name` tells what went wrong. */
declare class DOMException extends Error {
  constructor(message?: string, name?: string);
  readonly name: string;
  readonly code: number;
}
