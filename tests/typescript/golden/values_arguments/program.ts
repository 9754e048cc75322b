// Every value with a tag as an argument: what the program finds, and the same value on its way back.

function kind(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value !== 'object') return `${typeof value} ${String(value)}`;
  if (value instanceof Error) return `error ${value.name}: ${value.message} ${typeof value.stack}`;
  if (value instanceof Date) return `date ${value.getTime()}`;
  if (value instanceof Map) return `map ${[...value].map(([k, v]) => `${kind(k)} => ${kind(v)}`).join(', ')}`;
  if (value instanceof Set) return `set ${[...value].map(kind).join(', ')}`;
  if (value instanceof Uint8Array) return `bytes ${[...value].join(' ')}`;
  if (Array.isArray(value)) return `[${value.map(kind).join(', ')}]`;
  const plain = Object.getPrototypeOf(value) === Object.prototype ? '' : 'odd ';
  return `${plain}{${Object.entries(value).map(([k, v]) => `${k}: ${kind(v)}`).join(', ')}}`;
}

export default (...all: unknown[]) => ({ count: all.length, kinds: all.map(kind), back: all.filter((one) => !(one instanceof Error)) });
