import { promptField, type FieldValues } from '../../catalog/fields';
import type { Field } from '../../catalog/types';

/** How the text that is typed into a box becomes values of a model's fields. */
export interface Writing {
  /** The fields it fills; none where the model takes no text. */
  fields(all: readonly Field[]): readonly Field[];
  /** What stands in them. */
  values(all: readonly Field[], typed: string): FieldValues;
}

/** What is typed is the prompt, without the blanks around it: a space typed is no other price. */
export const asPrompt: Writing = {
  fields: (all) => [promptField(all) ?? []].flat(),
  values: (all, typed) => asPrompt.fields(all).map(({ name }) => [name, typed.trim()]),
};

/**
 * What is typed says what to do with `material`. It goes into the field the model declares for instructions, else in
 * front of the material; with nothing typed the material goes alone, to the letter.
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
  };
}

interface Places {
  readonly main?: Field;
  /** Undefined where nothing declares itself as one for instructions beside the text they are about. */
  readonly instructions?: Field;
}

function placesOf(all: readonly Field[]): Places {
  const instructions = all.find(takesInstructions);
  const main = promptField(all.filter((field) => field !== instructions));
  // A short text beside it may be a title or a language: then nothing says where the material belongs.
  const isCertain = main?.name === 'prompt' || main?.kind === 'longText';
  return instructions && isCertain ? { main, instructions } : { main: promptField(all) };
}

/** The names such fields go by; anything else may be about something else. */
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
