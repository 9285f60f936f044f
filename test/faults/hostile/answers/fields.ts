import { isObject } from '../../../../src/base/json';
import type { HostileResponse } from '../answer';
import { speaking } from '../endpoints';
import { truth } from '../truth';
import { says } from '../wire';

/** Wrong values; a function is called to create one. */
const odd: Readonly<Record<string, unknown>> = {
  null: null,
  true: true,
  nought: 0,
  'less than nothing': -1,
  'a fraction': 1.5,
  'a number beyond counting': 1e21,
  'a number in words': '12',
  'an empty text': '',
  blank: ' \t',
  'an empty list': [],
  'an empty object': {},
  'a list in a list': [[['x']]],
  'an object in an object': { value: { value: { value: 1 } } },
  'a long text': 'x'.repeat(20_000),
  'two hundred lists in each other': nested(200),
  markup: '<img src=x onerror=alert(1)>[x](command:y)$(zap)\u202e\u0000\u001b[31m',
};

/** Names with a meaning in JavaScript objects. */
const reserved = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', 'toJSON', 'then'];

type Path = readonly (string | number)[];

/** Honest responses with one thing wrong: missing, of another type, null, or extra. */
export const fieldResponses: HostileResponse[] = speaking.flatMap((endpoint) => {
  const honest = truth[endpoint];
  const response = (what: string, value: unknown): HostileResponse => ({
    kind: 'fields',
    what,
    endpoint,
    act: says(200, JSON.stringify(value)),
  });
  return pathsIn(honest).flatMap((path) => {
    const name = path.join('.') || 'all of it';
    return [
      ...Object.entries(odd).map(([what, value]) => response(`${name} is ${what}`, changed(honest, path, value))),
      response(`${name} is missing`, changed(honest, path, undefined)),
      ...(isObject(valueAt(honest, path))
        ? [response(`${name} holds names of the language`, crowded(honest, path))]
        : []),
    ];
  });
});

function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, inner]) => pathsIn(inner, [...path, name]))];
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce((inner, name) => (inner as Record<string | number, unknown>)[name], value);
}

/** A copy with another value at the path; undefined omits it. */
function changed(value: unknown, path: Path, to: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return to ?? null;
  if (Array.isArray(value))
    return value.map((inner: unknown, index) => (String(index) === name ? changed(inner, rest, to) : inner));
  return { ...(value as object), [name]: rest.length === 0 ? to : changed(valueAt(value, [name]), rest, to) };
}

function crowded(value: unknown, path: Path): unknown {
  const names = reserved.map((name) => `${JSON.stringify(name)}:{"polluted":true,"id":"gen_0666"}`).join(',');
  const inside = JSON.stringify(valueAt(value, path)).replace(/\}$/, `,${names}}`);
  return changed(value, path, JSON.parse(inside));
}

function nested(depth: number): unknown {
  return depth === 0 ? 1 : [nested(depth - 1)];
}
