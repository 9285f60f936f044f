/** The texts of the spend page in English; `{0}`, `{1}` stand for what is put in. The host sends them in the editor's language. */
export const englishSpendStrings = {
  title: 'Spend',
  loading: 'Reading the renders…',
  account: 'Account',
  period: 'Period',
  week: 'Last 7 days',
  month: 'Last 30 days',
  year: 'Last 12 months',
  allTime: 'All time',
  exportCsv: 'Export as CSV…',
  // Nothing to show.
  nothingYet: 'Nothing spent yet',
  nothingYetHelp: 'What you render appears here with what the service charged for it.',
  nothingInPeriod: 'Nothing was rendered in this period',
  // Which account.
  sandbox: 'Sandbox: play money, nothing is charged for real',
  otherKey: '{0}, another key, last used {1}',
  // Sums.
  spent: 'Spent',
  rendersCount: 'Renders: {0}',
  refunded: 'Refunded: {0}',
  refundedCount: 'Refunded: {0} (renders: {1})',
  unknownCount: 'Charge not known: {0}',
  unknownHelp:
    'Renders for which the service has not said whether and what it charged. They are in no amount here. The prices shown for them add up to {0}.',
  underWayCount: 'Under way: {0}',
  atLeast: 'at least {0}',
  notKnown: 'not known',
  notYetKnown: 'not known yet',
  // By what.
  byDay: 'By day',
  byMonth: 'By month',
  byModel: 'By model',
  byProject: 'By project',
  byFile: 'By file',
  byOrderer: 'By who ordered it',
  asTable: 'As a table',
  day: 'Day',
  monthColumn: 'Month',
  name: 'Name',
  renders: 'Renders',
  refundedColumn: 'Refunded',
  notKnownColumn: 'Charge not known',
  others: '{0} others',
  noFolder: 'No folder',
  noFile: 'Not saved as a file',
  person: 'You',
  agent: 'Extensions, tasks and agents',
  elsewhere: 'Started elsewhere',
  notRecorded: 'Not recorded',
  // The balance.
  balance: 'Balance',
  balanceAsOf: 'Balance: {0}, as of {1}',
  balanceAt: 'Balance on {0}',
  oursLine: 'Renders of this editor',
  outsideLine: 'Spent outside this editor',
  addedLine: 'Added',
  uncertainLine: 'Renders whose charge or refund is not known may be part of this: {0}.',
  notSeenTwice: 'What was spent outside this editor can be told once the balance has been read twice.',
};

/** The table of texts the spend page is given. */
export type SpendStrings = Readonly<Record<keyof typeof englishSpendStrings, string>>;
