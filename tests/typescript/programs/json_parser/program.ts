// A JSON parser written out: a tokenizer, recursive descent, and errors with their line and column.

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

enum TokenKind { Punctuation, Text, Number, Word, End }

interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly at: number;
}

class ParseError extends Error {
  override name = 'ParseError';
  constructor(message: string, readonly line: number, readonly column: number) {
    super(`${message} at ${line}:${column}`);
  }
}

class Tokenizer {
  #position = 0;
  static readonly #escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '/': '/', '\\': '\\', '"': '"' };

  constructor(private readonly source: string) {}

  fail(message: string, at = this.#position): never {
    const before = this.source.slice(0, at).split('\n');
    throw new ParseError(message, before.length, before.at(-1)!.length + 1);
  }

  next(): Token {
    while (/[ \t\r\n]/.test(this.source[this.#position] ?? '')) this.#position++;
    const at = this.#position;
    const char = this.source[at];
    if (char === undefined) return { kind: TokenKind.End, text: '', at };
    if ('{}[],:'.includes(char)) {
      this.#position++;
      return { kind: TokenKind.Punctuation, text: char, at };
    }
    if (char === '"') return { kind: TokenKind.Text, text: this.#text(), at };
    const number = this.#match(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y);
    if (number !== undefined) return { kind: TokenKind.Number, text: number, at };
    const word = this.#match(/[a-z]+/y);
    if (word !== undefined) return { kind: TokenKind.Word, text: word, at };
    this.fail(`unexpected ${JSON.stringify(char)}`);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#position;
    const found = pattern.exec(this.source)?.[0];
    this.#position += found?.length ?? 0;
    return found;
  }

  #text(): string {
    let text = '';
    for (this.#position++; ; this.#position++) {
      const char = this.source[this.#position];
      if (char === undefined || char === '\n') this.fail('unterminated text');
      if (char === '"') { this.#position++; return text; }
      text += char === '\\' ? this.#escape() : char;
    }
  }

  #escape(): string {
    const char = this.source[++this.#position] ?? this.fail('unterminated escape');
    if (char !== 'u') return Tokenizer.#escapes[char] ?? this.fail(`bad escape \\${char}`);
    const digits = /^[\da-fA-F]{4}/.exec(this.source.slice(this.#position + 1, this.#position + 5))?.[0];
    if (digits === undefined) this.fail('bad unicode escape');
    this.#position += 4;
    return String.fromCharCode(parseInt(digits, 16));
  }
}

class Parser {
  #token: Token;
  constructor(private readonly tokens: Tokenizer) { this.#token = tokens.next(); }

  static parse(source: string): Json {
    const parser = new Parser(new Tokenizer(source));
    const value = parser.#value();
    if (parser.#token.kind !== TokenKind.End) parser.tokens.fail(`unexpected ${TokenKind[parser.#token.kind]}`, parser.#token.at);
    return value;
  }

  #take(): Token { const token = this.#token; this.#token = this.tokens.next(); return token; }

  #accept(text: string): boolean {
    if (this.#token.kind !== TokenKind.Punctuation || this.#token.text !== text) return false;
    this.#take();
    return true;
  }

  #expect(text: string): void {
    if (!this.#accept(text)) this.tokens.fail(`expected ${text}`, this.#token.at);
  }

  #value(): Json {
    const { kind, text, at } = this.#token;
    if (this.#accept('{')) return this.#members();
    if (this.#accept('[')) return this.#elements();
    switch (kind) {
      case TokenKind.Text: this.#take(); return text;
      case TokenKind.Number: this.#take(); return Number(text);
      case TokenKind.Word: {
        const words = { true: true, false: false, null: null } as const;
        if (!Object.hasOwn(words, text)) this.tokens.fail(`unknown word ${text}`, at);
        this.#take();
        return words[text as keyof typeof words];
      }
      default: return this.tokens.fail('expected a value', at);
    }
  }

  #elements(): Json[] {
    const list: Json[] = [];
    if (this.#accept(']')) return list;
    do list.push(this.#value()); while (this.#accept(','));
    this.#expect(']');
    return list;
  }

  #members(): { [key: string]: Json } {
    const members: [string, Json][] = [];
    if (this.#accept('}')) return {};
    do {
      if (this.#token.kind !== TokenKind.Text) this.tokens.fail('expected a key', this.#token.at);
      const key = this.#take().text;
      this.#expect(':');
      members.push([key, this.#value()]);
    } while (this.#accept(','));
    this.#expect('}');
    return Object.fromEntries(members);
  }
}

export default (sources: string[]): unknown[] =>
  sources.map((source) => {
    try {
      const value = Parser.parse(source);
      return { value, sameAsBuiltIn: JSON.stringify(value) === JSON.stringify(JSON.parse(source)) };
    } catch (error) {
      if (!(error instanceof ParseError)) throw error;
      return { error: error.message, line: error.line, column: error.column };
    }
  });
