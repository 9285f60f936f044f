import { oneLine } from '../base/plain';
import {
  type Around,
  type FieldValues,
  type Model,
  sentValue,
  styledInput,
  type Styling,
  unstyled,
  checkField,
  type Field,
  type FieldValue,
  mayMake,
  promptField,
  valuesFrom,
} from '../catalog/fields';
import type { Json } from '../base/json';
import type { Event } from '../base/disposable';
import type { RenderFile } from '../renderFiles/renderFile';
import type { Target } from '../renders/record';
import { slug } from '../files/names';

/** A style of a render file, for renders that a user orders elsewhere. */
export interface ProjectStyle extends Around {
  /** Its file and its name. */
  readonly id: string;
  /** Its name for display, with its file if several have a style of that name. */
  readonly label: string;
  /** Values by input, where `null` omits one. */
  readonly inputs: ReadonlyMap<string, Json>;
}

/** The styles that every door offers. */
export interface StyleSource {
  /** Those of the workspace’s render files: none in Restricted Mode, and none until the files have been read. */
  readonly styles: readonly ProjectStyle[];
  /** Fires when they changed, or the one chosen last. */
  readonly onDidChange: Event<void>;
  /** The ID of the style chosen last in this workspace; undefined for none. */
  readonly last: string | undefined;
  /** Remembers that the user chose it. */
  keep(id: string | undefined): void;
}

/** The most styles that are offered. */
const mostStyles = 200;
/** A style with more words isn’t offered, UTF-16 units. */
const mostWords = 10_000;

/** The styles of render files without errors in them, in the order of the files. */
export function projectStyles(files: readonly RenderFile[], paths: readonly string[]) {
  const found = files.flatMap(({ styles, isBroken }, index) => {
    const sound = [...styles].filter(([, { isSound }]) => isSound && !isBroken);
    return sound.map(([name, style]) => ({ name, path: paths[index] ?? '', ...style }));
  });
  const offered = found.filter(({ before, after }) => before.length + after.length <= mostWords).slice(0, mostStyles);
  return offered.map(({ name, path, before, after, inputs }): ProjectStyle => {
    const isShared = offered.some((other) => other.name === name && other.path !== path);
    const label = oneLine(name, 60) || '…';
    return {
      id: `${path}#${name}`,
      label: isShared ? `${label} · ${oneLine(path, 100)}` : label,
      ...{ before, after },
      inputs: new Map([...inputs].map(([input, { value }]) => [input, value])),
    };
  });
}

/** The style of what one form, or one box, orders. */
export class StyleChoice {
  private id: string | undefined;

  constructor(private readonly source: StyleSource) {
    this.id = source.last;
  }

  /** The ID of the chosen one, even while the project doesn’t have it; undefined for none. */
  get chosen(): string | undefined {
    return this.id;
  }

  /** Chooses it here only. */
  use(id: string | undefined): void {
    this.id = id;
  }

  /** The user chose it: the next form or box starts with it, too. */
  choose(id: string | undefined): void {
    this.id = id;
    this.source.keep(id);
  }

  /** Starts again with the one chosen last in this workspace. */
  startAgain(): void {
    this.id = this.source.last;
  }

  /** The styles to choose from for the model. */
  offeredFor(model: Model | undefined): readonly ProjectStyle[] {
    return model && takesStyles(model) ? this.source.styles : [];
  }

  /** The chosen one, applied to the model; undefined for none, and while it isn’t offered. */
  appliedTo(model: Model | undefined): AppliedStyle | undefined {
    const style = this.id === undefined ? undefined : this.offeredFor(model).find(({ id }) => id === this.id);
    return model && style && appliedTo(model.fields, style);
  }

  /** The values as they’re sent to the model. */
  sent(model: Model | undefined, values: FieldValues): FieldValues {
    return sentValues(this.appliedTo(model), values);
  }

  /**
   * Earlier prompts, as the user would write them: with a style, without the words of any, since its own are added.
   * Each once.
   */
  written(model: Model | undefined, prompts: readonly string[]): readonly string[] {
    const style = this.appliedTo(model);
    if (!style) return prompts;
    return [...new Set(prompts.map((prompt) => ownPrompt(prompt, [style, ...this.source.styles])))];
  }
}

/** A style as it applies to one model. */
export interface AppliedStyle extends Styling<FieldValue> {
  readonly id: string;
  readonly label: string;
  /** The names of inputs that the style states, but that the model doesn’t have or doesn’t take that value for. */
  readonly leftOut: readonly string[];
}

/** True if styles can be used with the model, as in render files: it makes images, of an input called `prompt`. */
export function takesStyles(model: Pick<Model, 'kind' | 'fields'>): boolean {
  return mayMake(model, 'image') && promptField(model.fields)?.name === styledInput;
}

/** The style, applied to a model with these fields. The user’s prompt wins over one that the style states. */
export function appliedTo(fields: readonly Field[], { id, label, before, after, inputs }: ProjectStyle): AppliedStyle {
  const fixed = new Map<string, FieldValue>();
  const leftOut: string[] = [];
  for (const [name, value] of inputs) {
    if (name === styledInput) continue;
    const field = fields.find((one) => one.name === name);
    const own = field && valueIn(field, value);
    if (own === undefined) leftOut.push(oneLine(field?.label ?? name, 60));
    else fixed.set(name, own);
  }
  return { id, label, before, after, fixed, leftOut };
}

/** The value of the field’s control; undefined if it can’t be sent. Images are taken only by their URLs. */
function valueIn(field: Field, input: Json): FieldValue | undefined {
  const isFile = field.kind === 'image' && typeof input === 'object' && input !== null;
  const value = input === null ? '' : valuesFrom([field], { [field.name]: input })[0]?.[1];
  const isUnread = value === undefined || (value === '' && input !== null && input !== '');
  return isFile || isUnread || checkField(field, value) ? undefined : value;
}

/** The user’s values as they’re sent with the style. */
export function sentValues(style: AppliedStyle | undefined, values: FieldValues): FieldValues {
  if (!style) return values;
  return [...new Map([...values.map(([name, own]) => [name, sentValue(style, name, own)] as const), ...style.fixed])];
}

/** An earlier prompt without the words of the first of these styles that it has, so that they aren’t sent twice. */
export function ownPrompt(prompt: string, styles: readonly Around[]): string {
  for (const style of styles) {
    const own = unstyled(style, prompt);
    if (own !== undefined) return own;
  }
  return prompt;
}

/** The target with a name made of the user’s own words: those of a style would be in every name. */
export function namedByOwn(target: Target, style: AppliedStyle | undefined, values: FieldValues): Target {
  const own = new Map(values).get(styledInput);
  const isNamed = target.ending !== undefined || !style || style.before + style.after === '';
  if (isNamed || typeof own !== 'string' || own.trim() === '') return target;
  return { ...target, fileName: target.fileName.replaceAll('${slug}', () => slug(own) || 'untitled') };
}
