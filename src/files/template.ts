import type { Calendar } from './calendar';
import { safeName, slug, tidy } from './names';

/** The values for a name template. */
export interface NameFacts {
  /** When the render was ordered, ms since 1970. */
  readonly time: number;
  readonly modelId: string;
  /** '' when the model has no prompt. */
  readonly prompt: string;
  /** The generation's id. */
  readonly id: string;
  /** Counts the renders of this machine, from 1. */
  readonly index: number;
}

/** Why a template is invalid: an unknown variable, or a folder in a name. */
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
  // A prompt of only emoji has no letters: name its file `untitled`.
  slug: ({ prompt }) => slug(prompt) || (prompt.trim() === '' ? '' : 'untitled'),
  // The end of an id tells renders apart; the beginning is often a prefix or a time.
  id: ({ id }) => id.replace(/[^A-Za-z0-9]/g, '').slice(-8),
  index: ({ index }) => String(index),
};

/** The problem with a template in the settings; undefined when it's valid. */
export function checkTemplate(template: string): TemplateProblem | undefined {
  for (const [, variable = ''] of template.matchAll(variablePattern)) {
    if (!Object.hasOwn(variables, variable)) return { kind: 'unknownVariable', variable };
  }
  const character = /[/\\]/.exec(template.replace(variablePattern, ''))?.[0];
  return character === undefined ? undefined : { kind: 'separator', character };
}

/** False for a template that is a name as it stands. */
export function hasVariables(template: string): boolean {
  return template.search(variablePattern) >= 0;
}

/** The file name from a template, without extension, safe on every system. An unknown variable is empty. */
export function fillTemplate(template: string, facts: NameFacts, calendar: Calendar): string {
  const values = new Map<string, string>();
  const filled = template.replace(variablePattern, (_, name: string) => {
    const value = values.get(name) ?? (Object.hasOwn(variables, name) ? variables[name]?.(facts, calendar) : '') ?? '';
    values.set(name, value);
    return value;
  });
  return safeName(tidy(filled));
}

/** The name a render would get before it has an id. */
export function previewName(template: string, facts: Omit<NameFacts, 'id'>, calendar: Calendar): string {
  return fillTemplate(template, { ...facts, id: 'xxxxxxxx' }, calendar);
}

/** Longer ones aren't variables; the bound keeps the search after each `${` short. */
const variablePattern = /\$\{([^}]{0,64})\}/g;
