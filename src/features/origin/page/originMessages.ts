/** What can be done on the page about how something was made, in the order of its buttons: as in a render's menu. */
export const originActions = ['openFile', 'copyPrompt', 'copyAsText', 'renderAgain', 'openInForm'] as const;
export type OriginAction = (typeof originActions)[number];

export interface OriginFact {
  readonly label: string;
  readonly text: string;
  /** The exact name of what `text` calls by its display name. */
  readonly detail?: string;
}

export interface OriginGroup {
  readonly title: string;
  readonly facts: readonly OriginFact[];
}

/** Images that the one of the page came from, or that came from it. A page opens them by their place among all. */
export interface OriginRelatives {
  readonly title: string;
  readonly images: readonly {
    readonly name: string;
    /** Valid only in this webview; undefined if there's no picture of it. */
    readonly address?: string;
  }[];
}

/** A text of its own, with its title. */
interface OriginText {
  readonly title: string;
  readonly text: string;
}

/** How a file or render was made, each fact once. All texts are plain text, never markup. */
export interface OriginView {
  /** The file's URI, for when the editor restores the page; undefined for a render without one. */
  readonly file?: string;
  /** The same: the render's ID, for a render without a file. */
  readonly render?: string;
  readonly name: string;
  readonly path?: string;
  /** Who says so, and what happened to the file since, in whole sentences. */
  readonly introduction: string;
  /** `proven` by our render history and unchanged · `doubtful`: changed since, or maybe · `stated`: all else. */
  readonly standing: 'proven' | 'doubtful' | 'stated';
  /**
   * Undefined for a type of file that isn't an image. The URL is valid only in this webview; undefined for an image
   * that no longer exists or can't be reached.
   */
  readonly image?: { readonly address?: string };
  readonly prompt?: OriginText;
  /** The response of a text model. */
  readonly response?: OriginText;
  readonly facts: readonly OriginFact[];
  readonly inputs?: OriginGroup;
  readonly relatives: readonly OriginRelatives[];
  /** Folded until the user opens them. */
  readonly more: readonly OriginGroup[];
  readonly actions: readonly OriginAction[];
  /** The price on *Render Again*, euro cents: what costs more is asked about. Undefined where every press is. */
  readonly againCents?: number;
}

/** From the extension host to the page. Never contains a key. */
export type ToOrigin =
  /** The first response to `ready`: the texts, and the locale for numbers. */
  | { readonly type: 'strings'; readonly strings: OriginStrings; readonly locale: string }
  /** Sent again when the file or its render changed. */
  | { readonly type: 'origin'; readonly origin: OriginView }
  /** The file can't be read. */
  | { readonly type: 'failed'; readonly reason: string };

/**
 * The texts of the page about how a file was made, in English, with placeholders `{0}`. The host sends them in the
 * editor's language.
 */
export const englishOriginStrings = {
  reading: 'Reading the file…',
  actions: 'Actions',
  renderAgain: 'Render Again…',
  renderAgainFor: 'Render Again · {0}',
  openInForm: 'Open Inputs in Form',
  copyPrompt: 'Copy Prompt',
  copyAsText: 'Copy as Text',
  openFile: 'Open',
  noImage: 'No preview for this type of file.',
  gone: 'The file no longer exists, or can’t be shown here.',
};

/** The page's table of texts. */
export type OriginStrings = Readonly<Record<keyof typeof englishOriginStrings, string>>;
