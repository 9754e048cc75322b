// Frames in a module of the host keep that module's positions.
import { apply } from 'lib/apply';

export default () => apply((n: number): never => { throw new Error(`n ${n}`); });
