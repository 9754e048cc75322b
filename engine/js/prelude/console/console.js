// The console. A call is one text at one level; whatever its arguments do, it does not throw.

import {
  ErrorConstructor, MapConstructor, NumberConstructor, arrayJoin, errorStack, floor, isArray, mapDelete, mapGet, mapHas,
  mapSet, numberToFixed, stringIncludes, stringPadStart, stringRepeat, stringSlice,
} from '../intrinsics.js';
import { tag } from '../define.js';
import { append } from '../lists.js';
import { dataValue, isObject } from '../values.js';
import { framesText, splitLines } from './errors.js';
import { formatValues } from './format.js';
import { kMaxText, primitiveText } from './inspect.js';
import { tableText } from './table.js';

const kMaxGroups = 20;

function cut(text) {
  return text.length > kMaxText ? `${stringSlice(text, 0, kMaxText)}... (cut)` : text;
}

function durationText(ms) {
  if (ms < 1000) return `${NumberConstructor(numberToFixed(ms, 3))}ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${numberToFixed(seconds, 3)}s`;
  const minutes = floor(seconds / 60);
  const rest = stringPadStart(numberToFixed(seconds - minutes * 60, 3), 6, '0');
  if (minutes < 60) return `${minutes}:${rest} (m:ss.mmm)`;
  return `${floor(minutes / 60)}:${stringPadStart(`${minutes % 60}`, 2, '0')}:${stringSlice(rest, 0, 2)} (h:mm:ss)`;
}

/** What the functions share: where the text goes, groups, counters, timers. */
class Writer {
  #print;
  #now;
  #inspector;
  #groups = 0;
  #counts = new MapConstructor();
  #timers = new MapConstructor();

  constructor({ print, now }, inspector) {
    this.#print = print;
    this.#now = now;
    this.#inspector = inspector;
  }

  write(level, text) {
    const print = this.#print;
    const indent = stringRepeat('  ', this.#groups);
    let shown = cut(text);
    if (indent !== '' && stringIncludes(shown, '\n')) shown = arrayJoin(splitLines(shown), `\n${indent}`);
    print(level, cut(indent + shown));
  }

  log(level, values) {
    this.write(level, formatValues(values, this.#inspector));
  }

  dir(value, options) {
    const given = (isObject(options) ? this.#inspector.facts.unwrap(options) : null) ?? {};
    const depth = dataValue(given, 'depth');
    const showHidden = dataValue(given, 'showHidden') === true;
    const text = this.#inspector.inspect(value, {
      depth: depth === null ? Infinity : typeof depth === 'number' ? depth : 2,
      showHidden,
    });
    this.write('log', text);
  }

  table(value, columns) {
    let keys;
    if (columns !== undefined && isArray(columns)) {
      keys = [];
      for (let i = 0; i < columns.length; i++) append(keys, this.#labelText(columns[i]));
    }
    const text = tableText(value, keys, this.#inspector);
    if (text === undefined) this.log('log', [value]);
    else this.write('log', text);
  }

  trace(values, stack) {
    const text = formatValues(values, this.#inspector);
    // The first frame is the console's own function.
    this.write('error', `Trace${text === '' ? '' : `: ${text}`}${framesText(stack, 1)}`);
  }

  assert(values) {
    if (values.length === 0) {
      this.write('warn', 'Assertion failed');
    } else if (typeof values[0] === 'string') {
      values[0] = `Assertion failed: ${values[0]}`;
      this.log('warn', values);
    } else {
      this.write('warn', `Assertion failed: ${formatValues(values, this.#inspector)}`);
    }
  }

  group(values) {
    if (values.length > 0) this.log('log', values);
    if (this.#groups < kMaxGroups) this.#groups++;
  }

  groupEnd() {
    if (this.#groups > 0) this.#groups--;
  }

  count(label) {
    const name = this.#labelText(label);
    const count = (mapGet(this.#counts, name) ?? 0) + 1;
    mapSet(this.#counts, name, count);
    this.write('log', `${name}: ${count}`);
  }

  countReset(label) {
    const name = this.#labelText(label);
    if (!mapDelete(this.#counts, name)) this.write('warn', `Count for '${name}' does not exist`);
  }

  time(label) {
    const now = this.#now;
    const name = this.#labelText(label);
    if (mapHas(this.#timers, name)) this.write('warn', `Timer '${name}' already exists`);
    else mapSet(this.#timers, name, now());
  }

  /** Prints how long the timer has run; `ends` removes it. */
  timeLog(label, values, ends) {
    const now = this.#now;
    const name = this.#labelText(label);
    const start = mapGet(this.#timers, name);
    if (start === undefined) {
      this.write('warn', `Timer '${name}' does not exist`);
      return;
    }
    const data = values.length === 0 ? '' : ` ${formatValues(values, this.#inspector)}`;
    this.write('log', `${name}: ${durationText(now() - start)}${data}`);
    if (ends) mapDelete(this.#timers, name);
  }

  #labelText(label) {
    if (label === undefined) return 'default';
    if (typeof label === 'string') return label;
    return isObject(label) ? this.#inspector.inspect(label, { depth: 0 }) : primitiveText(label);
  }
}

export function makeConsole(bindings, inspector) {
  const { className } = bindings;
  const writer = new Writer(bindings, inspector);

  function guard(work) {
    try {
      work();
    } catch (error) {
      // A stack overflow or lack of memory is the program's own, and is told to it.
      if (!isObject(error) || className(error) === 'InternalError') throw error;
      writer.write('error', '[console: a value could not be shown]');
    }
  }

  const console = {
    log: (...values) => guard(() => writer.log('log', values)),
    info: (...values) => guard(() => writer.log('info', values)),
    debug: (...values) => guard(() => writer.log('debug', values)),
    warn: (...values) => guard(() => writer.log('warn', values)),
    error: (...values) => guard(() => writer.log('error', values)),
    dir: (value, options) => guard(() => writer.dir(value, options)),
    table: (value, columns) => guard(() => writer.table(value, columns)),
    trace: (...values) => {
      const stack = errorStack(new ErrorConstructor());
      guard(() => writer.trace(values, stack));
    },
    assert: (condition, ...values) => {
      if (!condition) guard(() => writer.assert(values));
    },
    group: (...values) => guard(() => writer.group(values)),
    groupCollapsed: (...values) => guard(() => writer.group(values)),
    groupEnd: () => writer.groupEnd(),
    count: (label) => guard(() => writer.count(label)),
    countReset: (label) => guard(() => writer.countReset(label)),
    time: (label) => guard(() => writer.time(label)),
    timeLog: (label, ...values) => guard(() => writer.timeLog(label, values, false)),
    timeEnd: (label) => guard(() => writer.timeLog(label, [], true)),
  };
  tag(console, 'console');
  return console;
}
