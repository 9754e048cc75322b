// Functions and classes as the console shows them: "[Function: f]", "[class A extends B]".

import { apply, getPrototypeOf, stringEndsWith, stringStartsWith } from '../intrinsics.js';
import { functionToString } from '../pristine.js';

const kinds = [
  { name: 'AsyncFunction', prototype: getPrototypeOf(async () => {}) },
  { name: 'GeneratorFunction', prototype: getPrototypeOf(function* () {}) },
  { name: 'AsyncGeneratorFunction', prototype: getPrototypeOf(async function* () {}) },
];

export function sourceOf(fn) {
  return apply(functionToString, fn, []);
}

function isClass(fn) {
  const source = sourceOf(fn);
  return (stringStartsWith(source, 'class ') || stringStartsWith(source, 'class{')) && stringEndsWith(source, '}');
}

function kindOf(fn) {
  const prototype = getPrototypeOf(fn);
  for (let i = 0; i < kinds.length; i++) if (kinds[i].prototype === prototype) return kinds[i].name;
  return 'Function';
}

const suffix = (name, usual) => (name !== '' && name !== null && name !== usual ? name : '');

function classText(fn, who, facts) {
  const parent = facts.prototypeOf(fn);
  const parentName = typeof parent === 'function' ? facts.functionName(parent) : '';
  let text = `class ${facts.functionName(fn) || '(anonymous)'}`;
  if (suffix(who.constructorName, 'Function') !== '') text += ` [${who.constructorName}]`;
  if (suffix(who.tag, who.constructorName) !== '') text += ` [${who.tag}]`;
  if (parent === null) text += ' extends null';
  else if (parentName !== '') text += ` extends ${parentName}`;
  return `[${text}]`;
}

export function functionText(fn, who, facts) {
  if (isClass(fn)) return classText(fn, who, facts);
  const kind = kindOf(fn);
  const name = facts.functionName(fn);
  let text = `[${kind}${who.constructorName === null ? ' (null prototype)' : ''}`;
  text += name === '' ? ' (anonymous)]' : `: ${name}]`;
  if (suffix(who.constructorName, kind) !== '') text += ` ${who.constructorName}`;
  if (suffix(who.tag, who.constructorName) !== '') text += ` [${who.tag}]`;
  return text;
}
