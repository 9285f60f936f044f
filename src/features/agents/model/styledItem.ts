import { plain } from '../../../base/plain';
import type { JsonObject } from '../../../base/json';
import { styled, styledInput } from '../../../base/styled';
import { inputsOf } from '../../../catalog/fields';
import type { Model } from '../../../catalog/types';
import type { Target } from '../../../renders/record';
import { appliedTo, namedByOwn, takesStyles } from '../../../compose/appliedStyle';
import type { ProjectStyle } from '../../../compose/projectStyles';
import type { AgentItem } from './toolInputs';

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
 * The item with the style that it names, as a person's would be sent: words around its prompt, and the inputs that the
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
