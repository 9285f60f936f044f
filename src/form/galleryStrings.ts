/** The gallery's texts in English; `{0}`, `{1}` stand for what is put in. The host sends them in the editor's language. */
export const englishGalleryStrings = {
  title: 'Generations of this project',
  loading: 'Reading the results…',
  results: 'Results',
  // The filters.
  filters: 'Filters',
  filterText: 'Prompt, model or file name',
  filterModel: 'Model',
  allModels: 'All models',
  filterKind: 'Kind',
  allKinds: 'All kinds',
  pictures: 'Pictures',
  texts: 'Texts',
  others: 'Other',
  filterDate: 'Date',
  anyDate: 'Any date',
  today: 'Today',
  lastWeek: 'Last 7 days',
  lastMonth: 'Last 30 days',
  count: '{0} of {1}',
  countHeard: '{0} of {1} results are shown.',
  clearFilters: 'Clear Filters',
  // Nothing to show.
  nothingYet: 'No results in this project yet',
  nothingYetHelp:
    'Open a model, fill in its form and see the exact price before you render. What you render appears here.',
  openModel: 'Open a Model…',
  nothingMatches: 'No result matches the filters',
  // A result.
  withoutPrompt: 'No prompt',
  gone: 'The file is not there any more, or cannot be shown here.',
  actionsOf: 'Actions for {0}',
  open: 'Open',
  reveal: 'Reveal in Explorer',
  copyPath: 'Copy Path',
  copyLink: 'Copy as Link',
  copyPrompt: 'Copy Prompt',
  openInForm: 'Open in Form with These Inputs',
  renderAgain: 'Render Again…',
  downloadAgain: 'Download Again',
  saveAs: 'Save As…',
  sendPlanned: 'Send…',
  discardPlanned: 'Discard',
  compareWithService: 'Compare with the Service',
  reviewStaged: 'Compare and Decide',
  // Comparing.
  select: 'Select for Comparing',
  deselect: 'Take Out of the Selection',
  selectedOne: 'One picture is selected. Select another to compare them.',
  selectedSeveral: '{0} pictures are selected.',
  selectTwo: 'Select two or more pictures with the space bar, then compare them with C.',
  onlyPictures: 'Only saved pictures can be compared.',
  compare: 'Compare',
  clearSelection: 'Clear Selection',
};

/** The table of texts the gallery is given. */
export type GalleryStrings = Readonly<Record<keyof typeof englishGalleryStrings, string>>;
