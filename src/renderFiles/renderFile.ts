// Render files: `renders.jsonc` and `*.renders.jsonc` list a project's images and how each is made.
//
//   {
//     "folder": "assets",                              // below the render file's own folder; default: that folder
//     "model": "provider/family/model",
//     "inputs": { "aspect_ratio": "1:1" },             // shared; an entry's own win, `null` omits an input
//     "style": "icon",                                 // a name from `styles`, or an inline style; `null`: none
//     "width": 1200, "height": 630, "fit": "cover",    // what images are fitted to; `"fit": null`: saved as they come
//     "styles": {
//       "flat": { "before": "Flat vector art.", "inputs": { "guidance": 4 } },
//       "icon": { "extends": "flat", "after": "On white." }
//     },
//     "renders": [
//       { "file": "hero", "inputs": { "prompt": "a lighthouse at dusk" } },
//       { "file": "print", "model": "a/b/c", "inputs": { "image": "photos/a.png" } },   // from this file's folder
//       { "file": "poster", "model": "a/b/c", "inputs": { "image": "[hero]" } },        // the image of another entry
//       { "file": "icon-{name}-{theme}",
//         "for": { "name": ["save", "open"], "theme": { "light": "dark lines", "dark": "light lines" } },
//         "inputs": { "prompt": "a symbol for “{name}”, {theme}" } }
//     ]
//   }
//
// The functions of this room:
//
//   readRenderFile(text, path, clock)  → RenderFile      the requested renders, and problems with their spans
//   withSources(file, modelOf, …)      → RenderFile      the same with the entries that inputs name, and their problems
//   sharedTargets(files, clock)        → SharedTargets    files that list the same image
//   checkModels(file, modelOf, …)      → ModelCheck       models, fields, and values, for known models only
//   statesOf(renders, images, clock)   → StateOf[]        each render compared with the recipe in its image
//   stateProblems(file, states, …)     → problems         what can't be given or fitted, as far as images show
//   newImageOf(state)                  → NewImage         which file a result becomes or replaces, and in what format
//   recipeToAdopt(render, …)           → Provenance       what *Adopt* writes into an image (`files/embeddedMetadata`)
//   problemSentence(problem, l10n)     → string           and `stateSentence`: all texts, translated by the caller
//
// The image is the lock file: its state is read from its own metadata, so that every clone comes to the same result,
// without a ledger or a service. An entry with an error isn't in `renders`, so that it can't be ordered. Order nothing
// while `isBroken`, and nothing in `ModelCheck.unsound` or `SharedTargets.unsound`.
import type { Json, JsonObject } from '../base/json';
import type { Around, FieldIssue } from '../catalog/fields';
import type { Span, Written } from '../documents/scan';
import type { Fit } from '../files/fit/fit';

/** True for the names of render files: `renders.jsonc`, `icons.renders.jsonc`. */
export function isRenderFile(path: string): boolean {
  return /(^|[/.])renders\.jsonc$/.test(path);
}

/** The glob that finds them. */
export const renderFileGlob = '**/{renders,*.renders}.jsonc';

/** The largest render file that is read, UTF-16 code units. */
export const longestRenderFile = 5_000_000;

/** The most renders in one file. */
export const mostRenders = 2_000;

/** The most problems reported for one file. */
export const mostProblems = 1_000;

/** The content of a render file, as far as it's readable. */
export interface RenderFile {
  /** Relative to the workspace folder, with `/` between segments. */
  readonly path: string;
  /** The folder that it states, relative to its own; '' if none. */
  readonly folder: string;
  readonly entries: readonly Entry[];
  /** All requested renders, in the order of their entries. */
  readonly renders: readonly AskedRender[];
  readonly problems: readonly EntryProblem[];
  /** The model for entries that name none. */
  readonly model: Written | undefined;
  /** The styles it defines, by name. */
  readonly styles: ReadonlyMap<string, NamedStyle>;
  /** The key `renders`; undefined if it has none. */
  readonly rendersKey: Span | undefined;
  /** True if it isn't complete JSON: show its contents, but order none of them. */
  readonly isBroken: boolean;
}

/** A style, with the span of its name. */
export interface NamedStyle extends Span, Around {
  /** Values by input, where `null` omits one. */
  readonly inputs: ReadonlyMap<string, { readonly value: Json }>;
  /** False if any of it is wrong. */
  readonly isSound: boolean;
}

