import * as vscode from 'vscode';
import { Owned, type Disposable } from '../../base/disposable';
import type { ModelSummary } from '../../catalog/types';
import type { LibraryEntry } from '../../renders/library';
import { OrderDialog, type DialogParts } from '../quickRender/orderDialog';
import { priceOf } from '../renders/renderWords';
import { selectedNow, type Selected } from '../selected';
import type { Settings } from '../settings';
import { Answers } from './answers';
import { Instructions } from './instructions';

/** Sends selected text to a text model with an instruction, and offers what it answers as a change of the document. */
export class SendSelection implements Disposable {
  private readonly own = new Owned();
  private readonly instructions: Instructions;
  private readonly dialog: OrderDialog;
  /** What its commands decide about. */
  readonly answers = this.own.add(new Answers());

  constructor(
    private readonly parts: DialogParts,
    private readonly settings: Pick<Settings, 'notifications'>,
  ) {
    this.instructions = new Instructions(parts.memory);
    this.dialog = this.own.add(
      new OrderDialog(parts, {
        purpose: 'send',
        kind: 'text',
        lastModelKey: 'sendSelection.lastModel',
        among: textModels,
        typedBefore: () => this.instructions.read(),
      }),
    );
  }

  /** Asks what to do with the selection. Resolves when it is ordered. Rejects with UserError when nothing is selected, or nothing was ordered. */
  async open(): Promise<void> {
    const selected = selectedNow();
    const { dialog, parts } = this;
    const title = vscode.l10n.t('Send Selection to a Text Model');
    const order = await dialog.ask(title, { material: selected.passage.text });
    if (!order) return;
    const { prompt: instruction, model } = dialog.state;
    // The price stood on the row that was chosen.
    const record = await parts.renders.spend.render(order);
    if (!record) return;
    dialog.state.ordered(order);
    parts.renders.shows.set(record.key, (entry) => this.offer(entry, selected, model?.title ?? order.modelId));
    await this.instructions.keep(instruction);
  }

  dispose(): void {
    this.own.dispose();
  }

  /** True when there is an answer: then that is what is told. */
  private offer(entry: LibraryEntry, selected: Selected, model: string): boolean {
    const { id: key, textOutput: text = '' } = entry;
    if (text.trim() === '') return false;
    void this.answers.offer(
      { ...selected, key, text, model, cost: priceOf(entry) },
      this.settings.notifications !== 'always',
    );
    return true;
  }
}

/** The models that are said to make text; where none is, those of which nothing is said. */
function textModels(models: readonly ModelSummary[]): readonly ModelSummary[] {
  const texts = models.filter(({ kind }) => kind === 'text');
  return texts.length > 0 ? texts : models.filter(({ kind }) => kind === 'other');
}
