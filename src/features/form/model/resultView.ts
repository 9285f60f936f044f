import { oneLine } from '../../../base/plain';
import { type Model, promptOf, seedVariants } from '../../../catalog/fields';
import type { ActionId } from '../../../editor/ids';
import { fileNameOf } from '../../../files/names';
import { againCentsOf, type Library, type LibraryEntry } from '../../../renders/library';
import { mostCompared } from '../../../compose/varying';
import { variantCaptions } from '../../compare/model/comparison';
import { actionsOn, canDo, kindOf } from '../../rendering/model/actions';
import { isSpooled, isUnplaced } from '../../rendering/model/kept';
import type { FormStrings, ResultView } from '../page/formMessages';

/** Everything needed to show a result. */
export interface ResultViewDeps {
  readonly strings: FormStrings;
  readonly model: Model | undefined;
  /** What blocks the render, and the next step, in words. */
  blocker(entry: LibraryEntry): string | undefined;
  /** The URL of the entry's image in the webview; undefined when it has none that can be shown. */
  image(entry: LibraryEntry): string | undefined;
  /** How long such a render usually takes, ms; undefined when unknown. */
  usualMs(entry: LibraryEntry): number | undefined;
  /** Renders that the user is reminded of tomorrow. */
  readonly postponed: { has(key: string): boolean };
  /** True while the service isn't responding. */
  isOffline(): boolean;
  /** ms since 1970. */
  now(): number;
}

/** Only the beginning of a longer response is shown; the file has all of it. */
const mostText = 20_000;

/** One render as the form shows it. States about money only what the entry states. */
function resultView(entry: LibraryEntry, deps: ResultViewDeps): ResultView {
  const stage = stageOf(entry);
  const done = stage === 'done';
  const isStaged = entry.record?.staged;
  return {
    id: entry.id,
    stage,
    status: stage === 'active' && deps.isOffline() ? waitingOf(entry, deps.strings) : statusOf(entry, deps.strings),
    elapsedMs:
      stage === 'active' && entry.startedAt !== undefined ? Math.max(0, deps.now() - entry.startedAt) : undefined,
    usualMs: stage === 'active' ? deps.usualMs(entry) : undefined,
    shownCents: entry.shownCents,
    againCents: againCentsOf(entry),
    more: done ? moreOf(entry, deps.model) : undefined,
    // A refunded charge is no longer one.
    costCents: stage === 'active' || entry.state === 'refunded' ? undefined : entry.costCents,
    image: done ? deps.image(entry) : undefined,
    alt: done ? altOf(entry, deps) : undefined,
    text: done ? entry.textOutput?.slice(0, mostText) : undefined,
    textCut: done && (entry.textOutput?.length ?? 0) > mostText ? true : undefined,
    file:
      // The path of a staged file doesn't matter before it's accepted.
      done && entry.file !== undefined && !isStaged
        ? { name: fileNameOf(entry.file), uri: entry.file, bytes: entry.record?.spooled?.bytes }
        : undefined,
    isStaged,
    isUnplaced: isUnplaced(entry) || undefined,
    isFailed: (failures.has(entry.state) && entry.file === undefined) || undefined,
    problem: problemOf(entry, deps),
    actions: buttonsOf(entry).filter((id) => id !== 'startTomorrow' || !deps.postponed.has(entry.id)),
  };
}

/** How many more images a result offers. */
export const moreImages = 4;

/** Only what has a price of its own, and a seed to change. */
function moreOf(entry: LibraryEntry, model: Model | undefined): ResultView['more'] {
  const againCents = againCentsOf(entry);
  const isOffered = model && againCents !== undefined && kindOf(entry) === 'image' && canDo('renderAgain', entry);
  if (!isOffered || entry.record?.staged || isUnplaced(entry)) return undefined;
  const { length } = seedVariants(model.fields, entry.inputs, moreImages + 1, { unit: () => 0 });
  return length > moreImages ? { count: moreImages, cents: moreImages * againCents } : undefined;
}

/** Ends without a result, and not for want of an answer or a user's word. */
const failures: ReadonlySet<LibraryEntry['state']> = new Set(['failed', 'refunded', 'refused']);

function stageOf(entry: LibraryEntry): ResultView['stage'] {
  switch (entry.group) {
    case 'active':
      return 'active';
    case 'paidNotSaved':
      return 'done';
    case 'finished':
      return entry.file !== undefined || entry.state === 'saved' ? 'done' : 'ended';
    case 'notSent':
    case 'unknown':
      return 'ended';
  }
}

function statusOf(entry: LibraryEntry, strings: FormStrings): string {
  const { state, status, record } = entry;
  switch (state) {
    case 'planned':
      return entry.group === 'active' ? strings.stageInTurn : strings.stagePlanned;
    case 'sent':
      return strings.stageSending;
    case 'accepted':
      return status === undefined || status === 'queued' ? strings.stageQueued : `${oneLine(status, 40)} …`;
    case 'succeeded':
      return entry.group === 'paidNotSaved' ? strings.stageNotSaved : strings.stageSaving;
    case 'saved':
      return record?.staged
        ? strings.stageStaged.replace('{0}', () => oneLine(fileNameOf(record.target.replaces?.uri ?? ''), 60))
        : strings.stageSaved;
    case 'failed':
      return strings.stageFailed;
    case 'refunded':
      return entry.file === undefined ? strings.stageRefunded : strings.stageSaved;
    case 'refused':
      return strings.stageRefused;
    case 'unknown':
      return strings.stageUnknown;
    case 'discarded':
      return strings.stageDiscarded;
    case undefined:
      return status === undefined ? strings.stageUnknown : oneLine(status, 40);
  }
}

