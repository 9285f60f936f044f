import * as z from 'zod/mini';
import type { JsonObject } from '../base/json';
import { isObject } from '../base/json';
import type { Decision, Progress, RenderRecord, RenderState } from './record';

/** A row of the ledger's table `renders`. */
export interface Row {
  readonly id: number;
  readonly key: string;
  readonly state: string;
  readonly attempt: number;
  readonly version: number;
  readonly place: string;
  readonly account: string;
  readonly body: Uint8Array;
  /** JSON of what never changes, and of what does. */
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

const decisionShape = z.object({
  modelId: z.string(),
  inputs: jsonObject,
  shownCents: cents,
  target: z.object({
    root: text,
    folder: z.string(),
    fileName: z.string(),
    ending: text,
    replaces: z.optional(z.object({ uri: z.string(), sha256: z.string() })),
  }),
  // A word of a later version is not one that was recorded here.
  by: z.catch(z.optional(z.enum(['person', 'agent'])), undefined),
  plannedAt: z.number(),
});

const problemShape = z.object({
  code: z.string(),
  detail: text,
  fields: z.optional(z.array(z.object({ field: z.string(), message: z.string() }))),
});

const progressShape = z.object({
  unanswered: z.int(),
  owner: z.string(),
  firstSentAt: time,
  firstSentServiceTime: time,
  generationId: text,
  otherIds: z.optional(z.array(z.string())),
  status: text,
  acceptedAt: time,
  costCents: cents,
  contentUrl: text,
  textOutput: text,
  problem: z.optional(problemShape),
  spooled: z.optional(
    z.object({
      name: z.string(),
      bytes: z.int(),
      sha256: z.string(),
      mediaType: z.string(),
      extension: z.string(),
      inscribed: z.optional(z.boolean()),
    }),
  ),
  claimed: text,
  file: text,
  staged: z.optional(z.boolean()),
  sidecar: z.optional(z.boolean()),
  endedAt: time,
  deleted: z.optional(z.boolean()),
});

const stateShape = z.enum(states);

/** The record a row holds, or why it cannot be read. */
export function readRow(row: Row): { readonly record: RenderRecord } | { readonly reason: string } {
  try {
    const decision = decisionShape.parse(JSON.parse(row.decision));
    const progress = progressShape.parse(JSON.parse(row.progress));
    const { id, key, attempt, version, place, account, body } = row;
    const state = stateShape.parse(row.state);
    // A problem code of a later version is shown by its name.
    const record = { ...decision, ...progress, key, state, attempt, version, place, account, body, index: id };
    return { record: record as RenderRecord };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

/** The two JSON columns of a row. */
export function writeRow(decision: Decision, progress: Progress): { decision: string; progress: string } {
  const { modelId, inputs, shownCents, target, by, plannedAt } = decision;
  return {
    decision: JSON.stringify({ modelId, inputs, shownCents, target, by, plannedAt }),
    progress: JSON.stringify(progressShape.parse(progress)),
  };
}
