import type { Calendar } from './calendar';
import { safeName, tidy } from './names';
import { slug } from './slug';

/** The values that a name template can use. */
export interface NameFacts {
  /** When the render was ordered, ms since 1970. */
  readonly time: number;
  readonly modelId: string;
  /** '' when the model has none. */
  readonly prompt: string;
  /** The generation's id. */
  readonly id: string;
  /** Counts the renders of this machine, from 1. */
  readonly index: number;
}

/** Why a template cannot be used: a variable nobody knows, or a folder in a name. */
export type TemplateProblem =
  | { readonly kind: 'unknownVariable'; readonly variable: string }
  | { readonly kind: 'separator'; readonly character: string };

const variables: Readonly<Record<string, (facts: NameFacts, calendar: Calendar) => string>> = {
  date: ({ time }, calendar) => {
    const { year, month, day } = calendar(time);
    return `${year}-${month}-${day}`;
  },
  time: ({ time }, calendar) => {
    const { hour, minute, second } = calendar(time);
    return hour + minute + second;
  },
  model: ({ modelId }) => modelId.slice(modelId.lastIndexOf('/') + 1),
  // A prompt of emoji has no letters: its file says at least that it has no title.
  slug: ({ prompt }) => slug(prompt) || (prompt.trim() === '' ? '' : 'untitled'),
  // The end of an id tells renders apart; the beginning is often a prefix or a time.
  id: ({ id }) => id.replace(/[^A-Za-z0-9]/g, '').slice(-8),
  index: ({ index }) => String(index),
};

/** The problem with a template of a person's settings; undefined when there is none. */
export function checkTemplate(template: string): TemplateProblem | undefined {
  for (const [, variable = ''] of template.matchAll(variablePattern)) {
    if (!Object.hasOwn(variables, variable)) return { kind: 'unknownVariable', variable };
  }
  const character = /[/\\]/.exec(template.replace(variablePattern, ''))?.[0];
  return character === undefined ? undefined : { kind: 'separator', character };
}

/** The file name a template gives, without extension, safe on every system. An unknown variable is empty. */
export function fillTemplate(template: string, facts: NameFacts, calendar: Calendar): string {
  const filled = template.replace(variablePattern, (_, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name]?.(facts, calendar) ?? '') : '',
  );
  return safeName(tidy(filled));
}

/** The name a render would get before it has an id. */
export function previewName(template: string, facts: Omit<NameFacts, 'id'>, calendar: Calendar): string {
  return fillTemplate(template, { ...facts, id: 'xxxxxxxx' }, calendar);
}

/** Longer ones are no variables: each `${` is looked behind for so long. */
const variablePattern = /\$\{([^}]{0,64})\}/g;
