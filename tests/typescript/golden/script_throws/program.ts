// A script that throws is an error with its place.
type Check = (condition: boolean) => void;
const check: Check = (condition) => {
  if (!condition) throw new Error('check failed');
};
check(1 + 1 === 2);
check(1 + 1 === 3);
console.log('never');
