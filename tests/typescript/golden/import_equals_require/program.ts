// TypeScript's own form of import is an import too: the error names what it asked for and says what may be.
import fs = require('node:fs');

export default () => fs.readFileSync('/etc/passwd');
