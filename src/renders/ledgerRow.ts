import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod/mini';
import { hasGivenImage, isGivenImage, itemsOf, withItems } from '../base/givenImage';
import { isObject, type Json, type JsonObject } from '../base/json';
import { recordedImages } from '../files/recordedImages';
import type { Decision, Progress, RenderRecord, RenderState } from './record';

/** A row of the ledger's table `renders`. */
export interface LedgerRow {
  readonly id: number;
  readonly key: string;
  readonly state: string;
  readonly attempt: number;
  readonly version: number;
  readonly place: string;
  readonly account: string;
  /** 1 when its body is stored outside the ledger. */
  readonly apart: number;
  /** JSON: the decision never changes, the progress does. */
  readonly decision: string;
  readonly progress: string;
}

const states = [
  'planned',
  'sent',
  'accepted',
  'succeeded',
  'saved',
  'failed',
  'refunded',
  'refused',
  'unknown',
  'discarded',
] as const satisfies readonly RenderState[];

const jsonObject = z.custom<JsonObject>(isObject);
const cents = z.optional(z.int());
const time = z.optional(z.number());
const text = z.optional(z.string());

// A later version's modes and formats aren't known here.
const fitShape = z.looseObject({
  width: z.optional(z.int()),
  height: z.optional(z.int()),
  mode: z.enum(['cover', 'contain']),
  format: z.optional(z.enum(['png', 'jpeg', 'webp'])),
});

// Inner objects are loose, so that fields of a later version survive a change.
const targetShape = z.looseObject({
  root: text,
  folder: z.string(),
  fileName: z.string(),
  ending: text,
  replaces: z.optional(z.looseObject({ uri: z.string(), sha256: z.string() })),
  fit: z.catch(z.optional(fitShape), undefined),
});

const tellingShape = z.looseObject({ place: z.enum(['embed', 'sidecar', 'none']), prompt: z.boolean() });
/** What a later version recorded may be more private than anything known here. */
const untold = { place: 'none', prompt: false } as const;

const decisionShape = z.object({
  modelId: z.string(),
  inputs: jsonObject,
  shownCents: cents,
  target: targetShape,
  realRoot: text,
  // A later version's value isn't one that was recorded here.
  by: z.catch(z.optional(z.enum(['person', 'agent'])), undefined),
  agent: text,
  telling: z.catch(z.optional(tellingShape), untold),
  plannedAt: z.number(),
});

const problemShape = z.looseObject({
  code: z.string(),
  detail: text,
  fields: z.optional(z.array(z.object({ field: z.string(), message: z.string() }))),
});

const receivedShape = z.looseObject({
  name: z.string(),
  bytes: z.int(),
  sha256: z.string(),
  mediaType: z.string(),
  extension: z.string(),
});

const progressShape = z.object({
  unanswered: z.int(),
  owner: z.string(),
  due: z.optional(z.boolean()),
  firstSentAt: time,
  firstSentServiceTime: time,
  tries: z.optional(z.int()),
  generationId: text,
  sharedWith: z.optional(z.array(z.string())),
  matched: z.optional(z.boolean()),
  readBy: text,
  otherIds: z.optional(z.array(z.string())),
  status: text,
  acceptedAt: time,
  costCents: cents,
  contentUrl: text,
  textOutput: text,
  problem: z.optional(problemShape),
  retry: z.optional(z.looseObject({ tries: z.int(), failedAt: z.number(), nextAt: z.number(), deniedSince: time })),
  spooled: z.optional(
    z.extend(receivedShape, {
      odd: z.optional(z.literal(true)),
      inscribed: z.optional(z.boolean()),
      pictureSha256: text,
      fitted: z.optional(z.boolean()),
      original: z.optional(receivedShape),
    }),
  ),
  claimed: text,
  file: text,
  staged: z.optional(z.boolean()),
  moved: z.optional(targetShape),
  sidecar: z.optional(z.boolean()),
  pendingAt: time,
  endedAt: time,
  deleted: z.optional(z.boolean()),
  hidden: z.optional(z.boolean()),
  forgotten: z.optional(z.boolean()),
  settled: z.optional(z.object({ charged: z.boolean(), at: z.number() })),
});

const changeShape = z.partial(progressShape);
const bodyShape = z.object({ inputs: jsonObject });
const stateShape = z.enum(states);