/** What a render in progress waits for during an outage: its last status is old. */
function waitingOf(entry: LibraryEntry, strings: FormStrings): string {
  return entry.state === 'sent' || entry.state === 'accepted' ? strings.stageWaiting : statusOf(entry, strings);
}

function problemOf(entry: LibraryEntry, deps: ResultViewDeps): string | undefined {
  if (isUnplaced(entry)) return undefined;
  const blocker = deps.blocker(entry);
  const ending = {
    failed: deps.strings.failedRefundFollows,
    refunded: entry.file === undefined ? undefined : deps.strings.savedRefunded,
    refused: deps.strings.nothingCharged,
    succeeded: entry.group === 'paidNotSaved' ? paidWords(entry, deps.strings) : undefined,
  };
  const own = ending[entry.state as keyof typeof ending];
  const reminder = deps.postponed.has(entry.id) ? deps.strings.reminder : undefined;
  return [own, blocker, reminder].filter(Boolean).join(' ') || undefined;
}

function paidWords(entry: LibraryEntry, strings: FormStrings): string {
  return isSpooled(entry) ? strings.resultKept : strings.resultNotDownloaded;
}

/** While the file exists, or is kept to be saved, nothing offers to bring it back. */
function buttonsOf(entry: LibraryEntry): ActionId[] {
  if (entry.group === 'active') return [];
  const isSaved = entry.file !== undefined;
  return actionsOn('form', entry)
    .filter(({ button }) => !isSaved || button === undefined || button === 'there')
    .filter(({ button }) => !isUnplaced(entry) || button !== 'gone')
    .map(({ id }) => id);
}

function altOf(entry: LibraryEntry, { strings, model }: ResultViewDeps): string {
  const title = model?.title ?? entry.modelId ?? '';
  const prompt = promptOf(model, entry.inputs);
  return strings.imageOf.replace(/\{[01]\}/g, (hole) => (hole === '{0}' ? title : prompt));
}

/** How many renders a form shows: all of one press. */
const mostResults = mostCompared;

/** The renders started in a form, the newest first. */
export class FormResults {
  private shown: string | undefined;

  constructor(
    private readonly library: Pick<Library, 'get'>,
    private newestFirst: readonly string[],
    private together: readonly string[] = [],
  ) {}

  /** Ids of the library. */
  get ids(): readonly string[] {
    return this.newestFirst;
  }

  /** Those of them that one press ordered together last, in their order; empty for none. */
  get variants(): readonly string[] {
    return this.together.filter((id) => this.newestFirst.includes(id));
  }

  /** `together`: all that were ordered with it, in their order. */
  add(key: string, together: readonly string[] = [key]): void {
    this.newestFirst = [key, ...this.newestFirst.filter((other) => other !== key)].slice(0, mostResults);
    if (together.length > 1) this.together = together;
  }

  /** Shows these no longer. What is left of several isn't to be chosen from any more if it's only one. */
  remove(keys: readonly string[]): void {
    const isLeft = (key: string) => !keys.includes(key);
    this.newestFirst = this.newestFirst.filter(isLeft);
    const left = this.together.filter(isLeft);
    this.together = left.length > 1 ? left : [];
  }

  /** Forgets what was shown: the page is gone. */
  forgetShown(): void {
    this.shown = undefined;
  }

  /** All results; undefined when they're shown already. Elapsed time is no change: the form counts it itself. */
  news(deps: ResultViewDeps): ResultView[] | undefined {
    const captions = this.captions(deps);
    const views = this.newestFirst.flatMap((id) => {
      const entry = this.library.get(id);
      const [caption, number] = [captions.get(id), this.together.indexOf(id) + 1];
      const variant = caption === undefined ? undefined : { number, caption };
      return entry ? [{ ...resultView(entry, deps), variant }] : [];
    });
    const shown = JSON.stringify(views.map((view) => ({ ...view, elapsedMs: undefined })));
    if (shown === this.shown) return undefined;
    this.shown = shown;
    return views;
  }

  /** Of those that one press ordered together: the number, the seed, and the options in which they differ. */
  private captions({ model, strings }: ResultViewDeps): ReadonlyMap<string, string> {
    const captions = variantCaptions(
      this.together.map((id) => this.library.get(id)?.inputs ?? {}),
      model?.fields ?? [],
      {
        seed: (seed) => strings.variantSeed.replace('{0}', String(seed)),
        option: (label, isOn) =>
          strings.variantOption.replace('{0}', () => label).replace('{1}', isOn ? strings.yes : strings.no),
      },
    );
    return new Map(this.together.map((id, index) => [id, captions[index] ?? '']));
  }
}
