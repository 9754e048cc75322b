// The bundle's entry: the library first, so that what follows can capture it, then `install`.

import './library.js';
export { install } from './install.js';
