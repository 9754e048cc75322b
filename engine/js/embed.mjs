// embed.mjs HEADER FUNCTION IN OUT: writes the text of IN as a C++ source that defines
// cordon::engine::FUNCTION(), which HEADER declares. The text becomes raw string literals of bounded
// length, which every compiler accepts and joins.

import { readFileSync, writeFileSync } from 'node:fs';

const [header, name, input, output] = process.argv.slice(2);
const text = readFileSync(input, 'utf8');
const delimiter = 'CORDON';
if (/[^\x00-\x7f]/.test(text) || text.includes(`)${delimiter}"`)) {
  throw new Error(`${input} cannot be embedded: it must be ASCII and free of the delimiter`);
}
const pieces = text.match(/[^]{1,8192}/g).map((piece) => `    R"${delimiter}(${piece})${delimiter}"`);
writeFileSync(
  output,
  `#include "${header}"

namespace cordon::engine {

std::string_view ${name}() {
  static constexpr char kSource[] =
${pieces.join('\n')};
  return {kSource, sizeof(kSource) - 1};
}

}  // namespace cordon::engine
`,
);
