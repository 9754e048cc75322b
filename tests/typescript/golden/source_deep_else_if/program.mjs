// Nested a hundred thousand deep: it may run or be refused, it must not take anything down.
export default 'export default (x = 1) => { ' + 'if (x > 1) {} else '.repeat(1e5) + '{} return 1; };';
