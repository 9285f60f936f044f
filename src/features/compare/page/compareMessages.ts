import type { Action, CompareState } from './state';

/** The modes of comparing two images, in the order of their keys 1, 2, 3, 4. */
export const compareModes = ['slider', 'sideBySide', 'onionSkin', 'difference'] as const;
export type CompareMode = (typeof compareModes)[number];

/** What a user can decide: about a new image for a file, about several of them, and about variants of one image. */
export const decisions = ['accept', 'keepBoth', 'discard', 'acceptAll', 'discardAll', 'keepSelected'] as const;
export type CompareDecision = (typeof decisions)[number];

/** An image of a comparison. All its texts are plain text, never markup. */
export interface ImageView {
  readonly title: string;
  /** More about it, in words. */
  readonly detail?: string;
  /** Its URL, valid only in this webview; undefined when the file doesn't exist. */
  readonly address?: string;
  /** It's a file of the project, or a new version of one: not a copy that's there to be seen. */
  readonly isOwn?: boolean;
  readonly bytes?: number;
}

/** The files to compare. */
export interface ComparisonView {
  readonly type: 'comparison';
  /** The host's name for this comparison, for when the editor restores the page. */
  readonly id: string;
  /** At least two. */
  readonly images: readonly ImageView[];
  /** The mode until the user chooses one. */
  readonly mode: CompareMode;
  /**
   * What the page decides: the last image is to replace the first, or in each pair the second the first, or which of
   * them are kept.
   */
  readonly decisions: readonly CompareDecision[];
  /** All are the same image. */
  readonly identical: boolean;
}

/** From the extension host to the comparison. Never contains a key or a service's URL. */
export type ToCompare =
  /** The first response to `ready`: the texts, and the locale for numbers. */
  | { readonly type: 'strings'; readonly strings: CompareStrings; readonly locale: string }
  /** Sent again when one of the files changed. */
  | ComparisonView;

/** Grows when the page can't use what an earlier version kept. */
export const keptCompareVersion = 1;

/** The state that the comparison keeps with the editor (`setState`) when it's hidden, moved, or reloaded. */
export interface KeptCompare {
  readonly version: number;
  readonly id: string;
  readonly mode: CompareMode;
  readonly zoom: { readonly scale: number; readonly x: number; readonly y: number };
  /** The position of the divider, from the left edge, 0, to the right one, 1. */
  readonly divider: number;
  /** The opacity of the second image, from 0 to 1. */
  readonly opacity: number;
  /** The images to keep, by their index. */
  readonly selected: readonly number[];
}

/** Of the whole page. */
export interface CompareProps {
  readonly state: CompareState;
  readonly dispatch: (action: Action) => void;
}

/** Of a part that exists only with the images. */
export interface ComparedProps extends CompareProps {
  readonly comparison: ComparisonView;
}

/**
 * The texts of the comparison in English, with placeholders `{0}`, `{1}`. The host sends them in the editor's language.
 */
export const englishCompareStrings = {
  comparison: 'Image comparison',
  // How they are compared.
  view: 'View',
  modes: 'Comparison mode',
  slider: 'Slider',
  sideBySide: 'Side by Side',
  onionSkin: 'Onion Skin',
  difference: 'Difference',
  sliderHeard: 'Slider: {0} on the left, {1} on the right.',
  sideBySideHeard: 'Side by side: {0} images.',
  onionSkinHeard: 'Onion skin: {1} over {0}.',
  differenceHeard: 'Difference: identical parts of {0} and {1} are black.',
  divider: 'Divider',
  opacity: 'Opacity of {0}',
  // What is seen of them.
  compareHelp:
    'Zoom with the mouse wheel, +, and −. Press 0 to fit. Drag or use the arrow keys to pan. Press 1 to 4 to change the mode. Shift and the arrow keys move the divider or change the opacity.',
  zooming: 'Zoom',
  zoomIn: 'Zoom In',
  zoomOut: 'Zoom Out',
  fit: 'Fit to View',
  fitted: 'Fit',
  percent: '{0} %',
  pixels: '{0} × {1} pixels',
  differentSizes: 'The images differ in size. Each is scaled to fit.',
  identical: 'Identical images',
  gone: 'The file no longer exists, or can’t be shown here.',
  edit: 'Edit {0}…',
  // What is decided.
  decision: 'Decision',
  accept: 'Accept',
  acceptHelp: 'Replace the previous image and move it to the trash',
  acceptAll: 'Accept All',
  acceptAllHelp: 'Replace all previous images and move them to the trash',
  discardAll: 'Discard All',
  discardAllHelp: 'Remove all new images from this computer. They aren’t deleted from the service.',
  keep: 'Keep',
  keepOne: 'Keep {0}',
  keepSelected: 'Keep Only Selected',
  keepSome: 'Keep {0}, Trash {1}',
  keepSelectedHelp: 'Move the other images to the trash. They stay in Generations.',
  keepBoth: 'Keep Both',
  keepBothHelp: 'Save the new image next to the previous one, under its own name',
  discard: 'Discard Image',
  discardHelp: 'Remove the new image from this computer. It isn’t deleted from the service.',
};

/** The comparison's table of texts. */
export type CompareStrings = Readonly<Record<keyof typeof englishCompareStrings, string>>;