/** The record in a row, or why it can't be read. */
export function readRow(row: LedgerRow): { readonly record: RenderRecord } | { readonly reason: string } {
  try {
    const decision = decisionShape.parse(JSON.parse(row.decision));
    const progress = progressShape.parse(JSON.parse(row.progress));
    const { id, key, attempt, version, place, account, apart } = row;
    const state = stateShape.parse(row.state);
    // A problem code of a later version is shown by name.
    const known = { key, state, attempt, version, place, account, index: id };
    const { moved: target = decision.target } = progress;
    const record = { ...decision, ...progress, ...known, target, ...(apart === 1 && { isApart: true }) };
    return { record: record as RenderRecord };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

/** The two JSON columns of a row. */
export function writeRow(
  decision: Decision,
  progress: Progress,
  isApart: boolean,
): { decision: string; progress: string } {
  const { modelId, shownCents, target, realRoot, by, agent, telling, plannedAt } = decision;
  const inputs = isApart ? cutShort(decision.inputs) : decision.inputs;
  return {
    decision: JSON.stringify({ modelId, inputs, shownCents, target, realRoot, by, agent, telling, plannedAt }),
    progress: JSON.stringify(progressShape.parse(progress)),
  };
}

/**
 * The progress JSON after a change. Fields that the change doesn't name stay, including those that only a later version
 * understands.
 */
export function changedProgress(before: string, change: Partial<Progress>): string {
  return JSON.stringify({ ...(JSON.parse(before) as JsonObject), ...changeShape.parse(change) });
}

/** The inputs in a request body as they were decided on: images that were given by hash are that again. */
export function inputsInBody(body: Uint8Array, recorded: JsonObject): JsonObject {
  const { inputs } = bodyShape.parse(JSON.parse(new TextDecoder().decode(body)));
  const whole = Object.entries(inputs).map(([name, input]): [string, Json] => {
    const known = itemsOf(Object.hasOwn(recorded, name) ? recorded[name] : undefined);
    const given = (item: Json, index: number) => {
      const image = known[index];
      return isGivenImage(image) && image.file !== '' ? image : item;
    };
    return [name, withItems(input, given)];
  });
  return Object.fromEntries(whole);
}

/** Enough of each input to tell renders apart in a list, and of images everything but their bytes. */
export function cutShort(inputs: JsonObject): JsonObject {
  const cut = Object.entries(recordedImages(inputs)).map(([name, value]): [string, Json] => {
    if (hasGivenImage(value)) return [name, value];
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return [name, text.length > longestInput ? `${text.slice(0, longestInput)}…` : value];
  });
  return Object.fromEntries(cut);
}

/** Characters. */
const longestInput = 2000;

/** The layout that this version writes; a higher number in a ledger means a newer version wrote it. */
const layout = 1;

/** Makes a commit be on disk when it returns. */
export const durable = 'PRAGMA synchronous = FULL';

const tables = `
  CREATE TABLE renders (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    key TEXT NOT NULL UNIQUE,
    state TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    version INTEGER NOT NULL,
    place TEXT NOT NULL,
    account TEXT NOT NULL,
    body BLOB NOT NULL,
    seal TEXT NOT NULL,
    decision TEXT NOT NULL,
    progress TEXT NOT NULL
  );
  CREATE INDEX renders_state ON renders (state);
  CREATE TABLE leases (name TEXT PRIMARY KEY, owner TEXT NOT NULL, until INTEGER NOT NULL);
  PRAGMA user_version = ${layout};
`;

/** A row's generation id. One with damaged progress has none, and doesn't affect the others. */
export const generationOf = "CASE WHEN json_valid(progress) THEN json_extract(progress, '$.generationId') END";

/** When a render ended, ms since 1970. */
export const endedAtColumn = "CASE WHEN json_valid(progress) THEN json_extract(progress, '$.endedAt') END";

/** Where a render's result is, as JSON; nothing where it can't be read. */
export const resultJson = `CASE WHEN json_valid(progress) THEN json_object(
  'file', progress ->> '$.file', 'claimed', progress ->> '$.claimed', 'sha256', progress ->> '$.spooled.sha256',
  'generationId', progress ->> '$.generationId') ELSE '{}' END`;

/** Holds for rows with more than one render at the service: rare enough for a separate index. */
export const namesOthers = `instr(progress, '"otherIds"') > 0`;

/** What `->>` finds; null in a row whose JSON is damaged, so that it's in no sum. */
function inJson(column: 'decision' | 'progress', path: string): string {
  return `CASE WHEN json_valid(decision) AND json_valid(progress) THEN ${column} ->> '$.${path}' END`;
}

/**
 * What sums are made of: columns that are computed from the JSON, and stored in the indexes below only. Times are ms
 * since 1970. Added later; versions that don't know them leave them alone.
 */
const facts = {
  planned_at: inJson('decision', 'plannedAt'),
  sent_at: `coalesce(${inJson('progress', 'firstSentAt')}, planned_at)`,
  accepted_at: inJson('progress', 'acceptedAt'),
  /** When it was charged if that's known, else when it was sent. */
  at: 'coalesce(accepted_at, sent_at)',
  ended_at: inJson('progress', 'endedAt'),
  cost_cents: inJson('progress', 'costCents'),
  shown_cents: inJson('decision', 'shownCents'),
  /** The user's word on an unknown one: 1 if it was charged, 0 if not. */
  confirmed: inJson('progress', 'settled.charged'),
  /** How many further renders the service has for it. */
  others: "CASE WHEN json_valid(progress) THEN coalesce(json_array_length(progress, '$.otherIds'), 0) END",
  model: inJson('decision', 'modelId'),
  root: inJson('decision', 'target.root'),
  real_root: inJson('decision', 'realRoot'),
  ordered_by: inJson('decision', 'by'),
  agent: inJson('decision', 'agent'),
  file: inJson('progress', 'file'),
  /** JSON: all that limits and a project's sum depend on but the time, the same for renders that are alike in it. */
  alike: `CASE WHEN at IS NOT NULL THEN
    json_array(place, root, real_root, state, attempt > 0, cost_cents, shown_cents, others, confirmed) END`,
  gone: `coalesce(${inJson('progress', 'deleted')}, ${inJson('progress', 'forgotten')}, 0)`,
};

/** Added after the first ledgers were written; versions that don't know them leave them alone. */
export const indexes = [
  // With all that sums of spending need, so that they read no row.
  `CREATE INDEX IF NOT EXISTS renders_spent ON renders (place, at, account, state, attempt, planned_at, sent_at,
    accepted_at, ended_at, cost_cents, shown_cents, confirmed, model, root, ordered_by, agent, file)`,
  // The same for limits: comparing one text takes a quarter of the time that eight columns take.
  `CREATE INDEX IF NOT EXISTS renders_alike ON renders (alike)`,
  `CREATE INDEX IF NOT EXISTS renders_sent ON renders (sent_at)`,
  // The same for how many there are.
  `CREATE INDEX IF NOT EXISTS renders_listed ON renders (gone, state, place, root, file)`,
  `CREATE INDEX IF NOT EXISTS renders_generation ON renders (${generationOf})`,
  `CREATE INDEX IF NOT EXISTS renders_several ON renders (id) WHERE ${namesOthers}`,
  `CREATE INDEX IF NOT EXISTS renders_repeated ON renders (id) WHERE attempt > 1`,
  `CREATE INDEX IF NOT EXISTS renders_failed ON renders (${endedAtColumn}) WHERE state = 'failed'`,
];

/**
 * Also added later: renders in the order of their last changes. A trigger writes it, so that changes by versions that
 * don't know it are included.
 */
const changes = `
  CREATE TABLE IF NOT EXISTS changes (mark INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE);
  ${['INSERT', 'UPDATE']
    .map(
      (event) => `CREATE TRIGGER IF NOT EXISTS changes_${event.toLowerCase()} AFTER ${event} ON renders BEGIN
        DELETE FROM changes WHERE key = new.key;
        INSERT INTO changes (key) VALUES (new.key);
      END;`,
    )
    .join('\n')}
`;

/** Also added later. */
const balances = `
  CREATE TABLE IF NOT EXISTS balances (
    place TEXT NOT NULL, account TEXT NOT NULL, at INTEGER NOT NULL, asked_at INTEGER NOT NULL, cents INTEGER NOT NULL,
    PRIMARY KEY (place, account, at)) WITHOUT ROWID;
`;

/** Also added later: which URLs are one service's. `same` is 1 or 0; null if it's open, and the user was asked. */
const services = `
  CREATE TABLE IF NOT EXISTS services (
    place TEXT NOT NULL, other TEXT NOT NULL, same INTEGER, PRIMARY KEY (place, other)) WITHOUT ROWID;
`;

/**
 * Creates missing tables; true when the ledger is a newer version's and may only be read. `isLocal`: no other computer
 * can have its file open.
 */
export function prepare(db: DatabaseSync, isLocal: boolean): boolean {
  db.exec(`PRAGMA busy_timeout = 5000; ${durable};`);
  chooseJournal(db, isLocal);
  if (Number(pragma(db, 'user_version')) > layout) return true;
  db.exec('BEGIN IMMEDIATE');
  // Another window may have created them since.
  if (pragma(db, 'user_version') === 0) db.exec(tables);
  db.exec(balances);
  db.exec(services);
  db.exec(changes);
  const columns = new Set(
    db
      .prepare('PRAGMA table_xinfo(renders)')
      .all()
      .map(({ name }) => name),
  );
  for (const [name, value] of Object.entries(facts))
    if (!columns.has(name)) db.exec(`ALTER TABLE renders ADD COLUMN ${name} GENERATED ALWAYS AS (${value}) VIRTUAL`);
  db.exec('COMMIT');
  return false;
}

/**
 * A write-ahead log is the faster journal, but its index is in memory that all windows must share: those of two
 * computers with one home folder would overwrite each other's commits, unnoticed. So where another computer may have
 * the file open, changes go through a rollback journal, which needs no more than the file system's locks. There is one
 * ledger for all computers, not one for each, since limits, names, and results that are still to be fetched concern all
 * of them. Once it has that journal it keeps it: to the computer with the disk a shared folder looks local.
 */
function chooseJournal(db: DatabaseSync, isLocal: boolean): void {
  if (isLocal && (pragma(db, 'page_count') === 0 || hasLog(db))) db.exec('PRAGMA journal_mode = WAL');
  // A log that's left over is read without its shared index, and only while nobody else has the ledger open.
  // Truncating a journal is synced, unlike its removal, which a power loss could undo.
  else db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = TRUNCATE; PRAGMA locking_mode = NORMAL');
}

/** True with a write-ahead log, false with a rollback journal. */
export function hasLog(db: DatabaseSync): boolean {
  return pragma(db, 'journal_mode') === 'wal';
}

function pragma(db: DatabaseSync, name: string): unknown {
  return db.prepare(`PRAGMA ${name}`).get()?.[name];
}
