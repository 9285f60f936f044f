import * as vscode from 'vscode';
import { systemClock } from '../base/clock';
import { type Disposable, Disposables } from '../base/disposable';

/** After this time the editor has begun to look up the words of the lenses in view, ms. */
const quietMs = 600;
/** Words that take longer don't hold back a change, ms. */
const longestMs = 10_000;

/**
 * CodeLenses whose words are looked up when they come into view. An editor that gets a new list while it looks up the
 * words of the old one shows lenses that don't respond to clicks, so a change waits until it has looked them up.
 */
export class SteadyLenses<Lens extends vscode.CodeLens> implements vscode.CodeLensProvider<Lens>, Disposable {
  private readonly own = new Disposables();
  private readonly changed = this.own.add(new vscode.EventEmitter<void>());
  private providedAt = -Infinity;
  private lookups = 0;
  private waiting: Disposable | undefined;

  readonly onDidChangeCodeLenses = this.changed.event;

  constructor(
    private readonly list: (document: vscode.TextDocument) => Promise<Lens[]>,
    private readonly withWords: (lens: Lens) => Promise<Lens>,
  ) {
    this.own.add({ dispose: () => this.waiting?.dispose() });
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<Lens[]> {
    const lenses = await this.list(document);
    this.providedAt = systemClock.ticks();
    return lenses;
  }

  async resolveCodeLens(lens: Lens): Promise<Lens> {
    this.lookups += 1;
    try {
      return await this.withWords(lens);
    } finally {
      this.lookups -= 1;
    }
  }

  /** Makes the editor request the lenses again, soon. */
  change(): void {
    if (this.waiting) return;
    const since = systemClock.ticks() - this.providedAt;
    if (since >= longestMs || (since >= quietMs && this.lookups === 0)) return this.changed.fire();
    this.waiting = systemClock.after(quietMs, () => {
      this.waiting = undefined;
      this.change();
    });
  }

  dispose(): void {
    this.own.dispose();
  }
}
