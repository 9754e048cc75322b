// A proxy that throws is an error that names the path.
export default () => ({ a: { b: new Proxy({}, { ownKeys() { throw new Error('trap'); } }) } });
