// A discrete event simulation: customers, tellers, a queue, and a generator of pseudo-random numbers with a fixed seed.

abstract class SimulationEvent {
  static #next = 0;
  readonly id = SimulationEvent.#next++;
  constructor(readonly time: number) {}
  abstract happen(bank: Bank): void;
}

class Arrival extends SimulationEvent {
  constructor(time: number, private readonly customer: number) { super(time); }
  override happen(bank: Bank): void {
    bank.log(this, `customer ${this.customer} arrives`);
    bank.queue.push({ customer: this.customer, since: this.time });
    bank.serve(this.time);
    if (this.customer < bank.options.customers) bank.schedule(new Arrival(this.time + bank.random(1, 4), this.customer + 1));
  }
}

class Departure extends SimulationEvent {
  constructor(time: number, private readonly customer: number, private readonly teller: number) { super(time); }
  override happen(bank: Bank): void {
    bank.log(this, `customer ${this.customer} leaves teller ${this.teller}`);
    bank.free.add(this.teller);
    bank.serve(this.time);
  }
}

interface Options { readonly customers: number; readonly tellers: number; readonly seed: number }

class Bank {
  readonly queue: { customer: number; since: number }[] = [];
  readonly free: Set<number>;
  readonly lines: string[] = [];
  readonly waits: number[] = [];
  longestQueue = 0;
  #agenda: SimulationEvent[] = [];
  #state: number;

  constructor(readonly options: Options) {
    this.#state = options.seed;
    this.free = new Set(Array.from({ length: options.tellers }, (_, i) => i + 1));
  }

  /** A whole number between both, from a linear congruential generator modulo 2^31. */
  random(low: number, high: number): number {
    this.#state = Number((1103515245n * BigInt(this.#state) + 12345n) % 2147483648n);
    return low + (Math.floor(this.#state / 65536) % (high - low + 1));
  }

  schedule(event: SimulationEvent): void {
    this.#agenda.push(event);
    this.#agenda.sort((a, b) => a.time - b.time || a.id - b.id);
  }

  serve(time: number): void {
    while (this.queue.length > 0 && this.free.size > 0) {
      const { customer, since } = this.queue.shift()!;
      const teller = Math.min(...this.free);
      this.free.delete(teller);
      this.waits.push(time - since);
      this.schedule(new Departure(time + this.random(3, 9), customer, teller));
    }
    this.longestQueue = Math.max(this.longestQueue, this.queue.length);
  }

  log(event: SimulationEvent, text: string): void { this.lines.push(`${String(event.time).padStart(3)} ${text}`); }

  run(): number {
    this.schedule(new Arrival(0, 1));
    let now = 0;
    for (let event = this.#agenda.shift(); event !== undefined; event = this.#agenda.shift()) {
      now = event.time;
      event.happen(this);
    }
    return now;
  }
}

export default (options: Options) => {
  const bank = new Bank(options);
  const end = bank.run();
  return {
    end,
    served: bank.waits.length,
    averageWait: bank.waits.reduce((a, b) => a + b, 0) / bank.waits.length,
    longestQueue: bank.longestQueue,
    lines: bank.lines,
  };
};
