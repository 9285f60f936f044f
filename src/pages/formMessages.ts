import * as z from 'zod/mini';
import type { GivenImage } from '../base/givenImage';
import type { Json } from '../base/json';
import type { FieldValues } from '../catalog/fields';
import type { Field } from '../catalog/types';
import { actionId, actionView } from './actionView';
import { reader, textsLike } from './reading';
import { englishFormStrings } from './formStrings';

const count = z.int().check(z.nonnegative());
const cents = z.int();

/** An image without its bytes, which the host keeps. */
const givenImage = z.readonly(
  z.strictObject({
    file: z.string(),
    sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
    type: z.string(),
    bytes: count,
    encoding: z.optional(z.literal('base64')),
  }),
) satisfies z.ZodMiniType<GivenImage>;

/** The values of the controls, as entries, so that a field called `__proto__` is data like any other. */
const values = z.readonly(
  z.array(
    z.readonly(
      z.tuple([
        z.string(),
        z.union([
          z.string(),
          z.number(),
          z.boolean(),
          z.strictObject({ json: z.string() }),
          z.strictObject({ image: givenImage }),
        ]),
      ]),
    ),
  ),
) satisfies z.ZodMiniType<FieldValues>;

const json: z.ZodMiniType<Json, Json> = z.json();

const choice = z.object({ value: z.union([z.string(), z.number(), z.boolean()]), label: z.string() });

const field = z.object({
  name: z.string(),
  label: z.string(),
  help: z.optional(z.string()),
  kind: z.enum(['text', 'longText', 'choice', 'integer', 'number', 'boolean', 'seed', 'image', 'json']),
  statedType: z.string(),
  required: z.boolean(),
  default: z.optional(json),
  choices: z.optional(z.readonly(z.array(choice))),
  minimum: z.optional(z.number()),
  maximum: z.optional(z.number()),
  step: z.optional(z.number()),
  maxLength: z.optional(z.number()),
  image: z.optional(
    z.object({
      types: z.readonly(z.array(z.string())),
      maxBytes: z.number(),
      base64: z.optional(z.boolean()),
      minWidth: z.optional(z.number()),
      minHeight: z.optional(z.number()),
      maxWidth: z.optional(z.number()),
      maxHeight: z.optional(z.number()),
    }),
  ),
}) satisfies z.ZodMiniType<Field>;

