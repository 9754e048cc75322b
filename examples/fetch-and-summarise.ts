// Fetches pages from granted origins and summarises each. A page that is not granted, or fails, costs only its own line.

import { fetchText, SandboxDeniedError } from 'fino:ai/sandbox/capabilities';

interface Summary {
  url: string;
  title?: string;
  words?: number;
  frequent?: string[];
  problem?: string;
}

function plainText(html: string): string {
  return html
    .replace(/<(script|style)\b[^>]*>.*?<\/\1\s*>/gis, ' ')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(amp|lt|gt|quot);/g, (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name]!);
}

function frequentWords(text: string, count: number): string[] {
  const words = text.toLowerCase().match(/\p{Letter}{4,}/gu) ?? [];
  return Object.entries(Object.groupBy(words, (word) => word))
    .toSorted(([a, x], [b, y]) => y!.length - x!.length || a.localeCompare(b))
    .slice(0, count)
    .map(([word]) => word);
}

async function summarise(url: string): Promise<Summary> {
  try {
    const { status, headers, body } = await fetchText(url);
    if (status !== 200) return { url, problem: `status ${status}` };
    const isHtml = (headers['content-type'] ?? '').startsWith('text/html');
    const title = isHtml ? /<title[^>]*>\s*(?<title>[^<]*?)\s*<\/title>/i.exec(body)?.groups?.title : undefined;
    const text = isHtml ? plainText(body) : body;
    return {
      url,
      ...(title !== undefined && { title }),
      words: (text.match(/\p{Letter}+/gu) ?? []).length,
      frequent: frequentWords(text, 3),
    };
  } catch (error) {
    if (error instanceof SandboxDeniedError) return { url, problem: `${error.target} is not granted` };
    return { url, problem: (error as Error).message };
  }
}

export default async function main(...urls: string[]): Promise<Summary[]> {
  return Promise.all(urls.map(summarise));
}
