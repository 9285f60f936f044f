import type { Clock } from '../../../base/clock';
import type { Disposable } from '../../../base/disposable';
import type { Drafts, FormDraft } from '../../models/model/drafts';

/** Pause in typing before the values are stored, ms. */
const keepAfterMs = 250;

/** Stores the draft of one form, so that nothing that was typed is lost. */
export class DraftKeeper {
  private pending: Disposable | undefined;

  constructor(
    private readonly modelId: string,
    private readonly world: { readonly drafts: Drafts; readonly clock: Clock },
    /** What the form contains now; undefined before it has values. */
    private readonly content: () => Omit<FormDraft, 'at'> | undefined,
  ) {}

  /** The form changed, perhaps with more changes to come. */
  soon(): void {
    this.pending?.dispose();
    this.pending = this.world.clock.after(keepAfterMs, () => this.now());
  }

  /** There may be no later. */
  now(): void {
    this.pending?.dispose();
    const content = this.content();
    if (content) void this.world.drafts.keep(this.modelId, { ...content, at: this.world.clock.now() });
  }
}
