// console.table: rows and columns in a box.

import {
  arrayJoin, getOwnPropertyDescriptor, hasOwn, isArray, mapEntries, mapIteratorNext, mapSize, max, min, ownKeys,
  setIteratorNext, setSize, setValues, stringPadEnd, stringRepeat,
} from '../intrinsics.js';
import { append } from '../lists.js';
import { dataValue, isObject } from '../values.js';
import { accessorText } from './inspect.js';
import { escapeText } from './quote.js';

const kMaxRows = 1000;
const kMaxColumns = 100;

function enumerableKeys(object, limit) {
  const all = ownKeys(object);
  const keys = [];
  for (let i = 0; i < all.length && keys.length < limit; i++) {
    if (typeof all[i] === 'string' && getOwnPropertyDescriptor(object, all[i]).enumerable) append(keys, all[i]);
  }
  return keys;
}

/** Each row is { label, key, value }; only a map's rows have a key. */
function rowsOf(data, kind) {
  const rows = [];
  if (kind === 'Map') {
    const iterator = mapEntries(data);
    const count = min(mapSize(data), kMaxRows);
    for (let i = 0; i < count; i++) {
      const entry = mapIteratorNext(iterator).value;
      append(rows, { label: `${i}`, key: entry[0], value: entry[1] });
    }
  } else if (kind === 'Set') {
    const iterator = setValues(data);
    const count = min(setSize(data), kMaxRows);
    for (let i = 0; i < count; i++) append(rows, { label: `${i}`, value: setIteratorNext(iterator).value });
  } else {
    const keys = enumerableKeys(data, kMaxRows);
    for (let i = 0; i < keys.length; i++) append(rows, { label: escapeText(keys[i]), value: dataValue(data, keys[i]) });
  }
  return rows;
}

class Table {
  #inspector;
  #rowCount;
  // { title, cells } each; a cell that is missing is empty.
  #columns = [];
  #byKey = { __proto__: null };

  constructor(inspector, rowCount) {
    this.#inspector = inspector;
    this.#rowCount = rowCount;
  }

  addColumn(column) {
    append(this.#columns, column);
    return column;
  }

  /** The columns of one row's object: those asked for, or one for each of its keys. */
  addProperties(row, object, keys) {
    for (let i = 0; i < keys.length; i++) {
      if (this.#byKey[keys[i]] === undefined) {
        if (this.#columns.length >= kMaxColumns) continue;
        this.#byKey[keys[i]] = this.addColumn({ title: escapeText(keys[i]), cells: [] });
      }
      const descriptor = getOwnPropertyDescriptor(object, keys[i]);
      if (descriptor === undefined) continue;
      const text = hasOwn(descriptor, 'value') ? this.cell(descriptor.value) : accessorText(descriptor);
      this.#byKey[keys[i]].cells[row] = text;
    }
  }

  cell(value) {
    const { facts } = this.#inspector;
    const target = isObject(value) ? facts.unwrap(value) : null;
    const isObjectLike = typeof target === 'object' && target !== null && !isArray(target);
    const isLarge = isObjectLike && enumerableKeys(target, 3).length > 2;
    return this.#inspector.inspect(value, { depth: isLarge ? -1 : 0, maxItems: 3, lineWidth: 1e6 });
  }

  text() {
    const rules = [];
    const widths = [];
    for (let i = 0; i < this.#columns.length; i++) {
      const { title, cells } = this.#columns[i];
      let width = title.length;
      for (let row = 0; row < this.#rowCount; row++) width = max(width, (cells[row] ?? '').length);
      append(widths, width);
      append(rules, stringRepeat('─', width + 2));
    }
    const line = (cellOf) => {
      const cells = [];
      for (let i = 0; i < widths.length; i++) {
        append(cells, ` ${stringPadEnd(cellOf(this.#columns[i]) ?? '', widths[i])} `);
      }
      return `│${arrayJoin(cells, '│')}│\n`;
    };
    let text = `┌${arrayJoin(rules, '┬')}┐\n${line((column) => column.title)}├${arrayJoin(rules, '┼')}┤\n`;
    for (let row = 0; row < this.#rowCount; row++) text += line((column) => column.cells[row]);
    return `${text}└${arrayJoin(rules, '┴')}┘`;
  }
}

/** `columns` is undefined, or the list of keys to show. Undefined for what is no table. */
export function tableText(value, columns, inspector) {
  const { facts } = inspector;
  const data = typeof value === 'object' && value !== null ? facts.unwrap(value) : null;
  if (data === null) return undefined;
  const kind = facts.classOf(data);
  const rows = rowsOf(data, kind);
  const table = new Table(inspector, rows.length);
  const isIterated = kind === 'Map' || kind === 'Set';
  const labels = table.addColumn({ title: isIterated ? '(iteration index)' : '(index)', cells: [] });
  const keys = kind === 'Map' ? table.addColumn({ title: 'Key', cells: [] }) : undefined;
  let values;
  for (let i = 0; i < rows.length; i++) {
    labels.cells[i] = rows[i].label;
    if (keys !== undefined) keys.cells[i] = table.cell(rows[i].key);
    const object = isObject(rows[i].value) ? facts.unwrap(rows[i].value) : null;
    if (object !== null && !isIterated) {
      table.addProperties(i, object, columns ?? enumerableKeys(object, kMaxColumns));
    } else {
      values ??= { title: 'Values', cells: [] };
      values.cells[i] = table.cell(rows[i].value);
    }
  }
  if (values !== undefined) table.addColumn(values);
  return table.text();
}
