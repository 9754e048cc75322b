// What the native engine gives to the prelude, and what the prelude gives back. The prelude's bundle
// is a classic script whose completion value is the function `install`. It runs once, in the zygote,
// before any guest code; nothing of `Bindings` may stay reachable from the guest's realm except
// inside the functions that the prelude defines.

type Level = 'log' | 'info' | 'warn' | 'error' | 'debug';

interface Bindings {
  /** One console call, already formatted, no trailing newline. */
  print(level: Level, text: string): void;

  /** Runs `callback(...args)` as a task after `delayMs` (>= 0); returns the timer's id (> 0). */
  startTimer(callback: Function, delayMs: number, repeat: boolean, args: unknown[]): number;
  stopTimer(id: number): void;

  /** Queues a microtask; what it throws is reported like an unhandled error. */
  enqueueMicrotask(callback: Function): void;

  /** Milliseconds since the call started, monotonic, with a fraction. */
  now(): number;

  /** Fills a Uint8Array with bytes of the system's generator. */
  fillRandom(bytes: Uint8Array): void;

  /** UTF-8; lone surrogates become U+FFFD. */
  encodeUtf8(text: string): Uint8Array;
  /** `view` is an ArrayBuffer or a view. Throws TypeError when `fatal` and ill-formed. */
  decodeUtf8(view: ArrayBuffer | ArrayBufferView, fatal: boolean, ignoreBom: boolean): string;

  /** For console output; runs no guest code. */
  promiseState(promise: Promise<unknown>): { state: 'pending' | 'fulfilled' | 'rejected'; result: unknown };
  /**
   * The target of a proxy that a script made, null when it is revoked, undefined when `value` is no
   * such proxy (a module namespace is none).
   */
  proxyTarget(value: object): object | null | undefined;
  /** The engine's class name: "Object", "Map", "Date", "TypeError", "Promise", ... Runs no guest code. */
  className(value: object): string;

  /** Detaches an ArrayBuffer that is not detached yet; its views become empty. */
  detach(buffer: ArrayBuffer): void;
}

/** What `install(bindings)` returns: functions that native code calls, safe against patched globals. */
interface Hooks {
  /** The href of a URL object made by this realm's URL class; undefined for anything else. */
  hrefOf(value: unknown): string | undefined;

  /** For a module of ours that guests share: nothing that it exports can be changed afterwards. */
  freezeDeeply(value: unknown): void;

  /** Every built-in object with what it was like. The first is the global object. */
  realm: {
    object: object;
    prototype: object | null;
    /** `held`: what the property becomes while tests run, where freezing the object is not the answer. */
    properties: { key: PropertyKey; descriptor: PropertyDescriptor; held: PropertyDescriptor | undefined }[];
    isGlobal: boolean;
    /** Whether it is held at all, and by freezing it. */
    isHeld: boolean;
    isFrozen: boolean;
  }[];
  /** Makes one of `realm` what it was. Returns what cannot be put back, in words, or undefined. */
  repair(record: object): string | undefined;
  /** The globals that are held: `names[i]` is the name of `values[i]`. */
  heldGlobals: { names: string[]; values: unknown[] };
}
