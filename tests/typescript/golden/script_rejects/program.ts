// A rejection that nobody handles by the end of the top level fails a script.
void Promise.reject(new RangeError('unhandled'));
console.log('printed');
