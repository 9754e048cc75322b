// Nested a hundred thousand deep: it may run or be refused, it must not take anything down.
export default 'type T = ' + 'A<'.repeat(1e5) + '1' + '>'.repeat(1e5) + ';\nexport default () => 1;';
