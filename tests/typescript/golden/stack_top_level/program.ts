// What the top level throws is an error with its place.
const table: Record<string, { value: number } | undefined> = {};

function lookUp(key: string): number {
  return table[key]!.value;
}
const value = lookUp('missing');

export default () => value;
