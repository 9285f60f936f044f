import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { Owned, type Disposable } from '../../base/disposable';
import { systemRandom } from '../../base/random';
import { Rhythm } from '../../base/rhythm';
import type { Session } from '../../catalog/session';
import type { Field, ModelKind, ModelSummary } from '../../catalog/types';
import type { Order } from '../../renders/record';
import type { Connection } from '../account/connection';
import { showProblem } from '../commands';
import type { Countdown } from '../countdown';
import type { OpenForm } from '../form/openForm';
import { Drafts, type Store } from '../models/drafts';
import { LastModel } from '../models/lastModel';
import type { ModelList } from '../models/modelList';
import { pickModel } from '../models/modelPicker';
import type { AtHand } from '../models/modelSearch';
import { LiveOffer } from '../prices/liveOffer';
import type { PriceWish } from '../prices/priceWish';
import { sessionQuote } from '../prices/sessionQuote';
import type { WhatFits } from '../prices/whatFits';
import type { Renders } from '../renders/renders';
import { remedyOf } from '../userError';
import { sentenceOf } from '../words';
import { askField } from './fieldStep';
import { showBox, type Step } from './quickRenderBox';
import { QuickRenderState, type Opening } from './quickRenderState';
import type { Purpose } from './quickRenderWords';

/** Where the box leads to, and what its models are chosen from. */
export interface QuickDoors {
  readonly openForm: OpenForm;
  whatFits: WhatFits;
  /** As `ComparePrices.open`. */
  comparePrices(wish: PriceWish): Promise<boolean>;
  readonly list: ModelList;
  readonly atHand: AtHand;
}

/** What a dialog is made of. */
export interface DialogParts {
  readonly renders: Renders;
  readonly session: Session;
  readonly connection: Pick<Connection, 'start'>;
  readonly memory: Store;
  readonly doors: QuickDoors;
  readonly countdown: Countdown;
}

/** What a dialog is for. */
export interface DialogUse {
  readonly purpose: Purpose;
  /** What its models make. */
  readonly kind: ModelKind;
  /** Under which name its last model is kept; that of the quick render when left out. */
  readonly lastModelKey?: string;
  /** Which models can be chosen; all of them when left out. */
  readonly among?: (models: readonly ModelSummary[]) => readonly ModelSummary[];
  /** Texts that were typed before and can be had again, the last one first. */
  readonly typedBefore?: () => readonly string[];
}

/** One box in which an order comes to be: a text, a model, its fields and a place. What was typed stays as long as the window. */
export class OrderDialog implements Disposable {
  private readonly own = new Owned();
  private readonly rhythm = new Rhythm(systemClock);
  /** Numbers the openings: the editor shows one at a time. */
  private opened = 0;
  readonly state: QuickRenderState;

  constructor(
    private readonly parts: DialogParts,
    private readonly use: DialogUse,
  ) {
    const { session, connection, memory, countdown, renders } = parts;
    const quote = sessionQuote(session, { debounceMs: () => this.rhythm.restMs });
    this.state = this.own.add(
      new QuickRenderState({
        session,
        offer: new LiveOffer(quote, () => session.client?.account, systemRandom),
        drafts: new Drafts(memory, memory),
        lastModel: new LastModel(memory, use.lastModelKey),
        kind: use.kind,
        clock: systemClock,
        start: () => connection.start(),
        defaultTarget: () => renders.targets.default(),
        countdown,
      }),
    );
  }

  /** The order whose price stood on the row that was chosen; undefined when the person has gone elsewhere. */
  async ask(title: string, opening: Opening): Promise<Order | undefined> {
    this.opened += 1;
    const turn = this.opened;
    this.state.open(opening);
    try {
      for (;;) {
        const step = await this.show(title);
        if (step?.to === 'order') return step.order;
        if (!step || !(await this.go(step))) return undefined;
      }
    } finally {
      if (turn === this.opened) this.state.close();
    }
  }

  dispose(): void {
    this.own.dispose();
  }

  private show(title: string): Promise<Step | undefined> {
    return showBox({
      state: this.state,
      title,
      purpose: this.use.purpose,
      typedBefore: this.use.typedBefore?.() ?? [],
      targets: this.parts.renders.targets,
      onType: () => this.rhythm.beat(),
      refreshBalance: () => void this.parts.session.refreshBalance(),
    });
  }

  /** True when the box is to be shown again. */
  private async go(step: Exclude<Step, { to: 'order' }>): Promise<boolean> {
    switch (step.to) {
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

  /** With nothing typed the form is opened as it was left: it may hold a draft. */
  private async openForm(): Promise<void> {
    const { model, isBlank, inputs, target } = this.state;
    if (model) await this.parts.doors.openForm(model.id, isBlank ? undefined : inputs, { target });
  }

  private async chooseModel(): Promise<void> {
    const { list, atHand } = this.parts.doors;
    const listed = async () => {
      await this.parts.connection.start();
      const shown = await list.read();
      const { among } = this.use;
      return among ? { ...shown, listing: { ...shown.listing, items: among(shown.listing.items) } } : shown;
    };
    const model = await pickModel(listed, atHand, true);
    if (model) this.state.choose(model.id);
  }

  private async fit(): Promise<void> {
    const { model, inputs } = this.state;
    const fit = model && (await this.parts.doors.whatFits(model.id, inputs));
    if (fit) this.state.fill(fit.model.id, fit.inputs);
  }

  /** False once something was ordered. */
  private async compare(): Promise<boolean> {
    const { model, inputs, target } = this.state;
    try {
      if (!model || !(await this.parts.doors.comparePrices({ modelId: model.id, inputs, target }))) return true;
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
    const target = await this.parts.renders.targets.choose(this.state.target);
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
