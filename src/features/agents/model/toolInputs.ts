import * as z from 'zod/mini';
import { isObject, type JsonObject, copied } from '../../../base/json';
import { plain } from '../../../base/plain';
import { styled, styledInput, inputsOf, type Model } from '../../../catalog/fields';
import { appliedTo, namedByOwn, takesStyles, type ProjectStyle } from '../../../compose/projectStyles';
import type { ToolName } from '../../../editor/ids';
import { namesKeptImage } from '../../../files/recordedImages';
import type { Target } from '../../../renders/record';
import { mostItems } from './toolList';

const name = z.string().check(z.minLength(1), z.maxLength(1000));
const path = z.optional(name);
const item = z.strictObject({
  modelId: name,
  inputs: z.custom<JsonObject>(isObject),
  style: path,
  file: path,
  document: path,
});
const items = z.array(item).check(z.minLength(1), z.maxLength(mostItems));

const shapes = {
  listModels: z.strictObject({ search: path, kind: z.optional(z.enum(['image', 'text'])), modelId: path }),
  quote: z.strictObject({ items }),
  render: z.strictObject({ items, again: z.optional(z.boolean()) }),
  checkRenders: z.strictObject({
    ids: z.array(name).check(z.minLength(1), z.maxLength(mostItems)),
    images: z.optional(z.boolean()),
  }),
  findMissingImages: z.strictObject({ path }),
};

/** One thing an agent wants rendered. */
export type AgentItem = z.infer<typeof item>;

/** The input of each tool. */
export type ToolInput = { [Name in ToolName]: { readonly name: Name } & z.infer<(typeof shapes)[Name]> }[ToolName];

/**
 * A copy of what an agent asks for, so that later changes by the agent have no effect; or why it can't be understood.
 */
export function readInput(tool: string, given: unknown): { readonly input: ToolInput } | { readonly problem: string } {
  if (!Object.hasOwn(shapes, tool)) return { problem: `There is no tool “${plain(tool, 60)}”.` };
  const copy = copied(given ?? {});
  if ('error' in copy) return { problem: `The input isn’t plain JSON (${plain(copy.error.path.join('.'), 100)}).` };
  const read = shapes[tool as ToolName].safeParse(copy.copy);
  if (read.success) {
    const input = { name: tool, ...read.data } as ToolInput;
    const isNaming = 'items' in input && input.items.some(({ inputs }) => namesKeptImage(inputs));
    return isNaming ? { problem: 'Give an image as a path, an ID, or a URL, not as an object.' } : { input };
  }
  const issues = read.error.issues.slice(0, 5).map(issueWords);
  return { problem: `The input doesn’t fit. ${issues.join(' ')}` };
}

function issueWords(issue: z.core.$ZodIssue): string {
  const place = plain(issue.path.join('.'), 100) || 'input';
  if (issue.code === 'too_big' && issue.path.at(-1) === 'items') return `At most ${mostItems} items in one call.`;
  if (issue.code === 'unrecognized_keys')
    return `${place}: unknown ${issue.keys.map((key) => plain(key, 60)).join(', ')}.`;
  return `${place}: ${plain(issue.message, 120)}.`;
}

/** An agent's item as it's sent. */
export interface StyledItem {
  readonly inputs: JsonObject;
  /** Gives a file the name that the agent's own words make. */
  readonly named: (target: Target) => Target;
}

/** The names of the project's styles that an agent can choose for the model. */
export function stylesFor(model: Model, styles: readonly ProjectStyle[]): readonly string[] {
  return takesStyles(model) ? styles.map(({ label }) => label) : [];
}

/**
 * The item with the style that it names, as a user's would be sent: words around its prompt, and the inputs that the
 * style sets. A problem, in words for the agent, if there's no such style, or if the item states one of these inputs.
 */
export function styledItem(
  { style: name, inputs }: AgentItem,
  model: Model,
  styles: readonly ProjectStyle[],
): StyledItem | { readonly problem: string } {
  if (name === undefined) return { inputs, named: (target) => target };
  const offered = stylesFor(model, styles);
  const style = offered.includes(name) ? styles.find(({ label }) => label === name) : undefined;
  if (!style) {
    const known = offered.length > 0 ? ` Styles: ${offered.map((one) => plain(one, 100)).join(', ')}.` : '';
    return { problem: `there is no style “${plain(name, 80)}” for this model.${known}` };
  }
  const applied = appliedTo(model.fields, style);
  const twice = [...applied.fixed.keys()].find((input) => Object.hasOwn(inputs, input));
  if (twice !== undefined)
    return { problem: `the style “${plain(name, 80)}” sets “${plain(twice, 60)}”. Leave it out of the inputs.` };
  const prompt = inputs[styledInput];
  if (typeof prompt !== 'string' || prompt.trim() === '') return { problem: 'a style needs a prompt.' };
  const set = inputsOf(
    model.fields.filter((field) => applied.fixed.has(field.name)),
    [...applied.fixed],
  );
  return {
    inputs: { ...inputs, ...set, [styledInput]: styled(applied, prompt) },
    named: (target) => namedByOwn(target, applied, [[styledInput, prompt]]),
  };
}
