import { type Field, type FieldValues, type ModelSummary, promptField } from '../catalog/fields';

/** How the text typed into a box becomes values of a model's fields. */
export interface Writing {
  /** The fields it fills; none if the model takes no text. */
  fields(all: readonly Field[]): readonly Field[];
  /** Their values. */
  values(all: readonly Field[], typed: string): FieldValues;
  /**
   * How far a model seems to be from what this is for, the nearest having the least: by its fields if they're known,
   * else by the words of its entry in the list. Without it, all are alike.
   */
  distance?(model: ModelSummary, fields: readonly Field[] | undefined): number;
}

/** The typed text is the prompt, trimmed: a trailing space doesn't change the price. */
export const asPrompt: Writing = {
  fields: (all) => [promptField(all) ?? []].flat(),
  values: (all, typed) => asPrompt.fields(all).map(({ name }) => [name, typed.trim()]),
};

/**
 * The typed text is an instruction for `material`. It goes into the field that the model declares for instructions,
 * else in front of the material.
 */
export function asInstruction(material: string): Writing {
  return {
    fields: (all) => {
      const { main, instructions } = placesOf(all);
      return [main, instructions].filter((field) => field !== undefined);
    },
    values: (all, typed) => {
      const { main, instructions } = placesOf(all);
      const instruction = typed.trim();
      if (!main) return [];
      if (!instructions) return [[main.name, instruction === '' ? material : `${instruction}\n\n${material}`]];
      return [
        [main.name, material],
        [instructions.name, instruction],
      ];
    },
    distance: ({ id, title, description = '' }, fields) => {
      if (fields) return placesOf(fields).main?.kind === 'longText' ? 0 : 3;
      return worksOnTexts.test(`${id} ${title} ${description}`) ? 1 : 2;
    },
  };
}

/** Words for what works on a given text. A wrong guess only changes which model the box names first. */
const worksOnTexts = /\b(texts?\b|(summar|rewrit|rephras|paraphras|edit|translat|proofread|instruct|chat|assist))/i;

interface Places {
  readonly main?: Field;
  /** Undefined when no field is declared for instructions about a text. */
  readonly instructions?: Field;
}

function placesOf(all: readonly Field[]): Places {
  const instructions = all.find(takesInstructions);
  const main = promptField(all.filter((field) => field !== instructions));
  // A short text next to it may be a title or a language: then it's unclear where the material belongs.
  const isCertain = main?.name === 'prompt' || main?.kind === 'longText';
  return instructions && isCertain ? { main, instructions } : { main: promptField(all) };
}

/** Names of such fields; any other may mean something else. */
const instructionNames = new Set([
  'instruction',
  'instructions',
  'system',
  'systemprompt',
  'systeminstruction',
  'systeminstructions',
  'systemmessage',
]);

function takesInstructions({ name, kind }: Field): boolean {
  const isText = kind === 'text' || kind === 'longText';
  return isText && instructionNames.has(name.toLowerCase().replace(/[^a-z]/g, ''));
}
