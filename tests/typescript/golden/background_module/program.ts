// What goes wrong in the background of a called export does not change its good result; what is late reaches nobody.
import { environment } from 'fino:ai/sandbox/capabilities';

export default async (): Promise<string> => {
  Promise.reject(new Error('nobody listens'));
  setTimeout(() => { throw new Error('in a timer'); }, 0);
  queueMicrotask(() => { throw new Error('in a microtask'); });
  await new Promise((resolve) => setTimeout(resolve, 5));
  setTimeout(() => { console.log('too late'); void environment('A'); }, 1);
  setInterval(() => console.log('too late'), 1);
  void (async () => { for (;;) { await new Promise((resolve) => setTimeout(resolve, 1)); console.log('too late'); } })();
  return 'good';
};
