// A source of a megabyte, and the position of what it throws at its end.
const functions = Array.from({ length: 12_000 }, (_, i) => `function f${i}(x: number): number { return x + ${i}; } // ${'.'.repeat(30)}`);
export default `${functions.join('\n')}\nexport default (): number => {\n  if (f11999(1) !== 12000) return 0;\n  throw new Error('at the end');\n};\n`;
