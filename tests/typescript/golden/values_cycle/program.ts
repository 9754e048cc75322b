// A value that contains itself is an error that names the path.
const list: unknown[] = [1];
list.push({ inner: list });
export default () => ({ outer: list });
