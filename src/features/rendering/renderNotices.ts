import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { type Disposable, Disposables } from '../../base/disposable';
import type { Failure } from '../../base/concurrency';
import { plain } from '../../base/plain';
import { promptOf } from '../../catalog/fields';
import type { Session } from '../../catalog/session';
import { showProblem } from '../../editor/commands';
import { type ActionId, commands, views } from '../../editor/ids';
import { isRenamed } from '../../editor/workspaceFiles';
import { openBeside } from '../../editor/openBeside';
import type { Settings } from '../../editor/settings';
import { sentenceOf } from '../../editor/words';
import { fileNameOf } from '../../files/names';
import type { Library, LibraryEntry, Recognition } from '../../renders/library';
import type { RenderRecord } from '../../renders/record';
import { canDo } from './model/actions';
import { SavedAtOnce } from './model/savedTogether';
import { isUnplaced } from './model/kept';
import { actionLabel, priceOf, shortSentence, standing, story, titleOf, totalPriceOf } from './renderWords';
import type { Renders } from './renders';

/** Reports the end of each render once, as the settings say, and shows in the Status Bar that some are in progress. */
export class RenderNotices implements Disposable {
  private readonly own = new Disposables();
  private readonly saved: SavedAtOnce;
  private finished: (() => void) | undefined;

  constructor(
    private readonly renders: Renders,
    private readonly settings: Settings,
    private readonly session: Session,
  ) {
    const { library } = renders;
    const inProgress = () => library.activeCount;
    this.saved = this.own.add(new SavedAtOnce(systemClock, inProgress, (entries) => void this.tellSaved(entries)));
    this.own.add(library.onDidEnd((entry) => void this.tell(entry)));
    this.own.add(library.onDidFindSeveral((entry) => void this.tellSeveral(entry)));
    this.own.add(library.onDidRecognize((recognition) => void this.tellRecognized(recognition)));
    this.own.add(library.onDidChange(() => this.progress()));
    this.own.add({ dispose: () => this.finished?.() });
    this.progress();
  }

  dispose(): void {
    this.own.dispose();
  }

  private async tell(entry: LibraryEntry): Promise<void> {
    const { notifications } = this.settings;
    const isSeen = this.show(entry) || (notifications === 'unseen' && isInEditor(entry));
    if (notifications === 'never' || this.isCallers(entry)) return;
    if (entry.state === 'saved') {
      // Where a link has another name, the question about that link says it.
      if (entry.record?.spooled?.fitted === false && !isRenamed(entry)) await tellUnfitted(entry);
      else if (notifications !== 'failures' && !isSeen && !isRenamed(entry)) {
        if (entry.record?.staged) await tellStaged(entry);
        else this.saved.add(entry);
      }
    } else if (isUnplaced(entry)) {
      if (!isSeen) await tellUnplaced(entry);
    } else if (!isSeen || notifications !== 'unseen') await this.tellFailed(entry);
  }

  /** True for outcomes that the caller of a command gets, and decides about. */
  private isCallers({ id, state, problem }: LibraryEntry): boolean {
    return this.renders.awaited.has(id) && (state === 'planned' || problem?.code === 'invalidInput');
  }

  /**
   * True when the result is already visible and needs no notification: by who ordered it, or by a page that shows all.
   * A text response opens next to the editor unless it's shown otherwise.
   */
  private show(entry: LibraryEntry): boolean {
    const { shows } = this.renders;
    const isSaved = entry.state === 'saved';
    const show = isSaved || entry.textOutput !== undefined ? shows.get(entry.id) : undefined;
    // A render that hasn't certainly ended may still get its result.
    if (show || entry.group === 'finished') shows.delete(entry.id);
    if (show) return show(entry);
    // Don't open a page over an editor that someone is writing in.
    if (entry.record?.staged && vscode.window.state.focused && !vscode.window.activeTextEditor) {
      void vscode.commands.executeCommand(commands.reviewStaged, entry.id);
      return true;
    }
    if (isSaved && entry.textOutput !== undefined) void openBeside(entry);
    return [...this.renders.viewers].some((shows) => shows(entry));
  }

