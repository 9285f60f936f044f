import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { systemClock } from '../../../src/base/clock';
import { Yielder } from '../../../src/base/concurrency';
import { ServiceError } from '../../../src/catalog/errors';
import { readModel, readModels } from '../../../src/catalog/modelSchema';
import { refusalOf } from '../../../src/catalog/problems';
import { readAccount, readGeneration, readGenerations, readQuote } from '../../../src/catalog/records';

// The table of shapes: one file for each style of responses, and for each response what must be read from it.

interface Row {
  /** Method and path, as the specification names them. */
  readonly endpoint: string;
  /** Omitted for a 2xx. */
  readonly status?: number;
  readonly answer: unknown;
  /** The complete result, a subset of it for models; `unreadable` for a response that must be rejected. */
  readonly read: unknown;
}

interface Table {
  readonly style: string;
  readonly answers: readonly Row[];
}

const turns = new Yielder(systemClock);

/** The reader of each endpoint. For a model, only fields that a row may state are compared. */
const readers: Readonly<Record<string, (answer: unknown) => unknown>> = {
  'GET /me': readAccount,
  'POST /quote': readQuote,
  'POST /generations': (answer) => readGeneration(answer, 'queued'),
  'GET /generations/g1': (answer) => readGeneration(answer),
  'GET /generations': (answer) => readGenerations(answer, turns),
  'GET /models': (answer) => readModels(answer, turns),
  'GET /models/detail?id=a/b/c': (answer) => readModel(answer, 'a/b/c'),
};

function readRefusal(status: number, answer: unknown): unknown {
  const incoming = { status, headers: {}, body: Readable.from([]), received: () => 0 };
  const { kind, fields } = refusalOf(incoming, JSON.stringify(answer), {});
  return { kind, fields: fields.map(({ field, message }) => [field, message]) };
}

/** As JSON, without what isn't stated. */
function stated(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** The part of `read` that the row states: a model has more fields than distinguish shapes. */
function asFarAs(expected: unknown, read: unknown): unknown {
  if (Array.isArray(expected) && Array.isArray(read))
    return read.map((inner: unknown, index) => asFarAs(expected[index], inner));
  if (typeof expected !== 'object' || expected === null || typeof read !== 'object' || read === null) return read;
  return Object.fromEntries(
    Object.keys(expected).map((name) => [
      name,
      asFarAs((expected as Record<string, unknown>)[name], (read as Record<string, unknown>)[name]),
    ]),
  );
}

const folder = join(process.cwd(), 'test', 'fixtures', 'answers');

for (const file of readdirSync(folder).sort()) {
  const { style, answers } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Table;
  for (const { endpoint, status, answer, read } of answers) {
    test(`${style}: ${endpoint} answers ${JSON.stringify(answer)}`, async () => {
      const reader = readers[endpoint];
      if (read === 'unreadable') {
        await assert.rejects(
          async () => await reader?.(answer),
          (error) => error instanceof ServiceError && error.kind === 'unreadable',
        );
        return;
      }
      const found = stated(status === undefined ? await reader?.(answer) : readRefusal(status, answer));
      assert.deepEqual(endpoint.startsWith('GET /models') ? asFarAs(read, found) : found, read);
    });
  }
}
