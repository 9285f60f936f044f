import type { FieldIssue } from '../catalog/fields';

/** The form's texts in English, with placeholders `{0}`, `{1}`. The host sends them in the editor's language. */
export const englishFormStrings = {
  loading: 'Loading model…',
  unavailable: 'The form can’t be shown',
  tryAgain: 'Try Again',
  sandbox: 'Sandbox: play money',
  reset: 'Reset All',
  undo: 'Undo',
  inputs: 'Inputs',
  searchInputs: 'Search inputs',
  changedOnly: 'Changed Only',
  noInputs: 'No matching inputs.',
  earlierPrompts: 'Earlier Prompts…',
  earlierPromptsHelp: 'Use an earlier prompt of this project (Up and Down Arrow at the start of the prompt)',
  style: 'Project style',
  noStyle: 'None',
  styleSends: 'Sends: {0}',
  styleLeavesOut: 'This model doesn’t take: {0}',
  setByStyle: 'Set by the style “{0}”',
  resetOne: 'Reset {0}',
  required: 'required',
  default: 'Default: {0}',
  leftOut: 'Model decides',
  yes: 'Yes',
  no: 'No',
  between: '{0} to {1}',
  atLeast: 'At least {0}',
  atMost: 'At most {0}',
  inSteps: 'step {0}',
  useJson: 'JSON',
  valueIsJson: 'Treat {0} as JSON',
  clear: 'Clear {0}',
  roll: 'New random value for {0}',
  randomSeed: 'Random each time',
  filterChoices: 'Type to filter',
  noChoice: 'No matching options',
  choicesShown: '{0} of {1} options',
  moreOptions: 'More options ({0})',
  moreOptionsChanged: 'More options ({0}, {1} changed)',
  // Field errors.
  issueRequired: 'Enter a value.',
  issueNotANumber: 'Enter a number.',
  issueNotAnInteger: 'Enter a whole number.',
  issueTooSmall: 'Enter {0} or more.',
  issueTooLarge: 'Enter {0} or less.',
  issueNotAStep: 'Use steps of {0}.',
  issueNotYesOrNo: 'Choose yes or no.',
  issueNotAChoice: 'Choose one of the options.',
  issueTooLong: '{0} of {1} characters. Shorten the text.',
  issueInvalidJson: 'Enter valid JSON.',
  issueTooManyDigits: 'A number has too many digits to be sent exactly. Enter a smaller one.',
  issueNotAnImage: 'Choose an image, or enter a URL that starts with https://.',
  issueNotImageUrls: 'Enter URLs that start with https://. A list of images takes no files yet.',
  issueImageTooLarge: '{0} of at most {1}. Choose a smaller image.',
  issueImageType: '{0} isn’t {1}. Choose another image.',
  imageIsFolder: '“{0}” is a folder. Choose an image.',
  imageIsNone: '“{0}” isn’t an image.',
  imageUnreadable: '“{0}” can’t be read. Check the file, then try again.',
  imageElsewhere: '“{0}” isn’t in the workspace. Select Choose Image… instead.',
  imageGone: '“{0}” is no longer available. Choose it again.',
  // Images.
  chooseImage: 'Choose Image…',
  chooseImageFor: 'Choose Image… for {0}',
  imagePlace: 'Paste an image or its URL',
  imageDrop: 'To drop a file, hold Shift.',
  urlPerLine: 'One URL per line',
  clearImage: 'Remove the image of {0}',
  upTo: 'Up to {0}',
  pixelsAtLeast: 'At least {0} × {1} pixels',
  pixelsAtMost: 'At most {0} × {1} pixels',
  // Price and button.
  render: 'Render',
  renderPriced: 'Render · {0}',
  renderAsking: 'Render · …',
  renderNotStated: 'Render · price unknown',
  variants: 'Number of images, each with a different seed',
  combinations: 'Number of images',
  vary: 'Vary inputs',
  varyHelp: 'Select several options of up to two inputs, to render every combination.',
  renderVariantsPriced: 'Render {0} · {1}',
  renderVariantsAsking: 'Render {0} · …',
  variantsNotStated: 'The service doesn’t state one for these inputs. Render one image at a time.',
  starting: 'Starting…',
  renderKey: 'Render (Ctrl+Enter)',
  renderKeyMac: 'Render (⌘Enter)',
  balance: 'Balance {0}',
  balanceAfter: 'Balance after: {0}',
  priceNotStated:
    'The service doesn’t state a price for these inputs. You’ll be asked to confirm before anything is sent.',
  priceFailed: 'No price: {0}',
  askAgain: 'Try again',
  fieldsNeeded: 'Required: {0}',
  fieldsWrong: 'Fix first: {0}',
  andMore: '{0}, and {1} more',
  tooLittle: 'Your balance is {0}, {1} short for this render.',
  tooLittleVariants: 'Your balance is {0}, {1} short for these {2} images.',
  refreshBalance: 'Refresh balance',
  whatFits: 'Find cheaper options…',
  waitAsked: 'The service asked to wait. Resuming in {0}.',
  announcePrice: 'Price {0}.',
  announcePriceAndBalance: 'Price {0}. Balance after: {1}.',
  // Target.
  savesTo: 'Saves to',
  noFolder: 'No folder is open. The result is kept until you save it.',
  chooseFolder: 'Change Folder…',
  changeName: 'Change Name…',
  savesForLink: 'Saves to {0}, for the link in {1}',
  savesForSomeLink: 'Saves to {0}, for the link that points to it',
  saveAsUsual: 'Save to the default folder',
  insertLink: 'Insert a link in {0}, line {1}',
  fileName: 'File name',
  fileNameHelp: 'You can use {0}. The extension is added automatically.',
  nameSeparator: 'A file name can’t contain {0}.',
  nameUnknown: '{0} isn’t a file name variable.',
  // Result.
  result: 'Result',
  answer: 'Response',
  showResult: 'Show Result',
  resultPlace: 'Your result appears here.',
  earlierResults: 'Results of this form',
  stageInTurn: 'Waiting to be sent…',
  stageSending: 'Sending…',
  stageQueued: 'Queued…',
  stageWaiting: 'Waiting for the service…',
  stageSaving: 'Saving…',
  stageSaved: 'Saved',
  stageNotSaved: 'Not saved yet',
  stageStaged: 'The new image for “{0}” is ready to review.',
  stageFailed: 'Failed',
  stageRefunded: 'Failed and refunded',
  stageRefused: 'Rejected',
  stageUnknown: 'Unconfirmed',
  stagePlanned: 'Not sent',
  stageDiscarded: 'Discarded',
  elapsed: '{0} s',
  elapsedMinutes: '{0} min {1} s',
  usually: '{0}, usually {1}',
  charged: 'Charged {0}',
  chargedOther: 'Charged {0} ({1} quoted)',
  chargeNotStated: 'Charge not reported',
  failedRefundFollows: 'The render failed. The service refunds failed renders automatically.',
  nothingCharged: 'Nothing was charged.',
  savedRefunded: 'The service refunded this render after it succeeded. Its file stays.',
  failedRefunded: 'The render failed. The service reports that it was refunded.',
  serviceSaid: 'The service says: {0}',
  resultKept: 'The result is paid for and kept. Choose where to save it.',
  resultNotDownloaded: 'Paid, but not downloaded yet.',
  textCut: 'Only the beginning is shown. To see everything, open the file.',
  pictureOf: 'Image by {0}: {1}',
  pictureMissing: 'The image can’t be shown here. To see it, open the file.',
  announceStarted: 'Render started.',
  announceSaved: 'Saved as {0}.',
  announceReady: 'The result is ready.',
  priceMoved: 'The price was updated. Check it, then select Render.',
};

