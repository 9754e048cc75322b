// What the assert package asks of Node's `process`: nothing that a guest has.

export const process = { env: {} };
