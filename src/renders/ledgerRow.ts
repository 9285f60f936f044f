import * as z from 'zod/mini';
import type { Json, JsonObject } from '../base/json';
import { isObject } from '../base/json';
import { isGivenImage } from '../base/givenImage';
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
export function inputsIn(body: Uint8Array, recorded: JsonObject): JsonObject {
  const { inputs } = bodyShape.parse(JSON.parse(new TextDecoder().decode(body)));
  const given = Object.entries(recorded).filter(([, value]) => isGivenImage(value) && value.file !== '');
  return Object.fromEntries([...Object.entries(inputs), ...given]);
}

/** Enough of each input to tell renders apart in a list, and of images everything but their bytes. */
export function cutShort(inputs: JsonObject): JsonObject {
  const cut = Object.entries(recordedImages(inputs)).map(([name, value]): [string, Json] => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return [name, text.length > longestInput ? `${text.slice(0, longestInput)}…` : value];
  });
  return Object.fromEntries(cut);
}

/** Characters. */
const longestInput = 2000;
