/**
 * **Actions**: what can be done to an entry (`renders/library.ts`), which is a render as every view shows it. One table
 * says what each is called, when it applies, and which pages have a button for it; each is also a command. Menus, the
 * Generations view, the form, the gallery, and notifications follow it, and offer nothing that doesn't apply;
 * `features/generations/resultActions.ts` carries them out.
 */

import { hasGivenImage, isGivenImage, itemsOf } from '../../../base/givenImage';
import type { Json } from '../../../base/json';
import { formatNames } from '../../../base/numbers';
import type { ActionId } from '../../../editor/ids';
import type { ActionView } from '../../../editor/page/controls';
import { isForgettable } from '../../../renders/forgetting';
import type { LibraryEntry } from '../../../renders/library';
import { madeKind } from '../../../renders/madeKind';

/** The pages with buttons for renders. Menus, keyboard shortcuts, and the Generations view have every action. */
export type ActionPage = 'form' | 'gallery';

interface ActionRow {
  /** The name of its command in English: the host translates it. */
  readonly label: string;
  /** A codicon. */
  readonly icon: string;
  readonly pages?: readonly ActionPage[];
  readonly button?: ActionView['button'];
  /** Needs only the file and what is recorded of it, whatever service it came from. */
  readonly isLocal?: true;
  readonly applies: (entry: LibraryEntry) => boolean;
}

const everywhere = ['form', 'gallery'] as const;
const inForm = ['form'] as const;
const inGallery = ['gallery'] as const;

/** Everything that can be done to a render, most likely first. */
const table: Readonly<Record<ActionId, ActionRow>> = {
  reviewStaged: { label: 'Review New Image', icon: 'git-compare', pages: everywhere, applies: isStaged },
  sendPlanned: { label: 'Send Now', icon: 'play', pages: everywhere, applies: isNotSent },
  discardPlanned: { label: 'Don’t Send', icon: 'discard', pages: everywhere, applies: isPlanned },
  openResult: {
    label: 'Open',
    icon: 'go-to-file',
    pages: everywhere,
    button: 'there',
    isLocal: true,
    applies: hasResult,
  },
  openToSide: { label: 'Open to the Side', icon: 'split-horizontal', isLocal: true, applies: hasResult },
  revealResult: {
    label: 'Reveal in Explorer View',
    icon: 'folder-opened',
    pages: everywhere,
    button: 'there',
    isLocal: true,
    applies: hasOwnFile,
  },
  saveAs: { label: 'Save As…', icon: 'save-as', pages: everywhere, button: 'never', applies: isPaidNotSaved },
  saveOriginal: { label: 'Save Original As…', icon: 'save-as', isLocal: true, applies: hasOriginal },
  downloadAgain: {
    label: 'Download Again',
    icon: 'cloud-download',
    pages: everywhere,
    button: 'gone',
    applies: isAtService,
  },
  resolve: { label: 'Resolve…', icon: 'question', pages: everywhere, applies: isUnknown },
  compareWithService: { label: 'Check with Service', icon: 'cloud', pages: everywhere, applies: isAway },
  copyPath: {
    label: 'Copy Path',
    icon: 'copy',
    pages: everywhere,
    button: 'there',
    isLocal: true,
    applies: hasOwnFile,
  },
  copyLink: {
    label: 'Copy as Link',
    icon: 'link',
    pages: everywhere,
    button: 'there',
    isLocal: true,
    applies: isOwnPicture,
  },
  copyPrompt: { label: 'Copy Prompt', icon: 'quote', pages: inGallery, isLocal: true, applies: () => true },
  whatFits: { label: 'Find Cheaper Options…', icon: 'lightbulb', pages: inForm, applies: isTooDear },
  startTomorrow: { label: 'Remind Me Tomorrow', icon: 'calendar', pages: inForm, applies: isOverCap },
  renderAgain: { label: 'Render Again', icon: 'sync', pages: everywhere, applies: isRepeatable },
  changeAndTryAgain: { label: 'Edit and Retry', icon: 'edit', pages: inForm, applies: hasFailed },
  openInForm: {
    label: 'Open Inputs in Form',
    icon: 'edit',
    pages: inGallery,
    applies: ({ modelId }) => modelId !== undefined,
  },
  editImage: {
    label: 'Edit This Image…',
    icon: 'wand',
    pages: everywhere,
    button: 'there',
    isLocal: true,
    applies: isImage,
  },
  useAsInput: {
    label: 'Use as Input…',
    icon: 'file-media',
    pages: inForm,
    button: 'there',
    isLocal: true,
    applies: isImage,
  },
  addEntry: { label: 'Add to Render File…', icon: 'list-unordered', applies: isRecordedImage },
  compareResults: { label: 'Compare Images', icon: 'split-horizontal', isLocal: true, applies: isImage },
  howMade: {
    label: 'Show How It Was Made',
    icon: 'info',
    pages: inGallery,
    button: 'never',
    isLocal: true,
    applies: () => true,
  },
  markNotCharged: { label: 'Mark as Not Charged', icon: 'circle-slash', applies: isUnsettled },
  markCharged: { label: 'Mark as Charged', icon: 'check', applies: isUnsettled },
  removeMark: { label: 'Remove Mark', icon: 'discard', applies: isSettled },
  moveToTrash: {
    label: 'Move to Trash',
    icon: 'trash',
    pages: inGallery,
    button: 'never',
    isLocal: true,
    applies: isRemovable,
  },
  deleteGeneration: {
    label: 'Delete from Service',
    icon: 'cloud',
    applies: isDeletable,
  },
  forgetGeneration: {
    label: 'Delete from History',
    icon: 'eraser',
    applies: isRemovable,
  },
};

