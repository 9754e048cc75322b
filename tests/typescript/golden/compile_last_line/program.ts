// The position of an error in the last line, which has no line break.
console.log("never");
export default () => [1, 2