import * as z from 'zod/mini';
import type { Json } from '../base/json';
import type { FieldValues } from '../catalog/fields';
import type { Field } from '../catalog/types';
import { actionId, actionView } from './actionView';
import { reader, textsLike } from './reading';
import { englishFormStrings } from './formStrings';

const count = z.int().check(z.nonnegative());
const cents = z.int();

/** The values of the controls, as entries, so that a field called `__proto__` is data like any other. */
const values = z.readonly(
  z.array(
    z.readonly(
      z.tuple([z.string(), z.union([z.string(), z.number(), z.boolean(), z.strictObject({ json: z.string() })])]),
    ),
  ),
) satisfies z.ZodMiniType<FieldValues>;

const json: z.ZodMiniType<Json, Json> = z.json();

const choice = z.object({ value: z.union([z.string(), z.number(), z.boolean()]), label: z.string() });

const field = z.object({
  name: z.string(),
  label: z.string(),
  help: z.optional(z.string()),
  kind: z.enum(['text', 'longText', 'choice', 'integer', 'number', 'boolean', 'seed', 'json']),
  statedType: z.string(),
  required: z.boolean(),
  default: z.optional(json),
  choices: z.optional(z.readonly(z.array(choice))),
  minimum: z.optional(z.number()),
  maximum: z.optional(z.number()),
  step: z.optional(z.number()),
  maxLength: z.optional(z.number()),
}) satisfies z.ZodMiniType<Field>;

const quote = z.discriminatedUnion('status', [
  /** The inputs are not complete or not valid, so nothing is asked. */
  z.object({ status: z.literal('none') }),
  /** `lastCents` is the price before, to be shown as such. */
  z.object({ status: z.literal('asking'), lastCents: z.optional(cents) }),
  z.object({ status: z.literal('priced'), costCents: cents }),
  z.object({ status: z.literal('notStated') }),
  /** `problem` is worded for a person. */
  z.object({ status: z.literal('failed'), problem: z.string() }),
]);
export type QuoteView = z.infer<typeof quote>;

const file = z.object({ name: z.string(), bytes: z.optional(count) });

const result = z.object({
  id: z.string(),
  /** `active` is still going on, `done` has something to show, `ended` has nothing. */
  stage: z.enum(['active', 'done', 'ended']),
  /** Its state, in words. */
  status: z.string(),
  /** How long it has been going on, ms. */
  elapsedMs: z.optional(count),
  /** How long such a render usually takes, ms, where that is known. */
  usualMs: z.optional(z.number().check(z.nonnegative())),
  shownCents: z.optional(cents),
  /** Charged, by the service's own word. */
  costCents: z.optional(cents),
  /** Address of the saved picture, good only inside this webview. */
  picture: z.optional(z.string()),
  /** The picture in words. */
  alt: z.optional(z.string()),
  text: z.optional(z.string()),
  /** `text` is only the beginning. */
  textCut: z.optional(z.boolean()),
  file: z.optional(file),
  /** It waits to be compared with the file it was rendered to replace; `status` says so. */
  isStaged: z.optional(z.boolean()),
  /** The problem and what to do about it, in words. */
  problem: z.optional(z.string()),
  /** The names of what can be done to it now. */
  actions: z.array(actionId),
});
export type ResultView = z.infer<typeof result>;

const model = z.object({
  id: z.string(),
  title: z.string(),
  description: z.optional(z.string()),
  kind: z.optional(z.enum(['image', 'text', 'other'])),
  fields: z.array(field),
});

const strings = textsLike(englishFormStrings);

const targetLink = z.object({
  /** The document's file name. */
  document: z.string(),
  /** The cursor's line, from 1. */
  line: count,
  /** The person wants it. */
  insert: z.boolean(),
});
export type TargetLink = z.infer<typeof targetLink>;

const namedFile = z.object({
  /** The file's path in words. */
  path: z.string(),
  /** The file name of a document that names it; left out where none is known. */
  document: z.optional(z.string()),
});
export type NamedFile = z.infer<typeof namedFile>;

const target = z.object({
  /** The folder in words. */
  folder: z.string(),
  /** False when no folder is open: the result is kept until it is saved by hand. */
  hasFolder: z.boolean(),
  /** The name template the preview is made from. */
  fileName: z.string(),
  /** The name a result would get now. */
  preview: z.string(),
  /** The place where a link to the result can be inserted; left out if there is none. */
  link: z.optional(targetLink),
  /**
   * The very file the next result goes to instead, because a document names it and it is not there; left out where
   * there is none.
   */
  named: z.optional(namedFile),
});
export type TargetView = z.infer<typeof target>;

