export const twice = (n) => 2 * n;
