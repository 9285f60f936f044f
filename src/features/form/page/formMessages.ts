import { englishIssueStrings, type Field, type FieldValues } from '../../../catalog/fields';
import type { PageTexts } from '../../../editor/page/controls';

/** The price on the button. Amounts are euro cents. */
export type QuoteView =
  /** The inputs are incomplete or invalid, so no price is requested. */
  | { readonly status: 'none' }
  /** The inputs have images from an earlier window: none of them leaves before the user does something here. */
  | { readonly status: 'held' }
  /** `lastCents`: the previous price, to be shown as such. */
  | { readonly status: 'asking'; readonly lastCents?: number }
  | { readonly status: 'priced'; readonly costCents: number }
  | { readonly status: 'notStated' }
  /** `problem` is worded for a person. */
  | { readonly status: 'failed'; readonly problem: string };

/** A render that was started in this form. */
export interface ResultView {
  readonly id: string;
  /** `active`: in progress; `done`: has something to show; `ended`: has nothing. */
  readonly stage: 'active' | 'done' | 'ended';
  /** Its state, in words. */
  readonly status: string;
  /** Elapsed time, ms. */
  readonly elapsedMs?: number;
  /** How long such a render usually takes, ms, if known. */
  readonly usualMs?: number;
  /** Euro cents. */
  readonly shownCents?: number;
  /** Charged, according to the service; euro cents. */
  readonly costCents?: number;
  /** The price on *Render Again*, euro cents: what costs more is asked about. */
  readonly againCents?: number;
  /** More images like it, each with another seed, and their price in all, euro cents; omitted if none are possible. */
  readonly more?: { readonly count: number; readonly cents: number };
  /** URL of the saved image, valid only in this webview. */
  readonly image?: string;
  /** The image's description. */
  readonly alt?: string;
  readonly text?: string;
  /** `text` is only the beginning. */
  readonly textCut?: boolean;
  /** `uri`: for dragging it. */
  readonly file?: { readonly name: string; readonly uri: string; readonly bytes?: number };
  /** It waits to be compared with the file it's to replace, as `status` says. */
  readonly isStaged?: boolean;
  /** Nothing went wrong: it only waits to be told where to save it, as `status` says. */
  readonly isUnplaced?: boolean;
  /** It failed or was rejected, and nothing is open about it. */
  readonly isFailed?: boolean;
  /** The problem and what to do about it, in words. */
  readonly problem?: string;
  /** The names of the actions available now. */
  readonly actions: readonly string[];
  /** It's one of several that a press ordered together, to choose from; `caption` says in what it differs. */
  readonly variant?: { readonly number: number; readonly caption: string };
}

/** The model of a form. */
export interface ModelView {
  readonly id: string;
  readonly title: string;
  readonly description?: string;
  readonly kind?: 'image' | 'text' | 'other';
  readonly fields: readonly Field[];
}

/** The inputs that are rendered with several values. */
export type VariedView = readonly {
  readonly field: string;
  readonly values: readonly (string | number | boolean)[];
}[];

/** How many images one press orders. */
export interface VariantsView {
  /** How many images one press can order, each with another seed. */
  readonly choices: readonly number[];
  /** How many the next one orders. */
  readonly count: number;
  /** Whether values of inputs can be varied instead. */
  readonly canVary: boolean;
  /** Those that are, in every combination. */
  readonly varied: VariedView;
}

/** The style of the next renders, from a render file of the project. */
export interface StyleView {
  /** The styles to choose from; none if the project has none for this model. */
  readonly options: readonly { readonly id: string; readonly label: string }[];
  /** Counts the changes of what a style adds to the values: a price is pressed for one version of it. */
  readonly version: number;
  /** The chosen one; omitted for none. */
  readonly chosen?: {
    readonly id: string;
    readonly label: string;
    /** The words around the prompt. */
    readonly before: string;
    readonly after: string;
    /** The values of other fields, instead of the user's. */
    readonly fixed: FieldValues;
    /** The inputs that the model doesn't take. */
    readonly leftOut: readonly string[];
  };
}

export interface TargetLink {
  /** The document's file name. */
  readonly document: string;
  /** The cursor's line, from 1. */
  readonly line: number;
  /** Whether the user wants it. */
  readonly insert: boolean;
}

export interface NamedFile {
  /** The file's path, for display. */
  readonly path: string;
  /** The name of a document that links to it; omitted if unknown. */
  readonly document?: string;
}

/** Where the next result goes. */
export interface TargetView {
  /** The folder, for display. */
  readonly folder: string;
  /** False when no folder is open: the result is kept until it's saved by hand. */
  readonly hasFolder: boolean;
  /** The name template of the preview. */
  readonly fileName: string;
  /** The name that a result would get now. */
  readonly preview: string;
  /** In Restricted Mode, the project's settings for it aren't used. */
  readonly isRestricted?: boolean;
  /** The place where a link to the result can be inserted; omitted if there is none. */
  readonly link?: TargetLink;
  /**
   * The file that the next result becomes instead, because a document names it and it's missing; omitted if there is
   * none.
   */
  readonly named?: NamedFile;
}

