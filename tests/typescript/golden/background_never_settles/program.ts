// A called export whose promise never settles ends at the wall clock.
export default () => { console.log('waiting'); return new Promise<never>(() => {}); };
