import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../base/disposable';
import type { LibraryEntry } from '../../renders/library';
import type { RenderRecord } from '../../renders/record';
import { ofKind } from '../models/model/lastModel';
import type { LoadedFoundation, Verbs } from '../../foundation';
import { OrderDialog } from '../quickRender/orderDialog';
import { priceOf } from '../rendering/renderWords';
import { selectedNow } from '../../editor/selected';
import { type ExpectedResponse, Responses } from './responses';
import { Instructions } from '../../compose/instructions';

/** Sends selected text to a text model with an instruction, and offers its response as a change of the document. */
export class SendSelection implements Disposable {
  private readonly own = new Disposables();
  private readonly instructions: Instructions;
  private readonly dialog: OrderDialog;
  /** The responses of renders that aren't over, by key. */
  private readonly expected = new Map<string, ExpectedResponse>();
  /** The responses to decide on. */
  readonly responses = this.own.add(new Responses());

  constructor(
    private readonly foundation: LoadedFoundation,
    verbs: Verbs,
  ) {
    this.instructions = new Instructions(foundation.memory.globalState);
    this.dialog = this.own.add(
      new OrderDialog(foundation, verbs, {
        purpose: 'send',
        kind: 'text',
        lastModelKey: 'sendSelection.lastModel',
        models: { among: (models) => ofKind(models, 'text') },
        typedBefore: () => this.instructions.read(),
      }),
    );
    this.own.add(foundation.renders.library.onDidMove(({ now }) => this.follow(now)));
  }

  /**
   * Asks what to do with the selection. Resolves when it's ordered. Rejects with UserError when nothing is selected, or
   * nothing was ordered.
   */
  async open(): Promise<void> {
    const selected = selectedNow();
    const { dialog } = this;
    const { renders } = this.foundation;
    const title = vscode.l10n.t('Send Selection to Text Model');
    const [order] = (await dialog.ask(title, { material: selected.passage.text })) ?? [];
    if (!order) return;
    const { prompt: instruction, initiator, draft } = dialog.state;
    const { model } = draft;
    // The price was on the chosen row.
    const record = await renders.orders.render(order, initiator);
    if (!record) return;
    dialog.state.ordered(order);
    const expected = { ...selected, key: record.key, model: model?.title ?? order.modelId };
    this.expected.set(record.key, expected);
    this.responses.expect(expected);
    renders.shows.set(record.key, (entry) => this.offer(entry, expected));
    await this.instructions.keep(instruction);
  }

  dispose(): void {
    this.own.dispose();
  }

  /** A render may also fail, be rejected, or be discarded: then no response is expected at its passage. */
  private follow({ key }: RenderRecord): void {
    const expected = this.expected.get(key);
    if (!expected) return;
    const entry = this.foundation.renders.library.ofRecord(key);
    if (entry?.group !== 'finished') return;
    this.expected.delete(key);
    if (entry.textOutput === undefined) this.responses.expectNoMore(expected);
  }

  /** True when there is a response: that replaces the notification. */
  private offer(entry: LibraryEntry, expected: ExpectedResponse): boolean {
    const { textOutput: text = '' } = entry;
    const isAwaited = this.responses.expectNoMore(expected);
    if (text.trim() === '' || !isAwaited) return false;
    const { notifications } = this.foundation.settings;
    void this.responses.offer({ ...expected, text, cost: priceOf(entry) }, notifications);
    return true;
  }
}
