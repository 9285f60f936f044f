import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { Rhythm } from '../../base/concurrency';
import { type Disposable, Disposables } from '../../base/disposable';
import { decimalOf, withPoint } from '../../base/numbers';
import { escapeForIcons, oneLine } from '../../base/plain';
import { systemRandom } from '../../base/random';
import { checkField, type FieldValue } from '../../catalog/fields';
import type { Field, ModelKind, ModelSummary } from '../../catalog/types';
import { askStyle } from '../../compose/askStyle';
import { Offer } from '../../compose/offer';
import { inputStep, offerBack, untilLeft } from '../../editor/boxes';
import { showProblem } from '../../editor/commands';
import { remedyOf, issueSentence, sentenceOf } from '../../editor/words';
import type { LoadedFoundation, Verbs } from '../../foundation';
import type { PricedOrder } from '../../renders/priced';
import { Drafts } from '../models/model/drafts';
import { LastModel } from '../models/model/lastModel';
import { pickModel } from '../models/modelPicker';
import { isOpenTarget } from '../rendering/targets';
import { type BoxOpening, QuickRenderState } from './model/quickRenderState';
import { showBox, type Step } from './quickRenderBox';
import { inLanguage, leftOutWords, type Purpose, yesNo } from './quickRenderWords';

/** The purpose of a dialog. */
export interface DialogOptions {
  readonly purpose: Purpose;
  /** The kind of thing its models make. */
  readonly kind: ModelKind;
  /** The key its last model is stored under; by default the quick render's. */
  readonly lastModelKey?: string;
  /** Filters the models to choose from; by default all of them. */
  readonly among?: (models: readonly ModelSummary[]) => readonly ModelSummary[];
  /** Earlier texts to choose from, latest first. */
  readonly typedBefore?: () => readonly string[];
}

/**
 * One box for composing an order: a text, a model, its fields, and a target. The typed text is kept as long as the
 * window is open.
 */
export class OrderDialog implements Disposable {
  private readonly own = new Disposables();
  private readonly rhythm = new Rhythm(systemClock);
  /** Numbers the openings: the editor shows one at a time. */
  private opened = 0;
  readonly state: QuickRenderState;

  constructor(
    private readonly foundation: LoadedFoundation,
    private readonly verbs: Omit<Verbs, 'openCompare'>,
    private readonly use: DialogOptions,
  ) {
    const { session, connection, context, countdown, quotes, renders, settings } = foundation;
    const memory = context.globalState;
    this.state = this.own.add(
      new QuickRenderState({
        session,
        offer: new Offer(
          quotes,
          () => session.client,
          systemClock,
          systemRandom,
          () => this.rhythm.restMs,
        ),
        drafts: new Drafts(memory, memory),
        styles: foundation.styles,
        lastModel: new LastModel(
          memory,
          use.lastModelKey,
          use.kind === 'image' ? () => settings.defaultModel : undefined,
        ),
        kind: use.kind,
        clock: systemClock,
        start: () => connection.start(),
        defaultTarget: () => renders.targets.shown(),
        isOpen: isOpenTarget,
        countdown,
      }),
    );
  }

  /** The orders at the price on the chosen row, one or more; undefined when the user canceled. */
  async ask(title: string, opening: BoxOpening): Promise<readonly PricedOrder[] | undefined> {
    this.opened += 1;
    const turn = this.opened;
    this.state.open(opening);
    try {
      for (;;) {
        const step = await this.show(title);
        if (step?.to === 'order') return step.orders;
        // Opened again in the meantime: this one's box must not take the place of that.
        if (!step || !(await this.go(step)) || turn !== this.opened) return undefined;
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
      targets: this.foundation.renders.targets,
      onType: () => this.rhythm.beat(),
      onEnter: () => this.foundation.session.client?.probe(),
      refreshBalance: () => void this.foundation.session.refreshBalance(),
    });
  }

