// Render files: `renders.jsonc` and `*.renders.jsonc` say which pictures a project has, and how each is made.
//
//   {
//     "folder": "assets",                              // below the render file's own folder; default: that folder
//     "model": "provider/family/model",
//     "inputs": { "aspect_ratio": "1:1" },             // shared; an entry's own win, `null` leaves an input out
//     "style": "icon",                                 // a name of `styles`, or a style itself; `null`: none
//     "styles": {
//       "flat": { "before": "Flat vector art.", "inputs": { "guidance": 4 } },
//       "icon": { "extends": "flat", "after": "On white." }
//     },
//     "renders": [
//       { "file": "hero", "inputs": { "prompt": "a lighthouse at dusk" } },
//       { "file": "icon-{name}-{theme}",
//         "for": { "name": ["save", "open"], "theme": { "light": "dark lines", "dark": "light lines" } },
//         "inputs": { "prompt": "a symbol for “{name}”, {theme}" } }
//     ]
//   }
//
// The functions of this room:
//
//   readRenderFile(text, path, clock)  → RenderFile      what is asked for, and problems with their places
//   sharedTargets(files, clock)        → problems         two files that ask for one picture
//   checkModels(file, modelOf)         → ModelCheck       models, fields, and values; only where models are known
//   statesOf(file, pictures, clock)    → StateOf[]        each render against the recipe in its picture
//   recipeToAdopt(render, …)           → Provenance       what *Adopt* writes into a picture (`files/inscription`)
//   problemSentence(problem, l10n)     → string           and `stateSentence`: all words, translated by who asks
//
// The image is the lock file: its state is read from its own metadata, so that every clone comes to the same result,
// without a ledger or a service. An entry with an error isn't in `renders`, so that it can't be ordered. Order nothing
// while `isBroken`, and nothing in `ModelCheck.unsound`.
import type { JsonObject } from '../base/json';
import type { FieldIssue } from '../catalog/fields';
import type { Span, Written } from '../documents/span';

/** True for the names of render files: `renders.jsonc`, `icons.renders.jsonc`. */
export function isRenderFile(path: string): boolean {
  return /(^|[/.])renders\.jsonc$/.test(path);
}

/** The glob that finds them. */
export const renderFileGlob = '**/{renders,*.renders}.jsonc';

/** The largest render file that is read, UTF-16 code units. */
export const longestRenderFile = 5_000_000;
/** Most renders that one file may ask for. */
export const mostRenders = 2_000;
/** Most problems of one file that are told. */
export const mostProblems = 1_000;

/** What a render file asks for, as far as it can be read. */
export interface RenderFile {
  /** Below the workspace folder, `/` between segments. */
  readonly path: string;
  readonly entries: readonly Entry[];
  /** All that is asked for, in the order of the entries. */
  readonly renders: readonly AskedRender[];
  readonly problems: readonly Problem[];
  /** The model of entries that name none. */
  readonly model: Written | undefined;
  /** The styles it defines, by name: where each name stands. */
  readonly styles: ReadonlyMap<string, Span>;
  /** The key `renders`; undefined when it has none. */
  readonly rendersKey: Span | undefined;
  /** True where it is no whole JSON: what is there can be shown, nothing of it is to be ordered. */
  readonly isBroken: boolean;
}

/** One entry of `renders`. */
export interface Entry {
  /** From 0. */
  readonly index: number;
  /** From its opening brace to its closing one. */
  readonly span: Span;
  /** What it says of its file, with its variables; undefined when it says nothing. The span is without quotes. */
  readonly file: Written | undefined;
  /** The model it is made with, where that stands: here, or for all entries. */
  readonly model: Written | undefined;
  /** Where the value of each input stands: here, in a style, or for all entries. */
  readonly inputPlaces: ReadonlyMap<string, Span>;
  /** None where it has an error. */
  readonly renders: readonly AskedRender[];
}

/** One picture that is asked for. */
export interface AskedRender {
  /** The index of its entry. */
  readonly entry: number;
  /** What stands for each of its entry's variables, as in file names. */
  readonly values: ReadonlyMap<string, string>;
  /** Its file below the workspace folder. Without an ending of an image it takes the one of what comes. */
  readonly target: string;
  readonly modelId: string;
  /** What is sent, but for seeds that it leaves open. */
  readonly inputs: JsonObject;
}

/** Something about a file that should be otherwise, at its place. `problemSentence` has the words. */
export type Problem = Span & ProblemCode & { readonly severity: 'error' | 'warning' };

/** What it is, with what the sentence about it needs. */
export type ProblemCode =
  | { readonly code: 'syntax' }
  | { readonly code: 'fileTooLarge'; readonly length: number; readonly most: number }
  | { readonly code: 'tooDeep' }
  | { readonly code: 'tooManyValues'; readonly most: number }
  | { readonly code: 'wrongType'; readonly name: string; readonly expected: ExpectedType }
  | { readonly code: 'unknownProperty'; readonly name: string }
  | { readonly code: 'missingProperty'; readonly name: 'file' | 'model' }
  | { readonly code: 'unknownStyle'; readonly name: string }
  /** The names from the first back to itself. */
  | { readonly code: 'circle'; readonly names: readonly string[] }
  | { readonly code: 'styleWithoutPrompt' }
  | { readonly code: 'unsafeFile'; readonly file: string }
  | { readonly code: 'outside'; readonly file: string }
  /** `otherFile` is the path of the other render file, where that is another; `other` the place in it. */
  | { readonly code: 'sameTarget'; readonly file: string; readonly other: Span; readonly otherFile?: string }
  | { readonly code: 'unknownVariable'; readonly variable: string }
  | { readonly code: 'variableNotInFile'; readonly variable: string }
  | { readonly code: 'tooManyRenders'; readonly count: number; readonly most: number }
  | { readonly code: 'tooMuchText' }
  | { readonly code: 'tooManyInputs'; readonly most: number }
  | { readonly code: 'unknownModel'; readonly modelId: string }
  | {
      readonly code: 'unknownField';
      readonly field: string;
      readonly modelId: string;
      readonly known: readonly string[];
    }
  | { readonly code: 'badValue'; readonly field: string; readonly issue: FieldIssue };

/** What a property should have been. */
export type ExpectedType = 'object' | 'array' | 'text' | 'style' | 'values';

/** The place of a render in its file: that of its file name, or its whole entry. */
export function placeOf({ entries }: RenderFile, { entry }: AskedRender): Span {
  const { start, end } = entries[entry]?.file ?? entries[entry]?.span ?? { start: 0, end: 0 };
  return { start, end };
}