/** One action on renders. */
export interface RenderAction extends ActionRow {
  /** Also the name of its command, and the word in a tree item's context that enables it. */
  readonly id: ActionId;
}

/** All actions, in the order of the table. */
export const renderActions: readonly RenderAction[] = Object.entries(table).map(([id, row]) => ({
  id: id as ActionId,
  ...row,
}));

/** The actions that apply to a render now, in the order of the table. */
export function actionsOf(entry: LibraryEntry): readonly RenderAction[] {
  return renderActions.filter(({ applies }) => applies(entry));
}

/** Those of them that a page offers. */
export function actionsOn(page: ActionPage, entry: LibraryEntry): readonly RenderAction[] {
  return actionsOf(entry).filter(({ pages }) => pages?.includes(page));
}

/** Everything that a page offers, for display. `translated` translates the English labels. */
export function actionViews(page: ActionPage, translated: (english: string) => string): ActionView[] {
  const offered = renderActions.filter(({ pages }) => pages?.includes(page));
  return offered.map(({ id, label, icon, button }) => ({ id, label: translated(label), icon, button }));
}

/** The action that a page requests by this name; undefined when the page doesn't offer it. */
export function actionOn(page: ActionPage, id: string): ActionId | undefined {
  return renderActions.find((action) => action.id === id && action.pages?.includes(page))?.id;
}

export function canDo(id: ActionId, entry: LibraryEntry): boolean {
  return table[id].applies(entry);
}

/** See `ActionRow`. */
export function isLocal(id: ActionId): boolean {
  return table[id].isLocal ?? false;
}

/** In English. */
export function labelOf(id: ActionId): string {
  return table[id].label;
}

function hasResult({ file, textOutput }: LibraryEntry): boolean {
  return file !== undefined || textOutput !== undefined;
}

function isStaged({ record }: LibraryEntry): boolean {
  return record?.staged === true;
}

/** The path of a staged file doesn't matter before it's accepted. */
function hasOwnFile(entry: LibraryEntry): boolean {
  return entry.file !== undefined && !isStaged(entry);
}

