// console.table. The output is that of Node.js 20.
console.table([{ a: 1, b: 'x' }, { a: 2, c: true }]);
console.table([1, 2, 'a', null, undefined]);
console.table([[1, 2], [3, 4]]);
console.table(new Map([['a', 1], ['b', { c: 1 }]]));
console.table(new Set([1, 'x']));
console.table({ x: { y: 1 }, z: 3 });
console.table([{ a: 1, b: 2 }], ['b']);
console.table([{ a: 1, b: 2 }, { b: 3 }], ['b', 'missing']);
console.table(5); console.table('text'); console.table(null); console.table([]);
console.table([{ nested: { a: 1, b: 2, c: 3 }, small: { a: 1 }, list: [1, 2, 3, 4] }]);
console.table([{ name: 'a longer cell', v: -1.5 }, { name: 's', v: 1000000 }]);
