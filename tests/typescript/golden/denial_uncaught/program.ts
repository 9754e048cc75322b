// A denial that nobody catches is the outcome, however it got out.
import { readText } from 'fino:ai/sandbox/capabilities';

async function load(path: string): Promise<string> {
  return await readText(path);
}
export default async (path: string) => load(path);
