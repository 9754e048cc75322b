#include "benchmarks/load/programs.h"

#include <array>
#include <charconv>

namespace cordon::load {

const std::string_view kAddOne = R"ts(
export default (x: number): number => x + 1;
)ts";

const std::string_view kRoundTrips = R"ts(
import { environment } from 'fino:ai/sandbox/capabilities';

export default async (trips: number): Promise<[string, number[]]> => {
  const micros: number[] = [];
  let text: string = '';
  let before: number = performance.now();
  for (let i = 0; i < trips; i++) {
    text = await environment('A');
    const now = performance.now();
    micros.push((now - before) * 1000);
    before = now;
  }
  return [text, micros];
};
)ts";

// Numbers, arrays, strings, JSON, sorting, a regular expression and a Map: what needs a compiler to
// machine code to be fast. Every part feeds the result, so none can be left out.
const std::string_view kCompute = R"ts(
const enum Coordinate { X, Y, Z }
namespace Random {
  let state: number = 12345;
  export const next = (): number => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
}
interface Planet { at: Float64Array; speed: Float64Array; mass: number }
interface User { id: number; mail: string; groups: string[] }

function orbit(steps: number): number {
  const planets: Planet[] = Array.from({ length: 5 }, (_, i) => ({
    at: Float64Array.of(i * 1.7 + 0.3, 0.1 - i * 0.9, i * 0.37),
    speed: Float64Array.of(i * 0.01, (i - 2) * 0.02, i * -0.013),
    mass: 1 / (i + 1),
  }));
  for (let step = 0; step < steps; step++) {
    for (let i = 0; i < planets.length; i++) {
      const one: Planet = planets[i];
      for (let j = i + 1; j < planets.length; j++) {
        const other: Planet = planets[j];
        const x = one.at[Coordinate.X] - other.at[Coordinate.X];
        const y = one.at[Coordinate.Y] - other.at[Coordinate.Y];
        const z = one.at[Coordinate.Z] - other.at[Coordinate.Z];
        const square = x * x + y * y + z * z + 0.01;
        const pull = 0.001 / (square * Math.sqrt(square));
        one.speed[Coordinate.X] -= x * other.mass * pull;
        one.speed[Coordinate.Y] -= y * other.mass * pull;
        one.speed[Coordinate.Z] -= z * other.mass * pull;
        other.speed[Coordinate.X] += x * one.mass * pull;
        other.speed[Coordinate.Y] += y * one.mass * pull;
        other.speed[Coordinate.Z] += z * one.mass * pull;
      }
    }
    for (const planet of planets) {
      for (let axis = 0; axis < 3; axis++) planet.at[axis] += 0.001 * planet.speed[axis];
    }
  }
  return planets.reduce((sum, { at }) => sum + at[0] + at[1] + at[2], 0);
}

// Over all permutations of n numbers: how often a prefix can be turned over until 1 is in front.
function pancakes(n: number): [checksum: number, most: number] {
  const stack: number[] = Array.from({ length: n }, (_, i) => i);
  const turns: number[] = stack.map((i) => i + 1);
  const work: number[] = stack.slice();
  let checksum: number = 0, most: number = 0, even: boolean = true, left: number = n;
  for (;;) {
    for (; left > 1; left--) turns[left - 1] = left;
    for (let i = 0; i < n; i++) work[i] = stack[i];
    let flips: number = 0;
    for (let first = work[0]; first !== 0; first = work[0]) {
      for (let low = 0, high = first; low < high; low++, high--) {
        const kept = work[low];
        work[low] = work[high];
        work[high] = kept;
      }
      flips++;
    }
    if (flips > most) most = flips;
    checksum += even ? flips : -flips;
    even = !even;
    for (;; left++) {
      if (left === n) return [checksum, most];
      const bottom = stack[0];
      for (let i = 0; i < left; i++) stack[i] = stack[i + 1];
      stack[left] = bottom;
      if (--turns[left] > 0) break;
    }
  }
}

function directory(size: number): [first: number, letters: number, words: number, hash: number] {
  const users: User[] = [];
  for (let i = 0; i < size; i++) {
    const id = Math.floor(Random.next() * 1e6);
    users.push({ id, mail: `user-${i}@example.org`, groups: [`a${i % 7}`, `b${i % 11}`] });
  }
  const copy = JSON.parse(JSON.stringify(users)) as User[];
  copy.sort((a, b) => a.id - b.id || (a.mail < b.mail ? -1 : 1));
  const text: string = copy.map(({ mail, groups }) => `${mail} ${groups.join(',')}`).join('\n');
  let letters: number = 0;
  for (const match of text.matchAll(/user-(\d+)@([a-z]+)\.org (a\d),(b\d+)/g)) {
    letters += match[1].length + match[4].length;
  }
  const counts = new Map<string, number>();
  for (const word of text.split(/[\s,]+/)) counts.set(word, (counts.get(word) ?? 0) + 1);
  let hash: number = 0;
  for (const [word, count] of counts) hash = (Math.imul(hash, 31) + word.length * count) | 0;
  return [copy[10].id, letters, counts.size, hash];
}

export default (scale: number): string =>
  [orbit(scale * 250).toFixed(6), ...pancakes(8), ...directory(scale * 20)].join(' ');
)ts";

const std::string_view kComputeResult = R"("8.529187 1616 22 2873 23253 4018 495657933")";

const std::string_view kShortComputeResult = R"("10.546033 1616 22 25139 1926 418 2022277022")";

const std::string_view kIdle = R"ts(
export default (): Promise<never> => {
  console.log('ready');
  return new Promise<never>(() => {});
};
)ts";

const std::string_view kEndlessLoop = R"ts(
export default (): void => { while (true) {} };
)ts";

const std::string_view kEcho = R"ts(
export default (x: unknown): unknown => x;
)ts";

const std::string_view kReadLength = R"ts(
import { readText } from 'fino:ai/sandbox/capabilities';

export default async (path: string): Promise<number> => (await readText(path)).length;
)ts";

const std::string_view kAskInVain = R"ts(
import { environment } from 'fino:ai/sandbox/capabilities';

export default (): Promise<string> => environment('NOT_GRANTED');
)ts";

std::string distinct_source(std::string_view program, std::uint64_t number) {
  std::string source = "const call: number = " + std::to_string(number) + ";";
  source += program;
  return source;
}

std::string large_argument() {
  constexpr std::size_t kBytes = 1'000'000;
  std::string json = "[[";
  for (int i = 0; json.size() < kBytes; ++i) {
    const std::string number = std::to_string(i);
    std::array<char, 32> third{};
    // The shortest text that reads back the same, as JavaScript writes it.
    const auto end = std::to_chars(third.data(), third.data() + third.size(), i / 3.0).ptr;
    if (i > 0) json += ',';
    json += R"({"id":)" + number + R"(,"name":"item )" + number;
    json += R"(","note":"a quote \" and an é","values":[)" + number + ",";
    json.append(third.data(), end);
    json += ",true,null]}";
  }
  return json + "]]";
}

}  // namespace cordon::load
