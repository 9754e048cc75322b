// Nested a hundred thousand deep: it may run or be refused, it must not take anything down.
export default 'export default () => ' + '['.repeat(1e5) + ']'.repeat(1e5) + '.flat(Infinity).length + 1;';
