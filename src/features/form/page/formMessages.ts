import type { FieldValues } from '../../../catalog/fields';
import type { Field } from '../../../catalog/types';
import type { PageTexts } from '../../../editor/page/actionView';
import type { FormStrings } from './formStrings';

/** The price on the button. Amounts are euro cents. */
export type QuoteView =
  /** The inputs are incomplete or invalid, so no price is requested. */
  | { readonly status: 'none' }
  /** `lastCents`: the previous price, to be shown as such. */
  | { readonly status: 'asking'; readonly lastCents?: number }
  | { readonly status: 'priced'; readonly costCents: number }
  | { readonly status: 'notStated' }
  /** `problem` is worded for a person. */
  | { readonly status: 'failed'; readonly problem: string };

/** A render that was started in this form. */
export interface ResultView {
  readonly id: string;
  /** `active`: in progress; `done`: has something to show; `ended`: has nothing. */
  readonly stage: 'active' | 'done' | 'ended';
  /** Its state, in words. */
  readonly status: string;
  /** Elapsed time, ms. */
  readonly elapsedMs?: number;
  /** How long such a render usually takes, ms, if known. */
  readonly usualMs?: number;
  /** Euro cents. */
  readonly shownCents?: number;
  /** Charged, according to the service; euro cents. */
  readonly costCents?: number;
  /** URL of the saved image, valid only in this webview. */
  readonly picture?: string;
  /** The image's description. */
  readonly alt?: string;
  readonly text?: string;
  /** `text` is only the beginning. */
  readonly textCut?: boolean;
  readonly file?: { readonly name: string; readonly bytes?: number };
  /** It waits to be compared with the file it's to replace, as `status` says. */
  readonly isStaged?: boolean;
  /** Nothing went wrong: it only waits to be told where to save it, as `status` says. */
  readonly isUnplaced?: boolean;
  /** It failed or was rejected, and nothing is open about it. */
  readonly isFailed?: boolean;
  /** The problem and what to do about it, in words. */
  readonly problem?: string;
  /** The names of the actions available now. */
  readonly actions: readonly string[];
}

/** The model of a form. */
export interface ModelView {
  readonly id: string;
  readonly title: string;
  readonly description?: string;
  readonly kind?: 'image' | 'text' | 'other';
  readonly fields: readonly Field[];
}

/** The inputs that are rendered with several values. */
export type VariedView = readonly {
  readonly field: string;
  readonly values: readonly (string | number | boolean)[];
}[];

/** How many images one press orders. */
export interface VariantsView {
  /** How many images one press can order, each with another seed. */
  readonly choices: readonly number[];
  /** How many the next one orders. */
  readonly count: number;
  /** Whether values of inputs can be varied instead. */
  readonly canVary: boolean;
  /** Those that are, in every combination. */
  readonly varied: VariedView;
}

/** The style of the next renders, from a render file of the project. */
export interface StyleView {
  /** The styles to choose from; none if the project has none for this model. */
  readonly options: readonly { readonly id: string; readonly label: string }[];
  /** Counts the changes of what a style adds to the values: a price is pressed for one version of it. */
  readonly version: number;
  /** The chosen one; omitted for none. */
  readonly chosen?: {
    readonly id: string;
    readonly label: string;
    /** The words around the prompt. */
    readonly before: string;
    readonly after: string;
    /** The values of other fields, instead of the person's. */
    readonly fixed: FieldValues;
    /** The inputs that the model doesn't take. */
    readonly leftOut: readonly string[];
  };
}

export interface TargetLink {
  /** The document's file name. */
  readonly document: string;
  /** The cursor's line, from 1. */
  readonly line: number;
  /** Whether the person wants it. */
  readonly insert: boolean;
}

export interface NamedFile {
  /** The file's path, for display. */
  readonly path: string;
  /** The name of a document that links to it; omitted if unknown. */
  readonly document?: string;
}

/** Where the next result goes. */
export interface TargetView {
  /** The folder, for display. */
  readonly folder: string;
  /** False when no folder is open: the result is kept until it's saved by hand. */
  readonly hasFolder: boolean;
  /** The name template of the preview. */
  readonly fileName: string;
  /** The name that a result would get now. */
  readonly preview: string;
  /** The place where a link to the result can be inserted; omitted if there is none. */
  readonly link?: TargetLink;
  /**
   * The file that the next result becomes instead, because a document names it and it's missing; omitted if there is
   * none.
   */
  readonly named?: NamedFile;
}

/** From the extension host to the form. Never contains a key or a service's URL. */
export type ToForm =
  /** The first response to `ready`: the texts, the locale for money and numbers, and the actions on results. */
  | ({ readonly type: 'strings' } & PageTexts<FormStrings>)
  /** The model was loaded, perhaps again. */
  | { readonly type: 'model'; readonly model: ModelView }
  /** The model could not be read; replaces the form. `problem` is worded for a person. */
  | { readonly type: 'unavailable'; readonly problem: string }
  /** The values to show: after `model`, when another view opens the form with inputs, or a field gets an image. */
  | {
      readonly type: 'draft';
      readonly revision: number;
      readonly values: FieldValues;
      /** Only this field has another value: whatever else was typed in the meantime stays. */
      readonly field?: string;
      /** Those that they replaced, until the next change: the person can have them back. */
      readonly before?: FieldValues;
      /** URLs of the images among all these, valid only in this webview. */
      readonly images?: readonly { readonly sha256: string; readonly url: string }[];
    }
  /** A field's image can't be used, worded for a person; its value stays as it is. */
  | { readonly type: 'imageProblem'; readonly field: string; readonly problem: string }
  /**
   * The state of the price of `count` renders of the values of `revision` changed. `intent` identifies one press at it.
   */
  | {
      readonly type: 'quote';
      readonly revision: number;
      readonly intent: string;
      readonly count: number;
      readonly quote: QuoteView;
    }
  /** The counts to choose from changed, or the chosen one did. */
  | { readonly type: 'variants'; readonly variants: VariantsView }
  /** The styles to choose from changed, or the chosen one did. */
  | { readonly type: 'style'; readonly style: StyleView }
  /** The balance became known or changed, the service asks for a pause of `waitMs` from now, or it's not responding. */
  | {
      readonly type: 'account';
      readonly balanceCents?: number;
      readonly sandbox: boolean;
      readonly waitMs?: number;
      readonly offline: boolean;
    }
  /** Folder, name, or the values behind the preview changed. */
  | { readonly type: 'target'; readonly target: TargetView }
  /** The earlier prompts of this project, the latest first. */
  | { readonly type: 'prompts'; readonly prompts: readonly string[] }
  /** The renders started in this form changed; newest first. */
  | { readonly type: 'results'; readonly results: readonly ResultView[] }
  /**
   * The service rejected fields of the values of `revision`; with `focus` because Render was pressed, or the person
   * asked for the field.
   */
  | {
      readonly type: 'problems';
      readonly revision: number;
      readonly focus: boolean;
      readonly problems: readonly { readonly field: string; readonly message: string }[];
    }
  /** The only response to a request, even if it failed; `problem` and `remedy` are worded for a person. */
  | { readonly type: 'answer'; readonly request: number; readonly problem?: string; readonly remedy?: string };
