// A default export may be a named or async function, a class expression's static method, or come through an export list.
async function main(this: unknown, ...names: string[]): Promise<string[]> {
  return [...names, this === undefined ? 'no this' : 'a this', String(arguments.length)];
}
export { main as default };