const toForm = z.discriminatedUnion('type', [
  /**
   * The first answer to `ready`: the texts, the language money and numbers are written in, and what can be done to
   * results.
   */
  z.object({ type: z.literal('strings'), strings, locale: z.string(), actions: z.array(actionView) }),
  /** The model is known, or was read again. */
  z.object({ type: z.literal('model'), model }),
  /** The model could not be read; replaces the form. `problem` is worded for a person. */
  z.object({ type: z.literal('unavailable'), problem: z.string() }),
  /** The values to show: after `model`, and when another view opens the form with inputs of its own. */
  z.object({ type: z.literal('draft'), revision: count, values }),
  /** The price of the values of `revision` changed its state. `intent` names one render at it. */
  z.object({ type: z.literal('quote'), revision: count, intent: z.string(), quote }),
  /** The balance became known or changed, or the service asks to be left alone: for `waitMs` from now. */
  z.object({
    type: z.literal('account'),
    balanceCents: z.optional(cents),
    sandbox: z.boolean(),
    waitMs: z.optional(count),
  }),
  /** Folder, name or the values its preview is made from changed. */
  z.object({ type: z.literal('target'), target }),
  /** The renders started in this form changed: newest first. */
  z.object({ type: z.literal('results'), results: z.array(result) }),
  /**
   * The service refused fields of the values of `revision`; with `focus` because Render was pressed, or the person
   * asked for the field.
   */
  z.object({
    type: z.literal('problems'),
    revision: count,
    focus: z.boolean(),
    problems: z.array(z.object({ field: z.string(), message: z.string() })),
  }),
  /**
   * The one answer to a request, also when it failed; `problem` is worded for a person, and so is `remedy`, what may be
   * done about it.
   */
  z.object({
    type: z.literal('answer'),
    request: count,
    problem: z.optional(z.string()),
    remedy: z.optional(z.string()),
  }),
]);
/** From the extension host to the form. Never holds a key or the address of a service. */
export type ToForm = z.infer<typeof toForm>;

const fromForm = z.discriminatedUnion('type', [
  /** The form's script has started and knows nothing: at first, after hiding, after moving. */
  z.strictObject({ type: z.literal('ready') }),
  /** The person changed a value, or is `typing` one. Answered by `quote` with this revision. */
  z.strictObject({ type: z.literal('edit'), revision: count, values, typing: z.optional(z.boolean()) }),
  /**
   * Render pressed. The host renders only if the intent is unused and the price is that of this revision, or is the
   * same or lower once it is known.
   */
  z.strictObject({ type: z.literal('render'), request: count, revision: count, intent: z.string() }),
  /** A button of a result. */
  z.strictObject({ type: z.literal('action'), request: count, action: actionId, id: z.string() }),
  /** "Change Folder…". */
  z.strictObject({ type: z.literal('chooseTarget'), request: count }),
  /** The name template was typed. */
  z.strictObject({ type: z.literal('fileName'), request: count, fileName: z.string().check(z.maxLength(500)) }),
  /** The next result is not for the file that a document names, and goes where results always go. */
  z.strictObject({ type: z.literal('saveAsUsual'), request: count }),
  /** Ask for the price of the same values again, after it failed. */
  z.strictObject({ type: z.literal('askAgain'), request: count }),
  /** Whether a link to the next results is to be inserted where the target says. It orders nothing. */
  z.strictObject({ type: z.literal('insertLink'), request: count, insert: z.boolean() }),
  z.strictObject({ type: z.literal('refreshBalance'), request: count }),
  /** Do what was offered with the last problem. */
  z.strictObject({ type: z.literal('remedy'), request: count }),
  /** Let the person choose what the balance covers. It orders nothing. */
  z.strictObject({ type: z.literal('whatFits'), request: count }),
  /** Read the model again, after it failed. */
  z.strictObject({ type: z.literal('reload'), request: count }),
]);
/** From the form to the extension host. A closed set: it names no price, no path, no address and no command. */
export type FromForm = z.infer<typeof fromForm>;
/** The form's questions; each gets one `answer`. */
export type FormRequest = Extract<FromForm, { request: number }>;

/** The state that the form keeps with the editor (`setState`), and gets back when the window is reloaded. */
const kept = z.object({
  modelId: z.string(),
  values,
  /** When, ms since 1970. */
  at: z.number(),
});
export type Kept = z.infer<typeof kept>;

/** A message of the form, or undefined when it is none of the set or too large. */
export const readFromForm = reader(fromForm);

/** A message of the host, or undefined when it is none of the set. */
export function readToForm(data: unknown): ToForm | undefined {
  return toForm.safeParse(data).data;
}

/** The kept state of a form, or undefined when it cannot be read. */
export const readKept = reader(kept);