  private tellSaved([entry, ...others]: readonly LibraryEntry[]): Promise<void> {
    const quieter = () => this.settings.showFailuresOnly();
    const fewer = [vscode.l10n.t('Don’t Show Again'), quieter] as const;
    if (!entry) return Promise.resolve();
    return others.length > 0 ? tellSeveralSaved([entry, ...others], fewer) : tellOneSaved(entry, fewer);
  }

  private async tellFailed(entry: LibraryEntry): Promise<void> {
    const told = (await this.shortStory(entry)) ?? story(entry) ?? '';
    const sentence = vscode.l10n.t('“{0}”: {1}', plain(titleOf(entry), 60), told);
    const form: ActionId = canDo('changeAndTryAgain', entry) ? 'changeAndTryAgain' : 'openInForm';
    const ways: ActionId[] = ['saveAs', 'downloadAgain', 'resolve', 'compareWithService'];
    ways.push('whatFits', 'startTomorrow', form);
    await offer(
      vscode.window.showWarningMessage,
      sentence,
      entry,
      ways.filter((action) => canDo(action, entry)),
      isOnlyInLog(entry) ? [showLog()] : [],
    );
  }

  /** Possibly charged twice: reported even when only failures are. */
  private async tellSeveral(entry: LibraryEntry): Promise<void> {
    if (this.settings.notifications !== 'never') await this.tellFailed(entry);
  }

  private async tellRecognized(recognition: Recognition): Promise<void> {
    if (this.settings.notifications === 'never') return;
    await (recognition.isCertain ? tellMoved : askAboutService)(recognition, this.renders.library);
  }

  /** How much the balance lacks, by the service's own figures: refreshes the balance first. */
  private async shortStory({ state, problem, shownCents }: LibraryEntry): Promise<string | undefined> {
    if (state !== 'refused' || problem?.code !== 'balanceTooLow') return undefined;
    await this.session.refreshBalance();
    const { balance } = this.session.state;
    return balance && shownCents !== undefined && shownCents > balance.cents
      ? shortSentence(balance.cents, shownCents)
      : undefined;
  }

  private progress(): void {
    const active = this.renders.library.activeCount > 0;
    if (active && !this.finished) {
      const over = new Promise<void>((resolve) => (this.finished = resolve));
      void vscode.window.withProgress({ location: { viewId: views.generations } }, () => over);
    } else if (!active) {
      this.finished?.();
      this.finished = undefined;
    }
  }
}

type Button = readonly [string, () => Thenable<unknown>];

async function tellOneSaved(entry: LibraryEntry, fewer: Button): Promise<void> {
  const file = plain(vscode.workspace.asRelativePath(vscode.Uri.parse(entry.file ?? '')));
  const price = priceOf(entry);
  const sentence =
    price === undefined ? vscode.l10n.t('Saved {0}.', file) : vscode.l10n.t('Saved {0} · {1}', file, price);
  await offer(vscode.window.showInformationMessage, sentence, entry, ['openResult', 'revealResult'], [fewer]);
}

async function tellSeveralSaved(entries: readonly LibraryEntry[], fewer: Button): Promise<void> {
  const price = totalPriceOf(entries);
  const sentence =
    price === undefined
      ? vscode.l10n.t('Saved {0} renders.', entries.length)
      : vscode.l10n.t('Saved {0} renders · {1}', entries.length, price);
  const open = [vscode.l10n.t('Open Gallery'), () => vscode.commands.executeCommand(commands.openGallery)] as const;
  await choose(vscode.window.showInformationMessage, sentence, [open, fewer]);
}

/** Two URLs count as one service from now on: their renders and limits are the same ones. */
async function tellMoved({ place, renders }: Recognition, library: Library): Promise<void> {
  const from = plain(place, 80);
  const apart = vscode.l10n.t('Keep Separate');
  const sentence =
    renders === 1
      ? vscode.l10n.t('This service has your render from {0}. Both URLs now count as one service.', from)
      : vscode.l10n.t(
          'This service has {0} of your renders from {1}. Both URLs now count as one service.',
          renders,
          from,
        );
  if ((await vscode.window.showInformationMessage(sentence, apart)) === apart) await keepSeparate(place, library);
}