/** The form's table of texts. */
export type FormStrings = Readonly<Record<keyof typeof englishFormStrings, string>>;

/** How sizes and choices are said in a language. */
export interface IssueWords {
  readonly size: (bytes: number) => string;
  /** The file formats of media types: "PNG, JPEG, or WebP". */
  readonly formats: (types: readonly string[]) => string;
}

/** The text for an invalid value, and the parts in it. */
export function issueText(
  issue: FieldIssue,
  words: IssueWords,
): readonly [key: keyof FormStrings, ...parts: (string | number)[]] {
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
    case 'tooManyDigits':
      return ['issueTooManyDigits'];
    case 'tooSmall':
      return ['issueTooSmall', issue.minimum];
    case 'tooLarge':
      return ['issueTooLarge', issue.maximum];
    case 'notAStep':
      return ['issueNotAStep', issue.step];
    case 'notAnImage':
      return ['issueNotAnImage'];
    case 'notImageUrls':
      return ['issueNotImageUrls'];
    case 'imageTooLarge':
      return ['issueImageTooLarge', words.size(issue.bytes), words.size(issue.maxBytes)];
    case 'imageType':
      return ['issueImageType', words.formats([issue.type]), words.formats(issue.types)];
    case 'tooLong':
      return ['issueTooLong', issue.length, issue.maxLength];
  }
}