function isImage(entry: LibraryEntry): boolean {
  return entry.file !== undefined && kindOf(entry) === 'image';
}

function isOwnPicture(entry: LibraryEntry): boolean {
  return isImage(entry) && !isStaged(entry);
}

function isRecordedImage(entry: LibraryEntry): boolean {
  return isOwnPicture(entry) && entry.modelId !== undefined;
}

/** Also while it waits for its turn. */
function isPlanned({ state }: LibraryEntry): boolean {
  return state === 'planned';
}

function isNotSent({ group }: LibraryEntry): boolean {
  return group === 'notSent';
}

function isUnknown({ state }: LibraryEntry): boolean {
  return state === 'unknown';
}

/** Another service is in use, or the same one at another URL: that one's response shows which. */
function isAway({ awayAt, group, generationId }: LibraryEntry): boolean {
  return awayAt !== undefined && group !== 'finished' && generationId !== undefined;
}

/** Only the user's word can settle an unconfirmed charge. */
function isSettled({ state, record }: LibraryEntry): boolean {
  return state === 'unknown' && record?.settled !== undefined;
}

function isUnsettled(entry: LibraryEntry): boolean {
  return isUnknown(entry) && !isSettled(entry);
}

function isPaidNotSaved({ group }: LibraryEntry): boolean {
  return group === 'paidNotSaved';
}

/** The image as it came, before it was fitted. */
function hasOriginal({ record }: LibraryEntry): boolean {
  return record?.spooled?.original !== undefined;
}

function isAtService({ group, state, status, generationId }: LibraryEntry): boolean {
  const succeeded = status === 'succeeded' && state !== 'unknown';
  return generationId !== undefined && succeeded && (group === 'finished' || group === 'paidNotSaved');
}

/** It has ended, and nothing that is paid for is left to save, review, or confirm. */
function isRemovable({ record }: LibraryEntry): boolean {
  return record !== undefined && isForgettable(record);
}

/** A new image is decided on first: deleted ones aren't listed, so nobody could review it. */
function isDeletable(entry: LibraryEntry): boolean {
  return entry.generationId !== undefined && entry.group !== 'active' && !isStaged(entry);
}

/** The service would reject it again as it is. */
function isRepeatable({ modelId, group, state, problem }: LibraryEntry): boolean {
  return modelId !== undefined && group === 'finished' && !(state === 'refused' && problem?.code === 'invalidInput');
}

function hasFailed({ modelId, group, state, status }: LibraryEntry): boolean {
  const end = state ?? status;
  const failed = end === 'failed' || end === 'refunded' || end === 'refused';
  return modelId !== undefined && group === 'finished' && failed;
}

function isTooDear(entry: LibraryEntry): boolean {
  return hasFailed(entry) && entry.problem?.code === 'balanceTooLow';
}

function isOverCap(entry: LibraryEntry): boolean {
  return hasFailed(entry) && entry.problem?.code === 'dailyCap';
}

export type GenerationKind = 'image' | 'text' | 'other';

/** The kind of a render's result, by the type of its bytes; undefined while no result was seen. */
export function kindOf(entry: LibraryEntry): GenerationKind | undefined {
  const kind = madeKind(entry);
  return kind === 'image' ? 'image' : kind;
}

/** How long the service took, ms; undefined when unknown: it hasn't ended, or was started elsewhere. */
export function tookMs({ record }: LibraryEntry): number | undefined {
  if (!record || record.attempt === 0 || record.acceptedAt === undefined || record.endedAt === undefined)
    return undefined;
  return Math.max(0, record.endedAt - record.acceptedAt);
}

/** An input as a text for a user: images by their files and formats, a line each. */
export function inputText(value: Json): string {
  if (isGivenImage(value)) return [value.file, formatNames([value.type])].filter(Boolean).join(' · ');
  if (hasGivenImage(value)) return itemsOf(value).map(inputText).join('\n');
  return typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
}
