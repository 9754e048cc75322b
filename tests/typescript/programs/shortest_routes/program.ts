// Dijkstra's algorithm with a binary heap over a weighted graph given as text, and all-pairs distances to check it.

type NodeName = string & { readonly __brand: 'node' };
interface Edge { readonly to: NodeName; readonly cost: number }
type Graph = ReadonlyMap<NodeName, readonly Edge[]>;
interface Route { readonly path: NodeName[]; readonly cost: number }

class MinHeap<T> {
  readonly #items: T[] = [];
  constructor(private readonly key: (item: T) => number) {}
  get size(): number { return this.#items.length; }

  push(item: T): void {
    const items = this.#items;
    items.push(item);
    for (let child = items.length - 1; child > 0;) {
      const parent = (child - 1) >> 1;
      if (this.key(items[parent]!) <= this.key(items[child]!)) break;
      [items[parent], items[child]] = [items[child]!, items[parent]!];
      child = parent;
    }
  }

  pop(): T | undefined {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (items.length === 0 || last === undefined) return top;
    items[0] = last;
    for (let parent = 0; ;) {
      const least = [2 * parent + 1, 2 * parent + 2, parent]
        .filter((at) => at < items.length)
        .reduce((best, at) => (this.key(items[at]!) < this.key(items[best]!) ? at : best), parent);
      if (least === parent) return top;
      [items[parent], items[least]] = [items[least]!, items[parent]!];
      parent = least;
    }
  }
}

function parseGraph(text: string): Graph {
  const graph = new Map<NodeName, Edge[]>();
  const edgesOf = (name: NodeName): Edge[] => graph.get(name) ?? (graph.set(name, []), graph.get(name)!);
  for (const line of text.trim().split(/\s*;\s*/)) {
    const groups = /^(?<from>\w+)\s*(?<arrow><?->)\s*(?<to>\w+)\s*:\s*(?<cost>\d+)$/.exec(line)?.groups;
    if (!groups) throw new SyntaxError(`not an edge: ${line}`);
    const { from, to, arrow, cost } = groups as Record<'from' | 'to' | 'arrow' | 'cost', NodeName>;
    edgesOf(from).push({ to, cost: +cost });
    edgesOf(to);
    if (arrow.startsWith('<')) edgesOf(to).push({ to: from, cost: +cost });
  }
  return graph;
}

function shortest(graph: Graph, from: NodeName): Map<NodeName, Route> {
  const routes = new Map<NodeName, Route>();
  const queue = new MinHeap<Route>(({ cost }) => cost);
  queue.push({ path: [from], cost: 0 });
  while (queue.size > 0) {
    const route = queue.pop()!;
    const at = route.path.at(-1)!;
    if (routes.has(at)) continue;
    routes.set(at, route);
    for (const { to, cost } of graph.get(at) ?? []) {
      if (!routes.has(to)) queue.push({ path: [...route.path, to], cost: route.cost + cost });
    }
  }
  return routes;
}

function allPairs(graph: Graph): Map<string, number> {
  const names = [...graph.keys()];
  const distance = new Map<string, number>();
  const get = (a: NodeName, b: NodeName) => (a === b ? 0 : distance.get(`${a}>${b}`) ?? Infinity);
  const offer = (a: NodeName, b: NodeName, cost: number) => { if (cost < get(a, b)) distance.set(`${a}>${b}`, cost); };
  for (const [name, edges] of graph) for (const { to, cost } of edges) offer(name, to, cost);
  for (const via of names) for (const a of names) for (const b of names) offer(a, b, get(a, via) + get(via, b));
  return distance;
}

export default (text: string, from: NodeName) => {
  const graph = parseGraph(text);
  const routes = shortest(graph, from);
  const checked = allPairs(graph);
  const agree = [...graph.keys()].every((to) => to === from || (routes.get(to)?.cost ?? Infinity) === (checked.get(`${from}>${to}`) ?? Infinity));
  return {
    nodes: graph.size,
    routes: new Map([...routes].map(([to, { path, cost }]) => [to, `${path.join('-')} ${cost}`])),
    unreachable: [...graph.keys()].filter((name) => !routes.has(name)),
    agree,
  };
};