/** A prompt to start with. */
export interface ExampleView {
  readonly prompt: string;
  /** URL of the image that the model made of it, valid only in this webview. */
  readonly image?: string;
}

/** From the extension host to the form. Never contains a key or a service's URL. */
export type ToForm =
  /** The first response to `ready`: the texts, the locale for money and numbers, and the actions on results. */
  | ({ readonly type: 'strings' } & PageTexts<FormStrings>)
  /** The model was loaded, perhaps again. */
  | { readonly type: 'model'; readonly model: ModelView }
  /** The model could not be read; replaces the form. `problem` is worded for a person. */
  | { readonly type: 'unavailable'; readonly problem: string }
  /** The values to show: after `model`, when another view opens the form with inputs, or a field gets an image. */
  | {
      readonly type: 'draft';
      readonly revision: number;
      readonly values: FieldValues;
      /** Only this field has another value: whatever else was typed in the meantime stays. */
      readonly field?: string;
      /** Those that they replaced, until the next change: the user can have them back. */
      readonly before?: FieldValues;
      /** URLs of the images among all these, valid only in this webview. */
      readonly images?: readonly { readonly sha256: string; readonly url: string }[];
    }
  /** A field's image can't be used, worded for a person; its value stays as it is. */
  | { readonly type: 'imageProblem'; readonly field: string; readonly problem: string }
  /**
   * The state of the price of `count` renders of the values of `revision` changed. `intent` identifies one press at it.
   */
  | {
      readonly type: 'quote';
      readonly revision: number;
      readonly intent: string;
      readonly count: number;
      readonly quote: QuoteView;
    }
  /** The counts to choose from changed, or the chosen one did. */
  | { readonly type: 'variants'; readonly variants: VariantsView }
  /** The styles to choose from changed, or the chosen one did. */
  | { readonly type: 'style'; readonly style: StyleView }
  /** The balance became known or changed, the service asks for a pause of `waitMs` from now, or it's not responding. */
  | {
      readonly type: 'account';
      readonly balanceCents?: number;
      readonly sandbox: boolean;
      readonly waitMs?: number;
      readonly offline: boolean;
    }
  /** Folder, name, or the values behind the preview changed. */
  | { readonly type: 'target'; readonly target: TargetView }
  /** The earlier prompts of this project, the latest first; `examples` to start with while there is no result. */
  | { readonly type: 'prompts'; readonly prompts: readonly string[]; readonly examples: readonly ExampleView[] }
  /** The renders started in this form changed; newest first. */
  | { readonly type: 'results'; readonly results: readonly ResultView[] }
  /**
   * The service rejected fields of the values of `revision`; with `focus` because Render was pressed, or the person
   * asked for the field.
   */
  | {
      readonly type: 'problems';
      readonly revision: number;
      readonly focus: boolean;
      readonly problems: readonly { readonly field: string; readonly message: string }[];
    }
  /** The only response to a request, even if it failed; `problem` and `remedy` are worded for a person. */
  | { readonly type: 'answer'; readonly request: number; readonly problem?: string; readonly remedy?: string };

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
  earlierPrompts: 'Earlier prompts…',
  earlierPromptsHelp: 'Reuse an earlier prompt (Up Arrow)',
  style: 'Project style',
  noStyle: 'None',
  styleSends: 'Adds to the prompt: {0}',
  styleLeavesOut: 'Not supported by this model: {0}',
  setByStyle: 'Set by the style “{0}”',
  resetOne: 'Reset {0}',
  required: 'required',
  default: 'Default: {0}',
  leftOut: 'Let the model choose',
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
  pickColor: 'Pick a color for {0}',
  more: 'More…',
  moreChoices: 'More for {0}',
  moreOptions: 'More options ({0})',
  moreOptionsChanged: 'More options ({0}, {1} changed)',
  // Field errors.
  ...englishIssueStrings,
  imageIsFolder: '“{0}” is a folder. Choose an image.',
  imageIsNone: '“{0}” isn’t an image.',
  imageUnreadable: '“{0}” can’t be read. Check the file, then try again.',
  imageElsewhere: '“{0}” isn’t in the workspace. Select Choose Image… instead.',
  imageGone: '“{0}” is no longer available. Choose it again.',
  // Images.
  chooseImage: 'Choose Image…',
  chooseImageFor: 'Choose Image… for {0}',
  addImages: 'Add Images…',
  addImagesFor: 'Add Images… for {0}',
  imagePlace: 'Paste an image or its URL',
  imagesPlace: 'Paste images or their URLs',
  imageCount: '{0} of {1}',
  imageNumber: 'Image {0}: {1}',
  imageTile: 'Click to replace it. Drag it, or press Alt+Left or Alt+Right, to move it.',
  removeImage: 'Remove image {0}',
  imageDrop: 'To drop files, hold Shift.',
  clearImage: 'Remove the image of {0}',
  // Masks.
  paintMask: 'Paint Mask…',
  paintMaskFor: 'Paint Mask… for {0}',
  maskNeedsImage: 'To paint one, first choose a file for {0}.',
  maskOtherSize: '{0} has another size: {1} pixels. Paint the mask again.',
  maskFailed: 'The mask can’t be painted here. Choose it as a file instead.',
  maskName: '{0}, mask.png',
  maskTitle: 'Paint {0}',
  maskOf: 'Mask for {0}. The arrow keys move the brush, and Space paints.',
  maskHelp: 'Paint over what should change.',
  maskColorUnstated:
    'The service doesn’t say which color marks what changes. It’s sent in white, and the rest in black.',
  maskSentWhite: 'It’s sent in white, and the rest in black.',
  maskSentBlack: 'It’s sent in black, and the rest in white.',
  maskSentTransparent: 'It’s sent as transparent.',
  maskPainted: '{0}% painted',
  maskTools: 'Tools',
  brush: 'Brush',
  eraser: 'Eraser',
  brushSize: 'Brush size',
  redo: 'Redo',
  invertMask: 'Invert',
  clearMask: 'Clear',
  cancel: 'Cancel',
  useMask: 'Use Mask',
  upTo: 'Up to {0}',
  upToEach: 'Up to {0} each',
  pixelsAtLeast: 'At least {0} × {1} pixels',
  pixelsAtMost: 'At most {0} × {1} pixels',
  restricted: 'In Restricted Mode, this project’s settings for folders and names aren’t used.',
  reminder: 'You’ll be reminded tomorrow.',
  resultHandle: '{0} · drag it into a document to link it',
  renderMore: '{0} More · {1}',
  renderMoreHelp: 'Render {0} more images with the same inputs and new seeds',
  // Price and button.
  render: 'Render',
  renderPriced: 'Render · {0}',
  renderAsking: 'Render · …',
  renderNotStated: 'Render · price unknown',
  variants: 'Number of images, each with a different seed',
  combinations: 'Number of images',
  vary: 'Try combinations',
  varyHelp: 'Select several options for one or two inputs to render every combination.',
  renderVariantsPriced: 'Render {0} · {1}',
  renderVariantsAsking: 'Render {0} · …',
  variantsNotStated: 'The service doesn’t quote a total for these inputs. Render one image at a time.',
  starting: 'Starting…',
  renderKey: 'Render (Ctrl+Enter)',
  renderKeyMac: 'Render (⌘Enter)',
  balance: 'Balance {0}',
  balanceAfter: 'Balance after: {0}',
  priceNotStated:
    'The service doesn’t quote a price for these inputs. You’ll be asked to confirm before anything is sent.',
  priceFailed: 'No price: {0}',
  askAgain: 'Try again',
  priceHeld: 'The price isn’t requested yet, because that sends the images.',
  getPrice: 'Get price',
  fieldsNeeded: 'Required: {0}',
  fieldsWrong: 'Fix first: {0}',
  andMore: '{0}, and {1} more',
  tooLittle: 'Your balance is {0}. This render needs {1} more.',
  tooLittleVariants: 'Your balance is {0}. These {2} images need {1} more.',
  refreshBalance: 'Refresh balance',
  whatFits: 'Find cheaper options…',
  waitAsked: 'Rate limited by the service. Resuming in {0}.',
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
  fileNameHelp: 'You can use {0}. The file extension is added automatically.',
  nameSeparator: 'A file name can’t contain {0}.',
  nameUnknown: '{0} isn’t a file name variable.',
  // Result.
  result: 'Result',
  response: 'Response',
  showResult: 'Show result',
  resultPlace: 'Your result appears here.',
  examples: 'Start with one of these prompts',
  earlierResults: 'Results of this form',
  variantSeed: 'seed {0}',
  variantOption: '{0}: {1}',
  keep: 'Keep',
  keepOne: 'Keep {0}',
  keepSelected: 'Keep Only Selected',
  keepSome: 'Keep {0}, Trash {1}',
  keepSelectedHelp: 'Move the other images to the trash. They stay in Generations.',
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
  failedRefundFollows: 'The service refunds failed renders automatically.',
  nothingCharged: 'Nothing was charged.',
  savedRefunded: 'The service refunded this render after it succeeded. Its file stays.',
  serviceReported: 'The service says: {0}',
  resultKept: 'The result is paid for and kept. Choose where to save it.',
  resultNotDownloaded: 'Paid, but not downloaded yet.',
  textCut: 'Only the beginning is shown. To see everything, open the file.',
  imageOf: 'Image by {0}: {1}',
  imageMissing: 'The image can’t be shown here. To see it, open the file.',
  announceStarted: 'Render started.',
  announceSaved: 'Saved as {0}.',
  announceReady: 'The result is ready.',
  priceMoved: 'The price was updated. Check it, then select Render.',
};

/** The form's table of texts. */
export type FormStrings = Readonly<Record<keyof typeof englishFormStrings, string>>;
