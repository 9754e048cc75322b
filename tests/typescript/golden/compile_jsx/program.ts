// A .ts file has no JSX.
const x = 1;
export default () => <div>{x}</div>;
