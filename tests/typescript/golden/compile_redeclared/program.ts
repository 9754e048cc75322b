// Two declarations of one name.
const twice = 1;
let twice = 2;
export default () => twice;
