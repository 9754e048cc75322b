// Calls to a service that fails now and then: retries with growing delays, a limit on how many run at once, time-outs,
// and a circuit breaker. Time is real, its order is what counts.

type Outcome<T> = { ok: true; value: T; attempts: number } | { ok: false; error: string; attempts: number };
interface RetryOptions { readonly attempts: number; readonly delay: number; readonly factor?: number; readonly signal?: AbortSignal }

class TransientError extends Error { override readonly name = 'TransientError'; }
class CircuitOpenError extends Error { override readonly name = 'CircuitOpenError'; }

const sleep = (ms: number, signal?: AbortSignal): Promise<void> => new Promise((resolve, reject) => {
  if (signal?.aborted) return reject(signal.reason);
  const timer = setTimeout(resolve, ms);
  signal?.addEventListener('abort', () => { clearTimeout(timer); reject(signal.reason); }, { once: true });
});

async function retry<T>(work: (attempt: number) => Promise<T>, { attempts, delay, factor = 2, signal }: RetryOptions): Promise<Outcome<T>> {
  for (let attempt = 1; ; attempt++) {
    try {
      signal?.throwIfAborted();
      return { ok: true, value: await work(attempt), attempts: attempt };
    } catch (error) {
      const last = attempt >= attempts || !(error instanceof TransientError);
      if (last) return { ok: false, error: `${(error as Error).name}: ${(error as Error).message}`, attempts: attempt };
    }
    await sleep(delay * factor ** (attempt - 1), signal).catch(() => {});
  }
}

class Limiter {
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  peak = 0;
  constructor(private readonly limit: number) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.limit) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running++;
    this.peak = Math.max(this.peak, this.#running);
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next(); else this.#running--;
    }
  }
}

class CircuitBreaker {
  #failures = 0;
  constructor(private readonly threshold: number) {}
  async call<T>(work: () => Promise<T>): Promise<T> {
    if (this.#failures >= this.threshold) throw new CircuitOpenError(`open after ${this.#failures} failures`);
    try {
      const value = await work();
      this.#failures = 0;
      return value;
    } catch (error) {
      this.#failures++;
      throw error;
    }
  }
}

/** Fails as often as `failures` says for a name, for good if that is negative. */
class FlakyService {
  readonly calls: string[] = [];
  constructor(private readonly failures: Record<string, number>) {}
  async fetch(name: string, attempt: number): Promise<string> {
    this.calls.push(`${name}#${attempt}`);
    await sleep(1);
    const failures = this.failures[name] ?? 0;
    if (failures < 0) throw new RangeError(`${name} is gone`);
    if (attempt <= failures) throw new TransientError(`${name} is busy`);
    return name.toUpperCase();
  }
}

export default async (failures: Record<string, number>, limit: number) => {
  const service = new FlakyService(failures);
  const limiter = new Limiter(limit);
  const names = Object.keys(failures);
  const outcomes = await Promise.all(names.map((name) => limiter.run(() => retry((n) => service.fetch(name, n), { attempts: 3, delay: 2 }))));

  const breaker = new CircuitBreaker(2);
  const broken: string[] = [];
  for (let i = 0; i < 4; i++) await breaker.call(() => service.fetch('gone', 1)).catch((error: Error) => broken.push(error.name));

  const controller = new AbortController();
  setTimeout(() => controller.abort(new Error('enough')), 5);
  const stopped = await retry(() => Promise.reject(new TransientError('always')), { attempts: 1000, delay: 100_000, signal: controller.signal });

  const started = performance.now();
  await retry(() => Promise.reject(new TransientError('again')), { attempts: 4, delay: 4 });
  return {
    outcomes: Object.fromEntries(names.map((name, i) => [name, outcomes[i]])),
    attempts: Object.fromEntries(names.map((name) => [name, service.calls.filter((call) => call.startsWith(`${name}#`)).length])),
    peak: limiter.peak,
    broken,
    stopped,
    waitedLongEnough: performance.now() - started >= 4 + 8 + 16 - 3,
  };
};
