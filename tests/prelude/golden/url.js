// URL and URLSearchParams, and the hook by which native code reads a URL.
const log = console.log;
const attempt = (f) => { try { return f(); } catch (e) { return e.name; } };
const url = new URL('../c?x=1#frag', 'HTTP://User:pw@Example.COM:80/a/b/');
log(url.href, url.origin, url.host, url.pathname, url.search, url.hash, url.username, url.protocol, url.port === '');
log(new URL('http://0x7f.1/').hostname, new URL('http://[::1]:8080/').host, new URL('http://a/%zz b').href, new URL('file:///a/../b').href);
log(attempt(() => new URL('nope')), attempt(() => new URL('http://a:99999/')), attempt(() => URL('http://a')), URL.canParse('x:y'), URL.parse('nope'), URL.parse('a', 'http://h/').href);
url.searchParams.append('y', 'a b&c');
url.port = '81';
log(url.href, JSON.stringify({ url }), `${url}`);
const params = new URLSearchParams({ a: '1', b: '2' });
params.append('a', '3');
log(params.toString(), params.getAll('a'), params.has('a', '3'), params.size, [...params], new URLSearchParams('?q=%20+').get('q'));
params.delete('a', '1'); params.sort();
log(String(params), [...params.keys()].join());
log(url, params);

log(hrefOf(url), hrefOf({ href: 'http://fake/' }), hrefOf(null), hrefOf('http://a/'), hrefOf(Object.create(URL.prototype)), hrefOf(new Proxy(url, {})));
Object.defineProperty(url, 'href', { get: () => 'http://own/' });
Object.defineProperty(URL.prototype, 'href', { get: () => 'http://patched/' });
URL.prototype.toString = () => 'http://patched/';
Reflect.apply = Function.prototype.call = WeakMap.prototype.get = () => 'http://patched/';
log(url.href, hrefOf(url));
class Sub extends URL {}
log(hrefOf(new Sub('http://sub/')));
