import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../base/disposable';
import { reasonOf } from '../../base/log';
import type { Disk } from '../../files/disk';
import type { Ledger } from '../../renders/ledger';
import { LedgerError } from '../../renders/ledgerError';
import { settle, unsettled } from '../../renders/openLedger';
import { showProblem } from '../../editor/commands';
import { plain } from '../../base/plain';
import { ledgerSentence, remedyOf, sentenceOf } from '../../editor/words';

/** Everything a user must know about the ledger, and decide when it was damaged: until then nothing is rendered. */
export class LedgerState implements Disposable {
  private readonly own = new Disposables();
  private readonly changed = this.own.add(new vscode.EventEmitter<void>());
  private asking: Promise<boolean> | undefined;

  /** `sentences` changed. */
  readonly onDidChange = this.changed.event;

  private constructor(
    private readonly ledger: Ledger,
    private readonly folder: string,
    private readonly disk: Disk,
    /** Damaged ledgers that the user hasn't dismissed yet. */
    private damaged: readonly string[],
  ) {}

  static async of(ledger: Ledger, folder: string, disk: Disk): Promise<LedgerState> {
    return new LedgerState(ledger, folder, disk, await unsettled(folder, disk));
  }

  /** The messages above the renders while they apply. */
  get sentences(): string[] {
    const { readOnly, trouble } = this.ledger;
    const damaged = this.damaged.map((path) => damagedSentence(path));
    if (readOnly) return [...damaged, ledgerSentence(new LedgerError('newer', ''))];
    return trouble ? [...damaged, troubleSentence(trouble)] : damaged;
  }

  /** Shows the messages as notifications too, and from now on new ones while a render is in progress. */
  tell(isUnderWay: () => boolean): void {
    if (this.damaged.length > 0)
      this.offer().catch((error: unknown) => showProblem(sentenceOf(error), remedyOf(error)));
    if (this.ledger.readOnly) void showProblem(ledgerSentence(new LedgerError('newer', '')));
    this.own.add(
      this.ledger.onDidChangeTrouble(() => {
        const { trouble } = this.ledger;
        const isTold = trouble && (isLost(trouble) || (trouble.code !== 'newer' && isUnderWay()));
        if (isTold) void showProblem(troubleSentence(trouble));
        this.changed.fire();
      }),
    );
  }

  /**
   * True when nothing prevents a render, if necessary after the user agreed to start a new history. Concurrent
   * callers share the answer.
   */
  settled(): Promise<boolean> {
    if (this.damaged.length === 0) return Promise.resolve(true);
    this.asking ??= this.ask().finally(() => (this.asking = undefined));
    return this.asking;
  }

  dispose(): void {
    this.own.dispose();
  }

  private async ask(): Promise<boolean> {
    // Dismissed in another window meanwhile?
    this.damaged = await unsettled(this.folder, this.disk);
    const last = this.damaged.at(-1);
    if (last === undefined) return this.done();
    const goOn = vscode.l10n.t('Start New History');
    const detail = vscode.l10n.t(
      'The damaged history is kept, unchanged, as {0}. Renders that were in progress there aren’t continued. The service’s own list may show them. Use “Refresh Models and Renders” before you render the same thing again.',
      plain(last, 400),
    );
    const question = vscode.l10n.t('Start a new render history?');
    const answer = await vscode.window.showWarningMessage(question, { modal: true, detail }, goOn);
    return answer === goOn && this.goOn();
  }

  private async offer(): Promise<void> {
    const goOn = vscode.l10n.t('Start New History');
    const answer = await vscode.window.showWarningMessage(damagedSentence(this.damaged.at(-1) ?? ''), goOn);
    if (answer === goOn) await this.goOn();
  }

  private async goOn(): Promise<boolean> {
    await settle(this.damaged, this.disk);
    return this.done();
  }

  private done(): boolean {
    this.damaged = [];
    this.changed.fire();
    return true;
  }
}

function damagedSentence(path: string): string {
  return vscode.l10n.t(
    'The render history is damaged, and is kept unchanged as {0}. To render again, start a new history.',
    plain(path, 400),
  );
}

/** Later windows won't use it: that affects everything rendered here. */
function isLost({ code }: LedgerError): boolean {
  return code === 'setAside' || code === 'gone';
}

function troubleSentence(trouble: LedgerError): string {
  if (isLost(trouble) || trouble.code === 'inUse') return ledgerSentence(trouble);
  return trouble.code === 'full'
    ? vscode.l10n.t(
        'The disk is full, so the render history can’t be saved. Free up space, and renders in progress continue.',
      )
    : vscode.l10n.t(
        'Couldn’t save the render history: {0}. Renders in progress continue once the disk and its permissions allow it.',
        plain(reasonOf(trouble)),
      );
}
