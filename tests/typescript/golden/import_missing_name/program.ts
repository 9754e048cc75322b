// A name that the capability module does not have is no silent undefined.
import { readBytes } from 'fino:ai/sandbox/capabilities';
console.log('never printed');
export default () => readBytes;
