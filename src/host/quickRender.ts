import * as vscode from 'vscode';
import { systemClock } from '../base/clock';
import { Owned, type Disposable } from '../base/disposable';
import type { JsonObject } from '../base/json';
import { systemRandom } from '../base/random';
import { Rhythm } from '../base/rhythm';
import type { Session } from '../catalog/session';
import type { Field } from '../catalog/types';
import { promptOf } from '../documents/prompt';
import { shapeOf } from '../documents/shape';
import type { Order } from '../renders/record';
import { showProblem } from './commands';
import type { PriceWish } from './comparePrices';
import type { Connection } from './connection';
import type { DocumentLink } from './documentLinks';
import type { Countdown } from './countdown';
import { Drafts } from './drafts';
import { askField } from './fieldStep';
import { fileNameOf } from './fileName';
import { LastModel } from './lastModel';
import { linkPlace } from './linkPlace';
import { LiveOffer } from './liveOffer';
import type { ModelList } from './modelList';
import { pickModel } from './modelPicker';
import type { AtHand } from './modelSearch';
import { plain } from './plain';
import { showBox, type Step } from './quickRenderBox';
import { QuickRenderState, type Opening } from './quickRenderState';
import { renderAndInsert } from './renderAndInsert';
import type { Renders } from './renders';
import { sessionQuote } from './sessionQuote';
import { folderWords } from './targets';
import { remedyOf, UserError } from './userError';
import type { WhatFits } from './whatFits';
import { sentenceOf } from './words';

/** Where a quick render leads to, and what its models are chosen from. */
export interface QuickDoors {
  openForm(modelId: string, inputs?: JsonObject): Promise<void>;
  whatFits: WhatFits;
  /** As `ComparePrices.open`. */
  comparePrices(wish: PriceWish): Promise<boolean>;
  readonly list: ModelList;
  readonly atHand: AtHand;
}

/** One box for a prompt, from which a render is ordered with Enter. What was typed stays as long as the window. */
export class QuickRender implements Disposable {
  private readonly own = new Owned();
  private readonly state: QuickRenderState;
  private readonly rhythm = new Rhythm(systemClock);
  /** Numbers the openings: the editor shows one at a time. */
  private opened = 0;

  constructor(
    private readonly renders: Renders,
    private readonly session: Session,
    private readonly connection: Pick<Connection, 'start'>,
    memory: vscode.Memento,
    private readonly doors: QuickDoors,
    countdown: Countdown,
  ) {
    const quote = sessionQuote(session, { debounceMs: () => this.rhythm.restMs });
    this.state = this.own.add(
      new QuickRenderState({
        session,
        offer: new LiveOffer(quote, () => session.client?.account, systemRandom),
        drafts: new Drafts(memory, memory),
        lastModel: new LastModel(memory),
        clock: systemClock,
        start: () => connection.start(),
        defaultTarget: () => renders.targets.default(),
        countdown,
      }),
    );
  }

  /**
   * Asks for a prompt and renders it, into `folder` where one of the explorer is given. Resolves when the render is ordered or the
   * person has gone elsewhere. Rejects with UserError when nothing can be saved in the folder, or nothing was ordered.
   */
  async open(folder?: unknown): Promise<void> {
    const target = folder instanceof vscode.Uri ? this.renders.targets.at(folder) : undefined;
    const title = target
      ? vscode.l10n.t('Render into {0}', plain(folderWords(target) || '.', 80))
      : vscode.l10n.t('Quick Render');
    await this.show(title, { selection: selectedText(), target, place: linkPlace() });
  }

  /**
   * The same, and inserts a link to the result where the cursor is. Rejects with UserError where the active editor has no place for
   * one.
   */
  async openToInsert(): Promise<void> {
    const place = linkPlace();
    if (!place) {
      throw new UserError(
        vscode.l10n.t(
          'Put the cursor where the picture is to go: in a Markdown, HTML, JSX, Vue, Svelte, CSS, LaTeX, reStructuredText or AsciiDoc file of an open folder.',
        ),
      );
    }
    await this.show(vscode.l10n.t('Render and Insert'), { selection: selectedText(), place, inserting: true });
  }

