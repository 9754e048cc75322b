// Puts the parts of one value on one line or several: the look of Node's util.inspect.

import {
  arrayJoin, floor, max, min, round, sqrt, stringIncludes, stringPadEnd, stringPadStart, stringRepeat,
} from '../intrinsics.js';
import { append } from '../lists.js';

// A value may share a line with up to this many levels of values inside it.
const kCompactLevels = 3;
const kMaxColumns = 15;
const kGroupAbove = 6;

function columnCount(lengths, total, widest, room) {
  const width = widest + 2;
  // Characters are about two and a half times as high as wide; a square-looking block reads best.
  const bias = sqrt(width - total / lengths.length);
  const biased = max(width - 3 - bias, 1);
  return min(round(sqrt(2.5 * biased * lengths.length) / biased), floor(room / width), kCompactLevels * 4, kMaxColumns);
}

/**
 * Joins many short entries of a list into rows of aligned columns. `alignRight` is for numbers; the
 * last of `entries` is left alone when `hasRest` ("... 3 more items").
 */
function inColumns(entries, room, alignRight, hasRest) {
  const count = hasRest ? entries.length - 1 : entries.length;
  const lengths = [];
  let total = 0;
  let widest = 0;
  for (let i = 0; i < count; i++) {
    append(lengths, entries[i].length);
    total += entries[i].length + 2;
    widest = max(widest, entries[i].length);
  }
  const fits = (widest + 2) * 3 < room && (total / (widest + 2) > 5 || widest <= kGroupAbove);
  const columns = fits ? columnCount(lengths, total, widest, room) : 1;
  if (columns <= 1) return entries;

  const widths = [];
  for (let column = 0; column < columns; column++) {
    let width = 0;
    for (let i = column; i < count; i += columns) width = max(width, lengths[i]);
    append(widths, width + 2);
  }
  const rows = [];
  for (let start = 0; start < count; start += columns) {
    const end = min(start + columns, count);
    let row = '';
    for (let i = start; i < end; i++) {
      const isLast = i === end - 1;
      const text = isLast ? entries[i] : `${entries[i]}, `;
      if (alignRight) row += stringPadStart(text, widths[i - start] - (isLast ? 2 : 0));
      else row += isLast ? text : stringPadEnd(text, widths[i - start]);
    }
    append(rows, row);
  }
  if (hasRest) append(rows, entries[count]);
  return rows;
}

function fitsOneLine(entries, start, base, lineWidth) {
  let length = entries.length + start;
  if (length + entries.length > lineWidth) return false;
  for (let i = 0; i < entries.length; i++) {
    length += entries[i].length;
    if (length > lineWidth || stringIncludes(entries[i], '\n')) return false;
  }
  return !stringIncludes(base, '\n');
}

/**
 * `shape` is { base, open, close, isList, alignRight, hasRest }; `levels` is how deep the values
 * inside go below this one, `indentation` the column of its first line.
 */
export function layOut(entries, shape, levels, indentation, lineWidth) {
  const head = `${shape.base === '' ? '' : `${shape.base} `}${shape.open}`;
  let rows = entries;
  if (shape.isList && entries.length > kGroupAbove) {
    rows = inColumns(entries, lineWidth - indentation, shape.alignRight, shape.hasRest);
  }
  if (levels < kCompactLevels && rows === entries) {
    const start = entries.length + indentation + shape.open.length + shape.base.length + 10;
    if (fitsOneLine(entries, start, shape.base, lineWidth)) {
      return `${head} ${arrayJoin(entries, ', ')} ${shape.close}`;
    }
  }
  const line = `\n${stringRepeat(' ', indentation)}`;
  return `${head}${line}  ${arrayJoin(rows, `,${line}  `)}${line}${shape.close}`;
}
