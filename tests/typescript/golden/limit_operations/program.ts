// Calls beyond the budget are refused one by one, and can be caught.
import { environment } from 'fino:ai/sandbox/capabilities';
export default async () => {
  const calls = await Promise.allSettled(Array.from({ length: 5 }, () => environment('A')));
  return calls.map((call) => (call.status === 'fulfilled' ? call.value : [call.reason.capability, /operation budget/.test(call.reason.message)]));
};