  /** Asks for a prompt, and compares what it costs with which models. Otherwise as `open`. */
  async openToCompare(): Promise<void> {
    await this.show(vscode.l10n.t('Compare Prices'), { selection: selectedText(), comparing: true });
  }

  /** The same for a link whose image is not there: its words are the prompt, its file the target. Rejects as `open`. */
  async openFor({ link, file }: DocumentLink): Promise<void> {
    const target = this.renders.targets.file(file);
    const title = vscode.l10n.t('Render {0}', plain(fileNameOf(file.toString()), 80));
    await this.show(title, { selection: promptOf(link), target, size: shapeOf(link) });
  }

  dispose(): void {
    this.own.dispose();
  }

  private async show(title: string, opening: Opening): Promise<void> {
    this.opened += 1;
    const turn = this.opened;
    this.state.open(opening);
    try {
      while (await this.go(await this.ask(title)));
    } finally {
      if (turn === this.opened) this.state.close();
    }
  }

  private ask(title: string): Promise<Step | undefined> {
    return showBox({
      state: this.state,
      title,
      targets: this.renders.targets,
      onType: () => this.rhythm.beat(),
      refreshBalance: () => void this.session.refreshBalance(),
    });
  }

  /** True when the box is to be shown again. */
  private async go(step: Step | undefined): Promise<boolean> {
    switch (step?.to) {
      case undefined:
        return false;
      case 'order':
        await this.order(step.order);
        return false;
      case 'form':
        await this.openForm();
        return false;
      case 'model':
        return andBack(this.chooseModel());
      case 'fits':
        return andBack(this.fit());
      case 'compare':
        return this.compare();
      case 'field':
        return andBack(this.change(step.field, step.problem));
      case 'target':
        return andBack(this.chooseTarget());
      case 'command':
        await vscode.commands.executeCommand(step.command);
        return true;
    }
  }

  private async order(order: Order): Promise<void> {
    const place = this.state.insertsAt;
    // The price stood on the row that was chosen.
    const record = await (place ? renderAndInsert(order, place, this.renders) : this.renders.spend.render(order));
    if (record) this.state.ordered(order);
  }

  /** With nothing typed the form is opened as it was left: it may hold a draft. */
  private async openForm(): Promise<void> {
    const { model, prompt, inputs } = this.state;
    if (model) await this.doors.openForm(model.id, prompt.trim() === '' ? undefined : inputs);
  }

  private async chooseModel(): Promise<void> {
    const { list, atHand } = this.doors;
    const listed = async () => {
      await this.connection.start();
      return list.read();
    };
    const model = await pickModel(listed, atHand, true);
    if (model) this.state.choose(model.id);
  }

  private async fit(): Promise<void> {
    const { model, inputs } = this.state;
    const fit = model && (await this.doors.whatFits(model.id, inputs));
    if (fit) this.state.fill(fit.model.id, fit.inputs);
  }

  /** False once something was ordered. */
  private async compare(): Promise<boolean> {
    const { model, inputs, target } = this.state;
    try {
      if (!model || !(await this.doors.comparePrices({ modelId: model.id, inputs, target }))) return true;
      this.state.used();
      return false;
    } catch (error) {
      tell(error);
      return true;
    }
  }

  private async change(field: Field, problem: string | undefined): Promise<void> {
    const value = await askField(field, this.state.valueOf(field), problem);
    if (value !== undefined) this.state.set(field, value);
  }

  private async chooseTarget(): Promise<void> {
    const target = await this.renders.targets.choose(this.state.target);
    if (target) this.state.aim(target);
  }
}

/** True: whatever comes of the step, the box is shown again. What goes wrong in it is told. */
async function andBack(step: Promise<void>): Promise<true> {
  try {
    await step;
  } catch (error) {
    tell(error);
  }
  return true;
}

function tell(error: unknown): void {
  void showProblem(sentenceOf(error), remedyOf(error));
}

function selectedText(): string {
  const editor = vscode.window.activeTextEditor;
  return editor ? editor.document.getText(editor.selection) : '';
}
