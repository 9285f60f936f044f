/**
 * The texts of the spending page in English, with placeholders `{0}`, `{1}`. The host sends them in the editor's
 * language.
 */
export const englishSpendStrings = {
  title: 'Spending',
  loading: 'Loading renders…',
  account: 'Account',
  period: 'Period',
  week: 'Last 7 days',
  month: 'Last 30 days',
  year: 'Last 12 months',
  allTime: 'All time',
  startedBy: 'Started by',
  anyone: 'Anyone',
  exportCsv: 'Export as CSV…',
  // Empty state.
  nothingYet: 'Nothing spent yet',
  nothingYetHelp: 'Your renders appear here with what the service charged for them.',
  nothingInPeriod: 'No renders in this period',
  // The account.
  sandbox: 'Sandbox: play money, no real charges',
  otherKey: '{0} (another key, last used {1})',
  // Sums.
  spent: 'Spent',
  rendersCount: 'Renders: {0}',
  refunded: 'Refunded: {0}',
  refundedCount: 'Refunded: {0} (renders: {1})',
  unknownCount: 'Charge unknown: {0}',
  unknownHelp:
    'The service hasn’t reported whether or what it charged for these renders, so they aren’t included in any amount here. Their quoted prices add up to {0}.',
  underWayCount: 'In progress: {0}',
  atLeast: 'at least {0}',
  notKnown: 'not known',
  notYetKnown: 'not known yet',
  // Breakdowns.
  byDay: 'By day',
  byMonth: 'By month',
  byModel: 'By model',
  byProject: 'By project',
  byFile: 'By file',
  byOrderer: 'By who started it',
  asTable: 'Show as table',
  day: 'Day',
  monthColumn: 'Month',
  name: 'Name',
  renders: 'Renders',
  refundedColumn: 'Refunded',
  notKnownColumn: 'Charge unknown',
  others: '{0} others',
  noFolder: 'No folder',
  noFile: 'Not saved as a file',
  person: 'You',
  agent: 'Extensions, tasks, and agents',
  elsewhere: 'Started elsewhere',
  notRecorded: 'Not recorded',
  // Balance.
  balance: 'Balance',
  balanceAsOf: 'Balance: {0}, as of {1}',
  balanceAt: 'Balance on {0}',
  oursLine: 'Renders in this editor',
  outsideLine: 'Spent outside this editor',
  addedLine: 'Funds added',
  uncertainLine: 'May include renders with an unknown charge or refund: {0}.',
  notSeenTwice: 'Spending outside this editor is shown after the balance has been read twice.',
};

/** The spending page's table of texts. */
export type SpendStrings = Readonly<Record<keyof typeof englishSpendStrings, string>>;
