export default () => { return 1 + ; };
// The position of an error in the first line.
