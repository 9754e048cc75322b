// A default export that is no function is an error.
export default { not: 'callable' };
