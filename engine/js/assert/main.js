// The guest's `assert`: one module text, for the host's list of modules.

import assert from 'assert';

export default assert;
