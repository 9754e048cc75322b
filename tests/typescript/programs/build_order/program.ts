// The order in which to build packages: topological layers, cycles, and what a change makes stale.

type Manifest = Readonly<Record<string, readonly string[]>>;

class CycleError extends Error {
  override readonly name = 'CycleError';
  constructor(readonly cycle: readonly string[]) { super(cycle.join(' -> ')); }
}

class Packages {
  readonly #needs: Map<string, Set<string>>;

  constructor(manifest: Manifest) {
    this.#needs = new Map(Object.entries(manifest).map(([name, needs]) => [name, new Set(needs)]));
    const unknown = new Set([...this.#needs.values()].flatMap((needs) => [...needs])).difference(new Set(this.#needs.keys()));
    if (unknown.size > 0) throw new RangeError(`unknown: ${[...unknown].sort().join(', ')}`);
  }

  /** Layers: all of one can be built at the same time. */
  *layers(): Generator<string[], void> {
    const built = new Set<string>();
    while (built.size < this.#needs.size) {
      const layer = [...this.#needs].filter(([name, needs]) => !built.has(name) && needs.isSubsetOf(built)).map(([name]) => name);
      if (layer.length === 0) throw new CycleError(this.#cycle(built));
      layer.sort().forEach((name) => built.add(name));
      yield layer;
    }
  }

  #cycle(built: ReadonlySet<string>): string[] {
    const path: string[] = [];
    let at = [...this.#needs.keys()].filter((name) => !built.has(name)).sort()[0]!;
    while (!path.includes(at)) {
      path.push(at);
      at = [...this.#needs.get(at)!].filter((name) => !built.has(name)).sort()[0]!;
    }
    return [...path.slice(path.indexOf(at)), at];
  }

  /** All packages that depend on `changed`, directly or not. */
  stale(changed: string): string[] {
    const stale = new Set([changed]);
    for (let before = 0; before < stale.size;) {
      before = stale.size;
      for (const [name, needs] of this.#needs) if (!needs.isDisjointFrom(stale)) stale.add(name);
    }
    stale.delete(changed);
    return [...stale].sort();
  }

  /** The longest chain of packages that wait for each other. */
  critical(): string[] {
    const longest = new Map<string, string[]>();
    for (const layer of this.layers()) {
      for (const name of layer) {
        const before = [...this.#needs.get(name)!].map((need) => longest.get(need)!).sort((a, b) => b.length - a.length || a.join().localeCompare(b.join()))[0] ?? [];
        longest.set(name, [...before, name]);
      }
    }
    return [...longest.values()].reduce((best, chain) => (chain.length > best.length ? chain : best), []);
  }
}

function report(manifest: Manifest, changed: string) {
  try {
    const packages = new Packages(manifest);
    return { layers: [...packages.layers()], stale: packages.stale(changed), critical: packages.critical() };
  } catch (error) {
    if (error instanceof CycleError) return { cycle: error.cycle };
    return { problem: `${(error as Error).name}: ${(error as Error).message}` };
  }
}

export default (manifests: Manifest[], changed: string) => manifests.map((manifest) => report(manifest, changed));
