// A function is an error that names the path.
export default () => ({ handlers: [{ 'on-click': () => 1 }] });
