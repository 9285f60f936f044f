/** One action on renders, as a page shows it. */
export interface ActionView {
  readonly id: string;
  readonly label: string;
  /** A codicon. */
  readonly icon: string;
  /** When a saved render has a button for it: while its file exists, when it's missing, or never; omitted: always. */
  readonly button?: 'there' | 'gone' | 'never';
}

/** Sent to a page once: its texts, the locale for money and numbers, and the actions on renders. */
export interface PageTexts<Strings> {
  readonly strings: Strings;
  readonly locale: string;
  readonly actions: readonly ActionView[];
}
