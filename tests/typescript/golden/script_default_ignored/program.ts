// In a script nothing is called, a default export either.
console.log('top level');
export default () => { throw new Error('called'); };
