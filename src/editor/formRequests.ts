import * as z from 'zod/mini';
import type { GivenImage } from '../base/givenImage';
import type { FieldValues } from '../catalog/fields';
import { actionId, reader } from './webviewHtml';

const count = z.int().check(z.nonnegative());

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
          z.strictObject({ images: z.readonly(z.array(z.union([z.string(), givenImage]))) }),
        ]),
      ]),
    ),
  ),
) satisfies z.ZodMiniType<FieldValues>;

const varied = z.readonly(
  z.array(z.object({ field: z.string(), values: z.readonly(z.array(z.union([z.string(), z.number(), z.boolean()]))) })),
);

/**
 * Where an image goes in its field: in place of the one at this index, else after the others, or in place of the only
 * one that the field takes.
 */
const imagePlace = { field: z.string(), index: z.optional(count) };

/** An image was pasted or dropped: its bytes as base64. */
const giveImage = z.strictObject({
  type: z.literal('giveImage'),
  request: count,
  ...imagePlace,
  name: z.string().check(z.maxLength(300)),
  base64: z.string(),
});

/** The user changed a value, or is `typing` one. The response is `quote` with this revision. */
const edit = z.strictObject({ type: z.literal('edit'), revision: count, values, typing: z.optional(z.boolean()) });

/** Room for the largest image that any field takes, and for a long document in a field for text. */
const valueLimit = 48 * 1024 * 1024;

const fromForm = z.discriminatedUnion('type', [
  /** The form's script has started without any state: initially, after hiding, after moving. */
  z.strictObject({ type: z.literal('ready') }),
  edit,
  /** The user chose how many images a press orders. The response is `variants`, and `quote` with the count. */
  z.strictObject({ type: z.literal('variants'), count }),
  /** The user chose which values of inputs a press combines. The response is as for `variants`. */
  z.strictObject({ type: z.literal('vary'), varied }),
  /** The user chose a style, or none. The response is `style`, and `quote` with its price. */
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
  /** More images like that of a result, for `cents` in all: the price on the button. */
  z.strictObject({ type: z.literal('renderMore'), request: count, id: z.string(), cents: count }),
  /** Of the images of one press, keep these results, and trash the others. */
  z.strictObject({
    type: z.literal('keepVariants'),
    request: count,
    kept: z.array(z.string()),
    others: z.array(z.string()),
  }),
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
  /** Let the user pick what the balance covers. Orders nothing. */
  z.strictObject({ type: z.literal('whatFits'), request: count }),
  /** Let the user pick an earlier prompt. */
  z.strictObject({ type: z.literal('pickPrompt'), request: count }),
  /** Load the model again after a failure. */
  z.strictObject({ type: z.literal('reload'), request: count }),
  /** "Choose Image…". */
  z.strictObject({ type: z.literal('pickImage'), request: count, ...imagePlace }),
  /** Files of the workspace were dropped: their URIs, which the host checks to be some. */
  z.strictObject({
    type: z.literal('dropImages'),
    request: count,
    ...imagePlace,
    uris: z.array(z.string().check(z.maxLength(4096))).check(z.maxLength(100)),
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

/** The kept state of a form, or undefined when it can't be read. */
export const readKeptForm = reader(kept, valueLimit);
