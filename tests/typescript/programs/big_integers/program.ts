// Number theory with big integers: primes, modular powers and inverses, factors, digits of pi, roots, a toy RSA.

const abs = (n: bigint): bigint => (n < 0n ? -n : n);
const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? abs(a) : gcd(b, a % b));

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n;
  for (base %= modulus; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = (result * base) % modulus;
    base = (base * base) % modulus;
  }
  return result;
}

function inverse(a: bigint, modulus: bigint): bigint {
  let [r0, r1, s0, s1] = [a, modulus, 1n, 0n];
  while (r1 !== 0n) {
    const quotient = r0 / r1;
    [r0, r1, s0, s1] = [r1, r0 - quotient * r1, s1, s0 - quotient * s1];
  }
  if (r0 !== 1n) throw new RangeError(`${a} has no inverse modulo ${modulus}`);
  return ((s0 % modulus) + modulus) % modulus;
}

/** Miller and Rabin's test; exact below 3.3e24 with these bases. */
function isPrime(n: bigint): boolean {
  const bases = [2n, 3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n, 41n];
  if (n < 2n) return false;
  if (bases.some((base) => n % base === 0n)) return bases.includes(n);
  let [odd, twos] = [n - 1n, 0];
  for (; odd % 2n === 0n; odd /= 2n) twos++;
  return bases.every((base) => {
    let x = power(base, odd, n);
    for (let i = 0; i < twos; i++) {
      if (x === n - 1n || (x === 1n && i === 0)) return true;
      x = (x * x) % n;
    }
    return false;
  });
}

/** Pollard's rho, with small factors taken out first. */
function factors(n: bigint): bigint[] {
  if (n === 1n) return [];
  if (isPrime(n)) return [n];
  if (n % 2n === 0n) return [2n, ...factors(n / 2n)];
  for (let c = 1n; ; c++) {
    const step = (x: bigint): bigint => (x * x + c) % n;
    let [slow, fast, divisor] = [2n, 2n, 1n];
    while (divisor === 1n) {
      slow = step(slow);
      fast = step(step(fast));
      divisor = gcd(abs(slow - fast), n);
    }
    if (divisor !== n) return [...factors(divisor), ...factors(n / divisor)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  }
}

/** The spigot of Gibbons: digits of pi one by one. */
function* piDigits(): Generator<number, never> {
  let [q, r, t, k, n, l] = [1n, 0n, 1n, 1n, 3n, 3n];
  for (;;) {
    if (4n * q + r - t < n * t) {
      yield Number(n);
      [q, r, n] = [10n * q, 10n * (r - n * t), (10n * (3n * q + r)) / t - 10n * n];
    } else {
      [q, r, t, k, n, l] = [q * k, (2n * q + r) * l, t * l, k + 1n, (q * (7n * k + 2n) + r * l) / (t * l), l + 2n];
    }
  }
}

function squareRoot(n: bigint): bigint {
  let x = 1n << BigInt((n.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (x + n / x) >> 1n;
    if (next >= x) return x;
    x = next;
  }
}

const factorial = (n: number): bigint => Array.from({ length: n }, (_, i) => BigInt(i + 1)).reduce((a, b) => a * b, 1n);

function rsa(message: bigint): boolean {
  const [p, q, e] = [(1n << 89n) - 1n, (1n << 107n) - 1n, 65537n];
  const d = inverse(e, (p - 1n) * (q - 1n));
  return power(power(message, e, p * q), d, p * q) === message;
}

export default (number: bigint, message: bigint) => ({
  factors: factors(number),
  primes: [561n, 2n ** 61n - 1n, 2n ** 67n - 1n, 1_000_000_007n, 2n ** 89n - 1n].map(isPrime),
  inverse: inverse(3n, 11n),
  noInverse: (() => { try { return inverse(6n, 9n); } catch (error) { return (error as Error).message; } })(),
  pi: piDigits().take(50).toArray().join(''),
  root: squareRoot(2n * 10n ** 60n),
  factorial: factorial(30),
  zeros: /0*$/.exec(String(factorial(1000)))![0].length,
  digits: String(2n ** 1000n).split('').reduce((sum, digit) => sum + Number(digit), 0),
  rsa: rsa(message),
  gcd: gcd(2n ** 40n * 3n ** 20n, 2n ** 20n * 3n ** 40n) === 6n ** 20n,
  bits: [BigInt.asIntN(8, 200n), (-5n >> 1n), (5n & -2n), ~0n],
});