/** One entry of `renders`. */
export interface Entry {
  /** From 0. */
  readonly index: number;
  /** From its opening to its closing brace. */
  readonly span: Span;
  /** Its file name with variables, without quotes; undefined if it states none. */
  readonly file: Written | undefined;
  /** The span of its model: in the entry, or shared. */
  readonly model: Written | undefined;
  /** The span of each input's value: in the entry, in a style, or shared. */
  readonly inputPlaces: ReadonlyMap<string, InputPlace>;
  /** Without those that have an error. */
  readonly renders: readonly AskedRender[];
}

/** The span of an input’s value, and the value before variables are replaced and a style is applied. */
export interface InputPlace extends Span {
  readonly value: Json;
  /** Of a list, those of its values. */
  readonly items?: readonly InputPlace[];
}

/** One requested image. */
export interface AskedRender {
  /** The render file that asks for it, relative to the workspace folder. */
  readonly renderFile: string;
  /** The index of its entry. */
  readonly entry: number;
  /** The value of each of its entry's variables, as in file names. */
  readonly values: ReadonlyMap<string, string>;
  /** Its file, relative to the workspace folder. Without an image's file extension, it gets that of the result. */
  readonly target: string;
  readonly modelId: string;
  /** The inputs that are sent, except for seeds that it omits. */
  readonly inputs: JsonObject;
  /** What its image is fitted to; undefined if it's saved as it comes. */
  readonly fit?: Fit;
  /** The renders of the same file whose images are its inputs, by the text that names each: `[fox]`. */
  readonly sources?: ReadonlyMap<string, Source>;
}

/** A render whose image is an input of another one. */
export interface Source {
  /** As the input names it, without brackets. */
  readonly name: string;
  readonly target: string;
  /** Its image, relative to the workspace folder; undefined while it has none. */
  readonly file?: string;
}

/** Something to fix in a file, with its span. `problemSentence` has the text. */
export type EntryProblem = Span & EntryProblemCode & { readonly severity: 'error' | 'warning' };

/** The kind of problem, with what its text needs. */
export type EntryProblemCode =
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
  | { readonly code: 'unsafeFolder'; readonly file: string }
  | { readonly code: 'outside'; readonly file: string }
  /** `otherFile` is the path of the other render file, if different; `other` the span in it. */
  | { readonly code: 'sameTarget'; readonly file: string; readonly other: Span; readonly otherFile?: string }
  | { readonly code: 'unknownVariable'; readonly variable: string }
  | { readonly code: 'variableNotInFile'; readonly variable: string }
  | { readonly code: 'tooManyRenders'; readonly count: number; readonly most: number }
  | { readonly code: 'tooMuchText' }
  | { readonly code: 'tooManyInputs'; readonly most: number }
  | { readonly code: 'notFitted'; readonly file: string }
  | { readonly code: 'formatNotFitted'; readonly file: string }
  | { readonly code: 'badImage'; readonly file: string; readonly why: NoImage }
  /** `known`: what the input can name instead. */
  | { readonly code: 'badSource'; readonly name: string; readonly why: NoSource; readonly known: readonly string[] }
  /** The names of renders that need each other's images, from the first back to itself. */
  | { readonly code: 'sourceCircle'; readonly names: readonly string[] }
  | { readonly code: 'unknownModel'; readonly modelId: string }
  | { readonly code: 'noImages'; readonly modelId: string }
  | {
      readonly code: 'unknownField';
      readonly field: string;
      readonly modelId: string;
      readonly known: readonly string[];
    }
  | { readonly code: 'badValue'; readonly field: string; readonly issue: FieldIssue };

/** Why the file of a path isn't an image that can be given. */
export type NoImage = 'missing' | 'folder' | 'other' | 'unreadable';

/**
 * Why an input can't name an entry: no render has that file, several have it with different file extensions, what it
 * names has errors, or its model makes no images.
 */
export type NoSource = 'unknown' | 'several' | 'errors' | 'noImage';

/** The expected type of a property. */
export type ExpectedType = 'object' | 'array' | 'text' | 'style' | 'values' | 'side' | 'fit';

/** The span of a render in its file: that of its file name, or its entire entry. */
export function spanOf({ entries }: RenderFile, { entry }: AskedRender): Span {
  const { start, end } = entries[entry]?.file ?? entries[entry]?.span ?? { start: 0, end: 0 };
  return { start, end };
}