/** Asks whether the service in use is that of another URL, since the IDs of renders alone don't prove it. */
export async function askAboutService({ place, renders }: Recognition, library: Library): Promise<void> {
  const from = plain(place, 80);
  const [join, apart] = [vscode.l10n.t('Treat as One Service'), vscode.l10n.t('Keep Separate')];
  const sentence =
    renders === 1
      ? vscode.l10n.t('This service has a render with the ID of yours from {0}. Is it the same service?', from)
      : vscode.l10n.t(
          'This service has {0} renders with IDs of yours from {1}. Is it the same service?',
          renders,
          from,
        );
  const answer = await vscode.window.showInformationMessage(sentence, join, apart);
  if (answer === join) library.settleService(place, true);
  else if (answer === apart) await keepSeparate(place, library);
}

/** What is over there isn't shown anymore, so this is the place to undo it. */
async function keepSeparate(place: string, library: Library): Promise<void> {
  library.settleService(place, false);
  const undo = vscode.l10n.t('Undo');
  const sentence = vscode.l10n.t('Renders from {0} are shown while you’re connected to it.', plain(place, 80));
  if ((await vscode.window.showInformationMessage(sentence, undo)) === undo) library.settleService(place, true);
}

async function tellUnplaced(entry: LibraryEntry): Promise<void> {
  const sentence = vscode.l10n.t('“{0}” isn’t saved yet.', plain(titleOf(entry), 60));
  await offer(vscode.window.showInformationMessage, sentence, entry, ['saveAs'], []);
}

async function tellStaged(entry: LibraryEntry): Promise<void> {
  const name = plain(fileNameOf(entry.record?.target.replaces?.uri ?? ''), 60);
  const sentence = vscode.l10n.t('The new image for “{0}” is ready to review.', name);
  await offer(vscode.window.showInformationMessage, sentence, entry, ['reviewStaged']);
}

/** Reported even when only failures are: the file isn't what its link or entry states. */
async function tellUnfitted(entry: LibraryEntry): Promise<void> {
  const { staged, target } = entry.record ?? {};
  const name = plain(fileNameOf((staged ? target?.replaces?.uri : entry.file) ?? ''), 60);
  const sentence = vscode.l10n.t('“{0}” couldn’t be fitted, so it was saved as it came.', name);
  await offer(vscode.window.showWarningMessage, sentence, entry, [staged ? 'reviewStaged' : 'openResult']);
}

/** True when the log has more about the problem than the sentence. */
function isOnlyInLog({ problem }: LibraryEntry): boolean {
  return problem?.code === 'unreadable' || problem?.code === 'notRecorded';
}

/** True for a saved result that a visible editor shows: the file itself, or a text that names it. */
export function isInEditor({ state, file, record }: LibraryEntry): boolean {
  if (state !== 'saved' || file === undefined || record?.staged) return false;
  const uri = vscode.Uri.parse(file, true).toString();
  const inputs = vscode.window.tabGroups.all.map(({ activeTab }) => activeTab?.input);
  const isOpen = inputs.some(
    (input) =>
      (input instanceof vscode.TabInputText || input instanceof vscode.TabInputCustom) && input.uri.toString() === uri,
  );
  const name = fileNameOf(file);
  return (
    isOpen ||
    vscode.window.visibleTextEditors.some(({ document }) => {
      const text = document.uri.scheme === 'output' ? '' : document.getText();
      return text.includes(name) || text.includes(encodeURI(name));
    })
  );
}

function showLog(): Button {
  return [vscode.l10n.t('Show Log'), () => vscode.commands.executeCommand(commands.showLog)];
}

type Show = (sentence: string, ...buttons: string[]) => Thenable<string | undefined>;

/** Shows a sentence about a render with buttons for what can be done to it, and does it. */
async function offer(
  show: Show,
  sentence: string,
  entry: LibraryEntry,
  actions: readonly ActionId[],
  more: readonly Button[] = [],
): Promise<void> {
  const run = (action: ActionId) => () => vscode.commands.executeCommand(commands[action], entry.id);
  await choose(show, sentence, [...actions.map((action) => [wordOf(action, entry), run(action)] as const), ...more]);
}

