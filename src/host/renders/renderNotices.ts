import * as vscode from 'vscode';
import { Owned, type Disposable } from '../../base/disposable';
import type { Session } from '../../catalog/session';
import type { LibraryEntry } from '../../renders/library';
import { fileNameOf } from '../../files/fileName';
import { canDo } from '../../app/generations/actions';
import { type ActionId, commands, views } from '../../app/ids';
import { openBeside } from '../openBeside';
import { plain } from '../../base/plain';
import type { Settings } from '../settings';
import type { Renders } from './renders';
import { actionLabel, priceOf, shortSentence, story, titleOf } from './renderWords';

/** Tells how renders end, once each, as the person wants to be told; and shows quietly that some are under way. */
export class RenderNotices implements Disposable {
  private readonly own = new Owned();
  private finished: (() => void) | undefined;

  constructor(
    private readonly renders: Pick<Renders, 'library' | 'shows' | 'awaited'>,
    private readonly settings: Settings,
    private readonly session: Pick<Session, 'state' | 'refreshBalance'>,
  ) {
    const { library } = renders;
    this.own.add(library.onDidEnd((entry) => void this.tell(entry)));
    this.own.add(library.onDidFindSeveral((entry) => void this.tellSeveral(entry)));
    this.own.add(library.onDidChange(() => this.progress()));
    this.own.add({ dispose: () => this.finished?.() });
    this.progress();
  }

  dispose(): void {
    this.own.dispose();
  }

  private async tell(entry: LibraryEntry): Promise<void> {
    const isSeen = this.show(entry);
    if (this.settings.notifications === 'never' || this.isCallers(entry)) return;
    if (entry.state === 'saved') {
      if (this.settings.notifications === 'always' && !isSeen)
        await (entry.record?.staged ? tellStaged(entry) : this.tellSaved(entry));
    } else await this.tellFailed(entry);
  }

  /** True for what the caller of a command is told, and decides about. */
  private isCallers({ id, state, problem }: LibraryEntry): boolean {
    return this.renders.awaited.has(id) && (state === 'planned' || problem?.code === 'invalidInput');
  }

  /**
   * True when the result is before the person's eyes, and needs no further word. An answer is for reading: without a
   * way of its own it opens beside.
   */
  private show(entry: LibraryEntry): boolean {
    const { shows } = this.renders;
    const isSaved = entry.state === 'saved';
    const show = isSaved || entry.textOutput !== undefined ? shows.get(entry.id) : undefined;
    // Of a render that is not known to have ended the result may come yet.
    if (show || entry.group === 'finished') shows.delete(entry.id);
    if (show) return show(entry);
    // Where somebody is writing no page comes before it.
    if (entry.record?.staged && vscode.window.state.focused && !vscode.window.activeTextEditor) {
      void vscode.commands.executeCommand(commands.reviewStaged, entry.id);
      return true;
    }
    if (isSaved && entry.textOutput !== undefined) void openBeside(entry);
    return false;
  }

  private async tellSaved(entry: LibraryEntry): Promise<void> {
    const file = plain(vscode.workspace.asRelativePath(vscode.Uri.parse(entry.file ?? '')));
    const price = priceOf(entry);
    const sentence =
      price === undefined ? vscode.l10n.t('Saved {0}.', file) : vscode.l10n.t('Saved {0} · {1}', file, price);
    const actions = ['openResult', 'revealResult'] as const;
    const quieter = () => this.settings.showFailuresOnly();
    await offer(vscode.window.showInformationMessage, sentence, entry, actions, [
      [vscode.l10n.t('Don’t Show Again'), quieter],
    ]);
  }

  private async tellFailed(entry: LibraryEntry): Promise<void> {
    const told = (await this.shortStory(entry)) ?? story(entry) ?? '';
    const sentence = vscode.l10n.t('“{0}”: {1}', plain(titleOf(entry), 60), told);
    const form: ActionId = canDo('changeAndTryAgain', entry) ? 'changeAndTryAgain' : 'openInForm';
    const ways: ActionId[] = ['saveAs', 'downloadAgain', 'compareWithService', 'whatFits', 'startTomorrow', form];
    await offer(
      vscode.window.showWarningMessage,
      sentence,
      entry,
      ways.filter((action) => canDo(action, entry)),
      [[vscode.l10n.t('Show Log'), () => vscode.commands.executeCommand(commands.showLog)]],
    );
  }

  /** Money may have gone twice: told of also when only failures are. */
  private async tellSeveral(entry: LibraryEntry): Promise<void> {
    if (this.settings.notifications !== 'never') await this.tellFailed(entry);
  }

  /** By how much the balance is too low, where the service's own figures say so: the balance is asked for first. */
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

async function tellStaged(entry: LibraryEntry): Promise<void> {
  const name = plain(fileNameOf(entry.record?.target.replaces?.uri ?? ''), 60);
  const sentence = vscode.l10n.t('The new image for “{0}” is ready to review.', name);
  await offer(vscode.window.showInformationMessage, sentence, entry, ['reviewStaged']);
}

async function offer(
  show: (sentence: string, ...buttons: string[]) => Thenable<string | undefined>,
  sentence: string,
  entry: LibraryEntry,
  actions: readonly ActionId[],
  more: readonly (readonly [string, () => Thenable<unknown>])[] = [],
): Promise<void> {
  const run = (action: ActionId) => () => vscode.commands.executeCommand(commands[action], entry.id);
  const buttons = new Map([...actions.map((action) => [wordOf(action, entry), run(action)] as const), ...more]);
  const answer = await show(sentence, ...buttons.keys());
  if (answer !== undefined) await buttons.get(answer)?.();
}

/** A field that the service names is what is to be looked at. */
function wordOf(action: ActionId, { problem }: LibraryEntry): string {
  return action === 'changeAndTryAgain' && problem?.fields?.length ? vscode.l10n.t('Go to Field') : actionLabel(action);
}
