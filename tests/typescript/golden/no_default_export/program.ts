// A module without a default export has nothing to call: an error says so, after its top level ran.
console.log('ran');
export const value = 1;
