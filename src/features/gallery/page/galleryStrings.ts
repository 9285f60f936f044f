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
  pictures: 'Images',
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
  openModel: 'Open a Model…',
  nothingMatches: 'No results match the filters',
  // A result.
  withoutPrompt: 'No prompt',
  gone: 'The file no longer exists, or can’t be shown here.',
  actionsOf: 'Actions for {0}',
  moreActions: 'More Actions…',
  // Comparing.
  select: 'Select for Compare',
  deselect: 'Deselect',
  selectedOne: '1 image selected. Select another to compare.',
  selectedSeveral: '{0} images selected.',
  selectTwo: 'Select two or more images with Space, then press C to compare.',
  onlyPictures: 'Only saved images can be compared.',
  compare: 'Compare',
  clearSelection: 'Clear Selection',
};

/** The gallery's table of texts. */
export type GalleryStrings = Readonly<Record<keyof typeof englishGalleryStrings, string>>;
