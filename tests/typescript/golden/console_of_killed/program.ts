// The console of a run that is killed is kept.
export default () => { console.log('before the loop'); for (;;); };
