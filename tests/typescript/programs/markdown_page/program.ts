// Turns a subset of Markdown into HTML: headings, lists, code, quotes, tables, emphasis, links; everything escaped.

type Block =
  | { type: 'heading'; level: number; text: string }
  | { type: 'paragraph' | 'quote'; lines: string[] }
  | { type: 'list'; ordered: boolean; items: string[] }
  | { type: 'code'; language: string; lines: string[] }
  | { type: 'table'; header: string[]; rows: string[][] }
  | { type: 'rule' };
type Rule = readonly [test: RegExp, render: (...groups: string[]) => string];

const escape = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.codePointAt(0)};`);

class Inline {
  readonly #kept: string[] = [];
  static readonly #rules: readonly Rule[] = [
    [/\*\*(?=\S)(.+?)(?<=\S)\*\*/g, (text) => `<strong>${text}</strong>`],
    [/(?<![\w*])[*_](?=\S)(.+?)(?<=\S)[*_](?![\w*])/g, (text) => `<em>${text}</em>`],
    [/~~(.+?)~~/g, (text) => `<del>${text}</del>`],
  ];

  /** What must not be looked at again waits behind a mark that text cannot have. */
  #keep(html: string): string { return `\u0000${this.#kept.push(html) - 1}\u0000`; }

  render(text: string): string {
    let html = text
      .replaceAll('\u0000', '')
      .replace(/`([^`]+)`/g, (_, code: string) => this.#keep(`<code>${escape(code)}</code>`))
      .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, label: string, target: string) => this.#keep(this.#link(label, target)));
    html = escape(html);
    for (const [test, render] of Inline.#rules) html = html.replace(test, (_, ...groups: string[]) => render(...groups));
    return html.replace(/\u0000(\d+)\u0000/g, (_, at: string) => this.#kept[Number(at)]!);
  }

  #link(label: string, target: string): string {
    const url = URL.parse(target, 'https://example.com/base/');
    const allowed = url !== null && ['https:', 'http:', 'mailto:'].includes(url.protocol);
    return allowed ? `<a href="${escape(url.href)}">${escape(label)}</a>` : escape(label);
  }
}

function* blocksOf(source: string): Generator<Block> {
  const lines = source.split(/\r?\n/);
  const cells = (line: string): string[] => line.replace(/^\s*\||\|\s*$/g, '').split('|').map((cell) => cell.trim());
  const takeWhile = (from: number, test: (line: string) => boolean): string[] => {
    const end = lines.findIndex((line, i) => i >= from && !test(line));
    return lines.slice(from, end < 0 ? undefined : end);
  };
  for (let i = 0; i < lines.length;) {
    const line = lines[i]!;
    const heading = /^(#{1,6})\s+(.*?)\s*#*$/.exec(line);
    const fence = /^```(\w*)$/.exec(line);
    if (line.trim() === '') { i++; continue; }
    if (heading) { yield { type: 'heading', level: heading[1]!.length, text: heading[2]! }; i++; continue; }
    if (/^(?:-{3,}|\*{3,})$/.test(line)) { yield { type: 'rule' }; i++; continue; }
    if (fence) {
      const code = takeWhile(i + 1, (one) => one !== '```');
      yield { type: 'code', language: fence[1]!, lines: code };
      i += code.length + 2;
      continue;
    }
    if (/^\s*\|/.test(line) && /^\s*\|[\s|:-]+$/.test(lines[i + 1] ?? '')) {
      const rows = takeWhile(i + 2, (one) => /^\s*\|/.test(one));
      yield { type: 'table', header: cells(line), rows: rows.map(cells) };
      i += rows.length + 2;
      continue;
    }
    const [type, test] = ([
      ['ul', /^[-*]\s+/], ['ol', /^\d+\.\s+/], ['quote', /^>\s?/],
    ] as const).find(([, pattern]) => pattern.test(line)) ?? ['paragraph', null] as const;
    const taken = takeWhile(i, (one) => (test ? test.test(one) : one.trim() !== '' && !/^(?:#|>|```|[-*]\s|\d+\.\s)/.test(one)));
    const rest = test ? taken.map((one) => one.replace(test, '')) : taken;
    if (type === 'ul' || type === 'ol') yield { type: 'list', ordered: type === 'ol', items: rest };
    else yield { type, lines: rest };
    i += Math.max(1, taken.length);
  }
}

function render(source: string): string[] {
  const inline = (text: string): string => new Inline().render(text);
  const row = (cells: string[], tag: 'th' | 'td'): string => `<tr>${cells.map((cell) => `<${tag}>${inline(cell)}</${tag}>`).join('')}</tr>`;
  return Array.from(blocksOf(source), (block) => {
    switch (block.type) {
      case 'heading': return `<h${block.level} id="${block.text.toLowerCase().replace(/\W+/g, '-').replace(/^-|-$/g, '')}">${inline(block.text)}</h${block.level}>`;
      case 'paragraph': return `<p>${inline(block.lines.join(' '))}</p>`;
      case 'quote': return `<blockquote>${render(block.lines.join('\n')).join('')}</blockquote>`;
      case 'list': { const tag = block.ordered ? 'ol' : 'ul'; return `<${tag}>${block.items.map((item) => `<li>${inline(item)}</li>`).join('')}</${tag}>`; }
      case 'code': return `<pre${block.language && ` lang="${block.language}"`}>${escape(block.lines.join('\n'))}</pre>`;
      case 'table': return `<table>${row(block.header, 'th')}${block.rows.map((cells) => row(cells, 'td')).join('')}</table>`;
      case 'rule': return '<hr>';
    }
  });
}

export default (source: string) => render(source);