  /** True when the box should be shown again. */
  private async go(step: Exclude<Step, { to: 'order' }>): Promise<boolean> {
    switch (step.to) {
      case 'form':
        await this.openForm();
        return false;
      case 'model':
        return andBack(this.chooseModel());
      case 'style':
        return andBack(this.chooseStyle());
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

  /** With nothing typed, the form opens as it was left: it may hold a draft. */
  private async openForm(): Promise<void> {
    const { model, said, target, applied } = this.state.draft;
    const inputs = this.state.isBlank ? undefined : said;
    if (model) await this.verbs.openForm(model.id, inputs, { target: target.now, style: applied?.id });
  }

  private async chooseModel(): Promise<void> {
    const { list, chosenModels } = this.foundation;
    const listed = async () => {
      await this.foundation.connection.start();
      const shown = await list.read();
      const { among } = this.use;
      return among ? { ...shown, listing: { ...shown.listing, items: among(shown.listing.items) } } : shown;
    };
    const model = await pickModel(listed, chosenModels, true);
    if (model) this.state.choose(model.id);
  }

  private async chooseStyle(): Promise<void> {
    const { styles, applied } = this.state.draft;
    const chosen = await askStyle(styles, applied?.id);
    if (chosen) this.state.chooseStyle(chosen.id);
  }

  private async fit(): Promise<void> {
    const { model, inputs } = this.state.draft;
    const fit = model && (await this.verbs.whatFits(model.id, inputs));
    if (fit) this.state.fill(fit.model.id, fit.inputs);
  }

  /** False once something was ordered. */
  private async compare(): Promise<boolean> {
    const { draft } = this.state;
    const { model, inputs } = draft;
    const target = draft.named(draft.target.now);
    try {
      if (!model || !(await this.verbs.comparePrices({ modelId: model.id, inputs, target }))) return true;
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
    const target = await this.foundation.renders.targets.choose(this.state.draft.target.now);
    if (target) this.state.aim(target);
  }
}

/** True: the box is shown again whatever the step's outcome. Reports its failures. */
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

interface FieldPick extends vscode.QuickPickItem {
  readonly value: string | number | boolean;
}

/**
 * Asks for the value of one field of a model; `problem` is what the service says about the current one. Undefined when
 * the user goes back.
 */
function askField(field: Field, value: FieldValue, problem?: string): Promise<FieldValue | undefined> {
  const said = problem === undefined ? undefined : vscode.l10n.t('The service says: {0}', escapeForIcons(problem));
  const isPicked = field.kind === 'choice' || field.kind === 'boolean';
  return isPicked ? pickValue(field, value, said) : typeValue(field, value, said);
}

async function typeValue(
  field: Field,
  value: FieldValue,
  problem: string | undefined,
): Promise<FieldValue | undefined> {
  const isJson = typeof value === 'object' && 'json' in value;
  const answer = await inputStep({
    title: oneLine(field.label, 80),
    back: true,
    prompt: imageWords(field) ?? oneLine(field.help ?? leftOutWords(field)),
    placeholder: oneLine(leftOutWords(field), 80),
    value:
      typeof value === 'object'
        ? isJson
          ? value.json
          : ''
        : field.kind === 'number'
          ? inLanguage(value)
          : oneLineOf(field, value),
    problem,
    check: (text) => {
      const issue = checkField(field, read(field, text, isJson));
      return issue && issueSentence(issue);
    },
  });
  if (typeof answer !== 'object') return undefined;
  // Nothing was entered in place of an image that was chosen in the form.
  const isKept = typeof value === 'object' && 'image' in value && answer.text === '';
  return isKept ? value : read(field, answer.text, isJson);
}

/** A box has one line. */
function oneLineOf({ kind }: Field, value: string | number | boolean): string {
  return kind === 'images' ? String(value).replaceAll('\n', ' ') : String(value);
}

/** A box takes no files. */
function imageWords({ kind }: Field): string | undefined {
  if (kind === 'image') return vscode.l10n.t('This input takes an image. Enter its URL, or choose a file in the form.');
  return kind === 'images'
    ? vscode.l10n.t('This input takes several images. Enter their URLs, with a space between them.')
    : undefined;
}

/** A field of an unknown type accepts JSON if that is what was typed. */
function read(field: Field, text: string, isJson: boolean): FieldValue {
  if (field.kind === 'number') return withPoint(text, decimalOf(vscode.env.language));
  return isJson || (field.kind === 'json' && /^\s*[[{]/.test(text)) ? { json: text } : text;
}

function pickValue(field: Field, value: FieldValue, problem: string | undefined): Promise<FieldValue | undefined> {
  return untilLeft<FieldValue>((leave, own) => {
    const picker = own.add(vscode.window.createQuickPick<FieldPick>());
    picker.title = oneLine(field.label, 80);
    picker.placeholder = problem ?? (field.help === undefined ? undefined : oneLine(field.help));
    picker.items = picksOf(field);
    picker.activeItems = picker.items.filter(
      (pick) => typeof value !== 'object' && String(pick.value) === String(value),
    );
    own.add(offerBack(picker, () => leave(undefined)));
    own.add(picker.onDidAccept(() => leave(picker.selectedItems[0]?.value)));
    return picker;
  });
}

function picksOf(field: Field): FieldPick[] {
  const leave = { label: vscode.l10n.t('Model decides'), description: defaultWords(field), value: '' };
  const choices = field.kind === 'boolean' ? yesOrNo() : choicesOf(field);
  return field.required ? choices : [...choices, leave];
}

function defaultWords(field: Field): string | undefined {
  return field.default === undefined ? undefined : leftOutWords(field);
}

function yesOrNo(): FieldPick[] {
  return [true, false].map((value) => ({ label: yesNo(value), value }));
}

function choicesOf({ choices = [] }: Field): FieldPick[] {
  return choices.map(({ value, label }) => ({ label: escapeForIcons(label, 100), value }));
}
