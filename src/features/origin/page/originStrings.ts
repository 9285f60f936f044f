/**
 * The texts of the page about how a file was made, in English, with placeholders `{0}`. The host sends them in the
 * editor's language.
 */
export const englishOriginStrings = {
  reading: 'Reading the file…',
  actions: 'Actions',
  renderAgain: 'Render Again…',
  openInForm: 'Open Inputs in Form',
  copyPrompt: 'Copy Prompt',
  copyAsText: 'Copy as Text',
  openFile: 'Open {0}',
  noPicture: 'No preview for this type of file.',
  gone: 'The file no longer exists, or can’t be shown here.',
};

/** The page's table of texts. */
export type OriginStrings = Readonly<Record<keyof typeof englishOriginStrings, string>>;
