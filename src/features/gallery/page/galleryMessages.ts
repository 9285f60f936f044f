import type { PageTexts } from '../../../editor/page/controls';

/** The most tiles in one message: a page takes a few milliseconds to show them. */
export const mostTiles = 100;

/** A small image of another one. */
export interface RelatedView {
  readonly name: string;
  /** Valid only in this webview; undefined if there's no picture of it. */
  readonly address?: string;
}

/** One render as the gallery shows it. All its texts are plain text, never markup. */
export interface TileView {
  readonly id: string;
  readonly kind: 'image' | 'text' | 'other';
  readonly stage: 'active' | 'saved' | 'notSaved' | 'notSent' | 'unknown' | 'failed';
  /** Its state, in words. */
  readonly status: string;
  /** More about it, in words. */
  readonly story?: string;
  readonly prompt: string;
  readonly modelId: string;
  /** The model's name. */
  readonly model: string;
  /** The name that the agent who asked for it gave itself. */
  readonly agent?: string;
  /** The price or charge, in words. */
  readonly price?: string;
  /** The same for screen readers. */
  readonly spokenPrice?: string;
  /** The price on *Render Again*, euro cents: what costs more is asked about. */
  readonly againCents?: number;
  /** When it was ordered, ms since 1970. */
  readonly at: number;
  /** The saved file's name. */
  readonly fileName?: string;
  /** Its URI, for dragging it. */
  readonly file?: string;
  /** URL of the saved image or of its thumbnail, valid only in this webview. */
  readonly image?: string;
  /** The images that it was made from, the first few. */
  readonly from?: readonly RelatedView[];
  /** The results that were made from it, the newest few. */
  readonly to?: readonly RelatedView[];
  /** The beginning of a text. */
  readonly text?: string;
  /** The names of the actions available now. */
  readonly actions: readonly string[];
  /** All available actions, for the editor's menu: the page itself offers only `actions`. */
  readonly menu: readonly string[];
}

/** From the extension host to the gallery. Never contains a key, and a service only by its name. */
export type ToGallery =
  /** The first response to `ready`: the texts, the locale for money and dates, and the actions on results. */
  | ({ readonly type: 'strings' } & PageTexts<GalleryStrings>)
  /** These tiles are new or changed, and others are gone. */
  | {
      readonly type: 'tiles';
      /** At most `mostTiles`. */
      readonly tiles: readonly TileView[];
      /** The ids of those that were removed. */
      readonly gone: readonly string[];
      /** The rest follows at once. */
      readonly more: boolean;
      /** How many renders have no tile yet. */
      readonly older: number;
      /** How many are hidden since they came from other services, in words; '' for none. */
      readonly elsewhere: string;
    }
  /** The files of these tiles no longer exist. */
  | { readonly type: 'missing'; readonly ids: readonly string[] };

/** The filter of the results; an empty text and `all` match everything. */
export interface Filter {
  readonly text: string;
  /** The id of a model; '' for all. */
  readonly modelId: string;
  /** The name that an agent gave itself; '' for whoever asked. */
  readonly agent: string;
  readonly kind: 'all' | 'image' | 'text' | 'other';
  readonly period: 'all' | 'today' | 'week' | 'month';
}

/** The sizes of tiles, smallest first. */
export const tileSizes = ['small', 'usual', 'large'] as const;
export type TileSize = (typeof tileSizes)[number];

/** Grows when the page can't use what an earlier version kept. */
export const keptGalleryVersion = 1;

/** The state that the gallery keeps with the editor (`setState`) when it's hidden, moved, or reloaded. */
export interface KeptGallery {
  readonly version: number;
  readonly filter: Filter;
  readonly size: TileSize;
  /** The result that is focused when the gallery has the focus. */
  readonly current?: string;
  /** At most `mostCompared`. */
  readonly selected: readonly string[];
  /** The result at the top of the view, and how far its row is scrolled out, px. */
  readonly place?: { readonly id: string; readonly offset: number };
}

/** The gallery's texts in English, with placeholders `{0}`, `{1}`. The host sends them in the editor's language. */
export const englishGalleryStrings = {
  title: 'Gallery',
  loading: 'Loading results…',
  results: 'Results',
  // Filters.
  filters: 'Filters',
  filterText: 'Prompt, model, or file name',
  filterModel: 'Model',
  allModels: 'All models',
  filterAgent: 'Started by',
  anyone: 'Anyone',
  filterKind: 'Type',
  allKinds: 'All types',
  images: 'Images',
  texts: 'Text',
  others: 'Other',
  filterDate: 'Date',
  anyDate: 'Any date',
  today: 'Today',
  lastWeek: 'Last 7 days',
  lastMonth: 'Last 30 days',
  count: '{0} of {1}',
  countHeard: '{0} of {1} results are shown.',
  clearFilters: 'Clear Filters',
  smallerImages: 'Smaller Images',
  largerImages: 'Larger Images',
  showOlder: 'Show Older',
  showAll: 'Show All',
  olderHeard: 'Show older results: {0} more',
  // Empty states.
  nothingYet: 'No results in this project yet',
  nothingYetHelp:
    'Open a model, fill in its form, and see the exact price before you render. What you render appears here.',
  openModel: 'Open Model Form…',
  nothingMatches: 'No results match the filters',
  // A result.
  withoutPrompt: 'No prompt',
  madeFrom: 'Made from {0}',
  usedFor: 'Used for {0}',
  gone: 'The file no longer exists, or can’t be shown here.',
  actionsOf: 'Actions for {0}',
  moreActions: 'More Actions…',
  // Comparing.
  select: 'Select for Compare',
  deselect: 'Deselect',
  selectedOne: '1 image selected. Select another to compare.',
  selectedSeveral: '{0} images selected.',
  selectTwo: 'Select two or more images with Space, then press C to compare.',
  onlyImages: 'Only saved images can be compared.',
  compare: 'Compare',
  moveToTrash: 'Move to Trash',
  clearSelection: 'Clear Selection',
};

/** The gallery's table of texts. */
export type GalleryStrings = Readonly<Record<keyof typeof englishGalleryStrings, string>>;
