// What is there besides the language: URL, text coders, base64, abort signals, cloning, random numbers, clocks.

export default async () => {
  const url = new URL('../b?x=1&x=2#frag', 'https://user@example.com:8443/a/c');
  url.searchParams.append('y', 'ä b');
  const controller = new AbortController();
  const heard: string[] = [];
  controller.signal.addEventListener('abort', (event) => heard.push(event.type), { once: true });
  const any = AbortSignal.any([controller.signal, AbortSignal.timeout(60_000)]);
  controller.abort(new RangeError('stop'));
  const decoder = new TextDecoder();
  const streamed = decoder.decode(new Uint8Array([0xe2, 0x82]), { stream: true }) + decoder.decode(new Uint8Array([0xac]));
  const original = { date: new Date(5), map: new Map([[{ k: 1 }, new Set([1n])]]), re: /x/gi, bytes: new Uint8Array([1, 2]), self: null as unknown };
  original.self = original;
  const copy = structuredClone(original);
  const moved = new ArrayBuffer(3);
  const received = structuredClone(moved, { transfer: [moved] });
  const refusals = [() => structuredClone(() => 1), () => new URL('nonsense'), () => new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([0xff])), () => atob('*')];
  const uuid = crypto.randomUUID();
  const random = crypto.getRandomValues(new Uint32Array(8));
  const before = performance.now();
  return {
    href: url.href,
    parts: [url.origin, url.host, url.pathname, url.search, url.hash, url.searchParams.getAll('x')],
    canParse: [URL.canParse('x:'), URL.canParse('//x'), URL.parse('//x')],
    params: [...new URLSearchParams({ a: '1', b: '&' })].concat([[new URLSearchParams('q=%20').toString(), '']]),
    abort: [heard, controller.signal.aborted, (controller.signal.reason as Error).name, any.aborted],
    throwIfAborted: (() => { try { any.throwIfAborted(); return ''; } catch (error) { return (error as Error).message; } })(),
    encoded: [...new TextEncoder().encode('€')],
    into: new TextEncoder().encodeInto('a€', new Uint8Array(3)),
    streamed,
    latin: new TextDecoder('latin1').decode(new Uint8Array([0x80, 0xe9])),
    replaced: new TextDecoder().decode(new Uint8Array([0x61, 0xff])),
    clone: [copy.self === copy, copy.map instanceof Map, [...[...copy.map.keys()]][0]!.k, [...copy.map.values()][0]!.has(1n), copy.re.flags, [...copy.bytes]],
    transferred: [moved.byteLength, received.byteLength],
    refusals: refusals.map((refused) => { try { refused(); return 'allowed'; } catch (error) { return (error as Error).name; } }),
    uuid: /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(uuid),
    random: new Set(random).size > 4,
    clock: [performance.now() >= before, before >= 0, Math.abs(Date.now() - 1.7e12) > 0],
  };
};
