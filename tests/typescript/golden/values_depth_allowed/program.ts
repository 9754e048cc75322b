// A thousand levels cross.
const nested = (levels: number): unknown => { let value: unknown = 0; for (let i = 0; i < levels; i++) value = [value]; return value; };
export default () => nested(1000);