async function choose(show: Show, sentence: string, buttons: readonly Button[]): Promise<void> {
  const ways = new Map(buttons);
  const answer = await show(sentence, ...ways.keys());
  if (answer !== undefined) await ways.get(answer)?.();
}

/** A field that the service names should be looked at. */
function wordOf(action: ActionId, { problem }: LibraryEntry): string {
  return action === 'changeAndTryAgain' && problem?.fields?.length ? vscode.l10n.t('Go to Field') : actionLabel(action);
}

/** An image that isn't ordered, since it has a render that isn't over. */
export interface PendingImage {
  /** The name of its file. */
  readonly name: string;
  /** The ID of that render. */
  readonly id: string;
}

/** Says what these images wait for, and offers what can be done about it. */
export async function tellPending(images: readonly PendingImage[], library: Library): Promise<void> {
  const [first, ...others] = images;
  if (!first) return;
  if (others.length > 0) return tellSeveral(images.length);
  const entry = library.get(first.id);
  const sentence = pendingSentence(first.name, entry);
  if (!entry || entry.group === 'active') return void vscode.window.showInformationMessage(sentence);
  const ways: ActionId[] = ['reviewStaged', 'sendPlanned', 'discardPlanned', 'saveAs', 'downloadAgain'];
  const possible = [...ways, 'resolve' as const, 'compareWithService' as const].filter((action) =>
    canDo(action, entry),
  );
  const { showInformationMessage, showWarningMessage } = vscode.window;
  await offer(entry.record?.staged ? showInformationMessage : showWarningMessage, sentence, entry, possible);
}

/** What the image of a file with this name waits for; without an entry, a render that is hidden by now. */
export function pendingSentence(name: string, entry: LibraryEntry | undefined): string {
  const shown = plain(name, 60);
  if (!entry || entry.group === 'active') return vscode.l10n.t('“{0}” is already in progress.', shown);
  return entry.record?.staged
    ? vscode.l10n.t('The new image for “{0}” is ready to review.', shown)
    : vscode.l10n.t('“{0}”: {1}', shown, story(entry) ?? standing(entry));
}

async function tellSeveral(count: number): Promise<void> {
  const show = vscode.l10n.t('Show Generations View');
  const sentence = vscode.l10n.t('{0} images are in progress or waiting for your decision.', count);
  if ((await vscode.window.showInformationMessage(sentence, show)) === show)
    await vscode.commands.executeCommand(`${views.generations}.focus`);
}

/**
 * Reports what failed among `all` renders, and why the first one did. Throws a single render's failure, like any
 * command. Never waits for the user.
 */
export function tellFailures(
  failures: readonly Failure<LibraryEntry>[],
  all: number,
  summary: (failed: number, all: number) => string,
): void {
  const [first] = failures;
  if (!first) return;
  if (all === 1) throw first.error;
  const reason = vscode.l10n.t('“{0}”: {1}', plain(titleOf(first.thing), 60), sentenceOf(first.error));
  void showProblem(`${summary(failures.length, all)} ${reason}`);
}

/**
 * Asks whether to start, on the next day, what the daily cap rejected. Each is priced again and shown with that price
 * before it's ordered; a no to one ends it. They stay in the Generations view either way.
 */
export async function askAboutKept(records: readonly RenderRecord[]): Promise<void> {
  const start = records.length === 1 ? vscode.l10n.t('Render Again…') : vscode.l10n.t('Render All Again…');
  const [first] = records;
  const title = first ? plain(promptOf(undefined, first.inputs) || first.modelId, 60) : '';
  const sentence =
    records.length === 1
      ? vscode.l10n.t('You postponed “{0}” until today because the API key had reached its daily cap.', title)
      : vscode.l10n.t(
          'You postponed {0} renders until today because the API key had reached its daily cap.',
          records.length,
        );
  if ((await vscode.window.showInformationMessage(sentence, start)) !== start) return;
  for (const { key } of records)
    // Not as a click of ours: today's price isn't on screen yet.
    if ((await vscode.commands.executeCommand(commands.renderAgain, { id: key })) === undefined) return;
}
