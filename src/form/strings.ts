import type { FieldIssue } from '../catalog/fields';

/** The form's texts in English; `{0}`, `{1}` stand for what is put in. The host sends them in the editor's language. */
export const englishStrings = {
  loading: 'Reading the model…',
  unavailable: 'The form cannot be shown',
  tryAgain: 'Try Again',
  sandbox: 'Sandbox: play money',
  reset: 'Reset All',
  undoReset: 'Undo Reset',
  inputs: 'Inputs',
  required: 'required',
  default: 'Default: {0}',
  leftOut: 'Left to the model',
  yes: 'Yes',
  no: 'No',
  between: '{0} to {1}',
  atLeast: 'At least {0}',
  atMost: 'At most {0}',
  inSteps: 'in steps of {0}',
  useJson: 'JSON',
  valueIsJson: 'Read the value of {0} as JSON',
  clear: 'Clear {0}',
  roll: 'New random number for {0}',
  randomSeed: 'Random',
  filterChoices: 'Type to filter',
  noChoice: 'No choice matches',
  choicesShown: '{0} of {1} choices',
  moreOptions: 'More options ({0})',
  moreOptionsChanged: 'More options ({0}, {1} changed)',
  // What is wrong with a field.
  issueRequired: 'A value is needed.',
  issueNotANumber: 'This is not a number.',
  issueNotAnInteger: 'This is not a whole number.',
  issueTooSmall: 'The smallest value is {0}.',
  issueTooLarge: 'The largest value is {0}.',
  issueNotAStep: 'The value goes in steps of {0}.',
  issueNotYesOrNo: 'Choose yes or no.',
  issueNotAChoice: 'This is not one of the choices.',
  issueTooLong: 'At most {0} characters.',
  issueInvalidJson: 'This is not valid JSON.',
  // The price and the button.
  render: 'Render',
  renderPriced: 'Render · {0}',
  renderAsking: 'Render · …',
  renderNotStated: 'Render · price not stated',
  starting: 'Starting…',
  renderKey: 'Ctrl+Enter renders',
  renderKeyMac: '⌘Enter renders',
  balance: 'Balance {0}',
  balanceAfter: 'Balance after: {0}',
  priceNotStated: 'The service states no price for these inputs. You are asked before anything is sent.',
  priceFailed: 'No price: {0}',
  askAgain: 'Ask again',
  fieldsNeeded: 'Fill in first: {0}',
  fieldsWrong: 'Correct first: {0}',
  andMore: '{0} and {1} more',
  tooLittle: 'The balance is {0}: {1} too little for this render.',
  refreshBalance: 'Check the balance again',
  whatFits: 'What fits…',
  waitAsked: 'The service asks to wait: {0}',
  announcePrice: 'Price {0}.',
  announcePriceAndBalance: 'Price {0}. Balance after: {1}.',
  // Where the result goes.
  savesTo: 'Saves to',
  noFolder: 'No folder is open: the result is kept until you save it.',
  chooseFolder: 'Change Folder…',
  changeName: 'Change Name…',
  savesForLink: 'Will be saved as {0}, for the link in {1}',
  savesForSomeLink: 'Will be saved as {0}, for the link that names it',
  saveAsUsual: 'Save as usual',
  insertLink: 'Insert a link in {0}, line {1}',
  fileName: 'File name',
  fileNameHelp: 'May contain {0}. The ending follows from the result.',
  nameSeparator: 'A file name cannot hold {0}.',
  nameUnknown: '{0} is not known in a file name.',
  // The result.
  result: 'Result',
  answer: 'Answer',
  resultPlace: 'The result appears here.',
  earlierResults: 'Results of this form',
  stageSending: 'Sending…',
  stageQueued: 'Queued…',
  stageSaving: 'Saving…',
  stageSaved: 'Saved',
  stageStaged: 'The new picture for “{0}” is there. Compare the two and decide.',
  stageFailed: 'Failed',
  stageRefunded: 'Failed and refunded',
  stageRefused: 'Refused',
  stageUnknown: 'Not known',
  stagePlanned: 'Not sent',
  stageDiscarded: 'Discarded',
  elapsed: '{0} s',
  elapsedMinutes: '{0} min {1} s',
  charged: 'Charged {0}',
  chargedOther: 'Charged {0}, shown was {1}',
  chargeNotStated: 'Charge not stated',
  failedRefundFollows: 'The render failed. The service refunds failed renders by itself.',
  nothingCharged: 'Nothing was charged.',
  failedRefunded: 'The render failed, and the service says that it is refunded.',
  serviceSaid: 'The service says: {0}',
  resultKept: 'The result is paid for and kept. Choose where to save it.',
  textCut: 'Only the beginning is shown. Open the file for all of it.',
  pictureOf: 'Picture made by {0}: {1}',
  pictureMissing: 'The picture cannot be shown here. Open the file to see it.',
  reviewStaged: 'Compare and Decide',
  open: 'Open',
  reveal: 'Reveal',
  copyPath: 'Copy Path',
  renderAgain: 'Render Again',
  saveAs: 'Save As…',
  downloadAgain: 'Download Again',
  sendPlanned: 'Send Now',
  discardPlanned: 'Discard',
  compare: 'Compare with the Service',
  whatFitsAction: 'What Fits…',
  startTomorrow: 'Start Again Tomorrow',
  changeAndTryAgain: 'Change and Try Again',
  announceStarted: 'Render started.',
  announceSaved: 'Saved as {0}.',
  announceReady: 'The result is ready.',
  priceMoved: 'The price was asked anew. Look at it, then press Render.',
};

/** The table of texts the form is given. */
export type FormStrings = Readonly<Record<keyof typeof englishStrings, string>>;

/** Which text says what is wrong with a value, and the numbers put into it. */
export function issueText(issue: FieldIssue): readonly [key: keyof FormStrings, ...parts: number[]] {
  switch (issue.code) {
    case 'required':
      return ['issueRequired'];
    case 'notANumber':
      return ['issueNotANumber'];
    case 'notAnInteger':
      return ['issueNotAnInteger'];
    case 'notAChoice':
      return ['issueNotAChoice'];
    case 'notYesOrNo':
      return ['issueNotYesOrNo'];
    case 'invalidJson':
      return ['issueInvalidJson'];
    case 'tooSmall':
      return ['issueTooSmall', issue.minimum];
    case 'tooLarge':
      return ['issueTooLarge', issue.maximum];
    case 'notAStep':
      return ['issueNotAStep', issue.step];
    case 'tooLong':
      return ['issueTooLong', issue.maxLength];
  }
}