const quote = z.discriminatedUnion('status', [
  /** The inputs are incomplete or invalid, so no price is requested. */
  z.object({ status: z.literal('none') }),
  /** `lastCents`: the previous price, to be shown as such. */
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
  /** `active`: in progress; `done`: has something to show; `ended`: has nothing. */
  stage: z.enum(['active', 'done', 'ended']),
  /** Its state, in words. */
  status: z.string(),
  /** Elapsed time, ms. */
  elapsedMs: z.optional(count),
  /** How long such a render usually takes, ms, if known. */
  usualMs: z.optional(z.number().check(z.nonnegative())),
  shownCents: z.optional(cents),
  /** Charged, according to the service. */
  costCents: z.optional(cents),
  /** URL of the saved image, valid only in this webview. */
  picture: z.optional(z.string()),
  /** The image's description. */
  alt: z.optional(z.string()),
  text: z.optional(z.string()),
  /** `text` is only the beginning. */
  textCut: z.optional(z.boolean()),
  file: z.optional(file),
  /** It waits to be compared with the file it's to replace, as `status` says. */
  isStaged: z.optional(z.boolean()),
  /** Nothing went wrong: it only waits to be told where to save it, as `status` says. */
  isUnplaced: z.optional(z.boolean()),
  /** It failed or was rejected, and nothing is open about it. */
  isFailed: z.optional(z.boolean()),
  /** The problem and what to do about it, in words. */
  problem: z.optional(z.string()),
  /** The names of the actions available now. */
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

const varied = z.readonly(
  z.array(z.object({ field: z.string(), values: z.array(z.union([z.string(), z.number(), z.boolean()])) })),
);
/** The inputs that are rendered with several values. */
export type VariedView = z.infer<typeof varied>;

const variants = z.object({
  /** How many images one press can order, each with another seed. */
  choices: z.array(count),
  /** How many the next one orders. */
  count,
  /** Whether values of inputs can be varied instead. */
  canVary: z.boolean(),
  /** Those that are, in every combination. */
  varied,
});
export type VariantsView = z.infer<typeof variants>;

const style = z.object({
  /** The styles to choose from; none if the project has none for this model. */
  options: z.array(z.object({ id: z.string(), label: z.string() })),
  /** Counts the changes of what a style adds to the values: a price is pressed for one version of it. */
  version: count,
  /** The chosen one; omitted for none. */
  chosen: z.optional(
    z.object({
      id: z.string(),
      label: z.string(),
      /** The words around the prompt. */
      before: z.string(),
      after: z.string(),
      /** The values of other fields, instead of the person's. */
      fixed: values,
      /** The inputs that the model doesn't take. */
      leftOut: z.array(z.string()),
    }),
  ),
});
/** The style of the next renders, from a render file of the project. */
export type StyleView = z.infer<typeof style>;

const targetLink = z.object({
  /** The document's file name. */
  document: z.string(),
  /** The cursor's line, from 1. */
  line: count,
  /** Whether the person wants it. */
  insert: z.boolean(),
});
export type TargetLink = z.infer<typeof targetLink>;

const namedFile = z.object({
  /** The file's path, for display. */
  path: z.string(),
  /** The name of a document that links to it; omitted if unknown. */
  document: z.optional(z.string()),
});
export type NamedFile = z.infer<typeof namedFile>;

const target = z.object({
  /** The folder, for display. */
  folder: z.string(),
  /** False when no folder is open: the result is kept until it's saved by hand. */
  hasFolder: z.boolean(),
  /** The name template of the preview. */
  fileName: z.string(),
  /** The name that a result would get now. */
  preview: z.string(),
  /** The place where a link to the result can be inserted; omitted if there is none. */
  link: z.optional(targetLink),
  /**
   * The file that the next result becomes instead, because a document names it and it's missing; omitted if there is
   * none.
   */
  named: z.optional(namedFile),
});
export type TargetView = z.infer<typeof target>;

const toForm = z.discriminatedUnion('type', [
  /** The first response to `ready`: the texts, the locale for money and numbers, and the actions on results. */
  z.object({ type: z.literal('strings'), strings, locale: z.string(), actions: z.array(actionView) }),
  /** The model was loaded, perhaps again. */
  z.object({ type: z.literal('model'), model }),
  /** The model could not be read; replaces the form. `problem` is worded for a person. */
  z.object({ type: z.literal('unavailable'), problem: z.string() }),
  /** The values to show: after `model`, when another view opens the form with inputs, or a field gets an image. */
  z.object({
    type: z.literal('draft'),
    revision: count,
    values,
    /** Only this field has another value: whatever else was typed in the meantime stays. */
    field: z.optional(z.string()),
    /** Those that they replaced, until the next change: the person can have them back. */
    before: z.optional(values),
    /** URLs of the images among all these, valid only in this webview. */
    images: z.optional(z.array(z.object({ sha256: z.string(), url: z.string() }))),
  }),
  /** A field's image can't be used, worded for a person; its value stays as it is. */
  z.object({ type: z.literal('imageProblem'), field: z.string(), problem: z.string() }),
  /**
   * The state of the price of `count` renders of the values of `revision` changed. `intent` identifies one press at it.
   */
  z.object({ type: z.literal('quote'), revision: count, intent: z.string(), count, quote }),
  /** The counts to choose from changed, or the chosen one did. */
  z.object({ type: z.literal('variants'), variants }),
  /** The styles to choose from changed, or the chosen one did. */
  z.object({ type: z.literal('style'), style }),
  /** The balance became known or changed, the service asks for a pause of `waitMs` from now, or it's not responding. */
  z.object({
    type: z.literal('account'),
    balanceCents: z.optional(cents),
    sandbox: z.boolean(),
    waitMs: z.optional(count),
    offline: z.boolean(),
  }),
  /** Folder, name, or the values behind the preview changed. */
  z.object({ type: z.literal('target'), target }),
  /** The earlier prompts of this project, the latest first. */
  z.object({ type: z.literal('prompts'), prompts: z.array(z.string()) }),
  /** The renders started in this form changed; newest first. */
  z.object({ type: z.literal('results'), results: z.array(result) }),
  /**
   * The service rejected fields of the values of `revision`; with `focus` because Render was pressed, or the person
   * asked for the field.
   */
  z.object({
    type: z.literal('problems'),
    revision: count,
    focus: z.boolean(),
    problems: z.array(z.object({ field: z.string(), message: z.string() })),
  }),
  /** The only response to a request, even if it failed; `problem` and `remedy` are worded for a person. */
  z.object({
    type: z.literal('answer'),
    request: count,
    problem: z.optional(z.string()),
    remedy: z.optional(z.string()),
  }),
]);
/** From the extension host to the form. Never contains a key or a service's URL. */
export type ToForm = z.infer<typeof toForm>;

/** An image was pasted or dropped: its bytes as base64. */
const giveImage = z.strictObject({
  type: z.literal('giveImage'),
  request: count,
  field: z.string(),
  name: z.string().check(z.maxLength(300)),
  base64: z.string(),
});

/** The person changed a value, or is `typing` one. The response is `quote` with this revision. */
const edit = z.strictObject({ type: z.literal('edit'), revision: count, values, typing: z.optional(z.boolean()) });

/** Room for the largest image that any field takes, and for a long document in a field for text. */
const valueLimit = 48 * 1024 * 1024;

const fromForm = z.discriminatedUnion('type', [
  /** The form's script has started without any state: initially, after hiding, after moving. */
  z.strictObject({ type: z.literal('ready') }),
  edit,
  /** The person chose how many images a press orders. The response is `variants`, and `quote` with the count. */
  z.strictObject({ type: z.literal('variants'), count }),
  /** The person chose which values of inputs a press combines. The response is as for `variants`. */
  z.strictObject({ type: z.literal('vary'), varied }),
  /** The person chose a style, or none. The response is `style`, and `quote` with its price. */
  z.strictObject({ type: z.literal('style'), id: z.optional(z.string()) }),
  /**
   * Render was pressed. The host renders only if the intent is unused, the price is that of this revision, or turns out
   * to be no higher, and the style is of this version; omitted while none was shown.
   */
  z.strictObject({
    type: z.literal('render'),
    request: count,
    revision: count,
    intent: z.string(),
    style: z.optional(count),
  }),
  /** A button of a result. */
  z.strictObject({ type: z.literal('action'), request: count, action: actionId, id: z.string() }),
  /** "Change Folder…". */
  z.strictObject({ type: z.literal('chooseTarget'), request: count }),
  /** The name template was changed. */
  z.strictObject({ type: z.literal('fileName'), request: count, fileName: z.string().check(z.maxLength(500)) }),
  /** The next result isn't for the file that a document names, but goes to the usual target. */
  z.strictObject({ type: z.literal('saveAsUsual'), request: count }),
  /** Request the price of the same values again after a failure. */
  z.strictObject({ type: z.literal('askAgain'), request: count }),
  /** Whether the next results insert a link where the target says. Orders nothing. */
  z.strictObject({ type: z.literal('insertLink'), request: count, insert: z.boolean() }),
  z.strictObject({ type: z.literal('refreshBalance'), request: count }),
  /** Apply the remedy offered with the last problem. */
  z.strictObject({ type: z.literal('remedy'), request: count }),
  /** Let the person pick what the balance covers. Orders nothing. */
  z.strictObject({ type: z.literal('whatFits'), request: count }),
  /** Let the person pick an earlier prompt. */
  z.strictObject({ type: z.literal('pickPrompt'), request: count }),
  /** Load the model again after a failure. */
  z.strictObject({ type: z.literal('reload'), request: count }),
  /** "Choose Image…". */
  z.strictObject({ type: z.literal('pickImage'), request: count, field: z.string() }),
  /** A file of the workspace was dropped: its URI, which the host checks to be one. */
  z.strictObject({
    type: z.literal('dropImage'),
    request: count,
    field: z.string(),
    uri: z.string().check(z.maxLength(4096)),
  }),
  giveImage,
  /** An image of the workspace was dropped on the form: open what it was made from. */
  z.strictObject({ type: z.literal('openRecipe'), request: count, uri: z.string().check(z.maxLength(4096)) }),
]);
/** From the form to the extension host. A closed set: it can name no price, command, or file outside the workspace. */
export type FromForm = z.infer<typeof fromForm>;
/** The form's requests; each gets one `answer`. */
export type FormRequest = Extract<FromForm, { request: number }>;

/** The state that the form keeps with the editor (`setState`), restored when the window reloads. */
const kept = z.object({
  modelId: z.string(),
  values,
  /** ms since 1970. */
  at: z.number(),
});
export type KeptForm = z.infer<typeof kept>;

/** A message of the form, or undefined when it's unknown or too large. */
export function readFromForm(data: unknown): FromForm | undefined {
  return readSmall(data) ?? readValues(data);
}
const readSmall = reader(fromForm);
const readValues = reader(z.discriminatedUnion('type', [edit, giveImage]), valueLimit);

/** A message of the host, or undefined when it's unknown. */
export function readToForm(data: unknown): ToForm | undefined {
  return toForm.safeParse(data).data;
}

/** The kept state of a form, or undefined when it can't be read. */
export const readKeptForm = reader(kept, valueLimit);
