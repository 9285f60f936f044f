import * as vscode from 'vscode';
import { systemClock, systemRandom } from '../../base/clock';
import { Rhythm } from '../../base/concurrency';
import { type Disposable, Disposables } from '../../base/disposable';
import { decimalOf, withPoint } from '../../base/numbers';
import { escapeForIcons, oneLine } from '../../base/plain';
import {
  checkField,
  chosenValue,
  type Field,
  type FieldValue,
  isAmongChosen,
  type ModelKind,
  promptOf,
} from '../../catalog/fields';
import { askStyle } from '../../compose/askStyle';
import { Offer } from '../../compose/offer';
import { caughtUp, inputStep, keepOrder, offerBack, separator, untilLeft } from '../../editor/boxes';
import { showProblem } from '../../editor/commands';
import { type CommandId, commands } from '../../editor/ids';
import { StableRows } from '../../editor/stableRows';
import { readMs, Standing } from '../../editor/standing';
import { issueSentence, remedyOf, sentenceOf } from '../../editor/words';
import type { LoadedFoundation, Verbs } from '../../foundation';
import type { PricedOrder } from '../../renders/record';
import { imagesOf } from '../../files/givenImages';
import { givenIn, imagePort } from '../form/imagePort';
import type { FormImages } from '../form/model/formImages';
import { Drafts } from '../models/model/drafts';
import { LastModel } from '../models/model/lastModel';
import { type ModelPurpose, pickModel } from '../models/modelPicker';
import { folderWords, isOpenTarget, type Targets } from '../rendering/targets';
import { askImages } from './imageStep';
import { enterOf, type FirstRow } from './model/firstRow';
import { type BoxOpening, isTypedChange, QuickRenderState } from './model/quickRenderState';
import {
  affordableRowWords,
  compareWords,
  fieldWords,
  firstRowWords,
  fixedWords,
  imageCountWords,
  inLanguage,
  insertWords,
  leftOutWords,
  modelWords,
  placeholder,
  type Purpose,
  type RowWords,
  sentWords,
  styleWords,
  targetWords,
  waiting,
  yesNo,
} from './quickRenderWords';

/** The purpose of a dialog. */
export interface DialogOptions {
  readonly purpose: Purpose;
  /** The kind of thing its models make. */
  readonly kind: ModelKind;
  /** The key its last model is stored under; by default the quick render's. */
  readonly lastModelKey?: string;
  /** Which models to choose from; by default all of them. */
  readonly models?: ModelPurpose;
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
  private readonly images: FormImages;

  constructor(
    private readonly foundation: LoadedFoundation,
    private readonly verbs: Verbs,
    private readonly use: DialogOptions,
  ) {
    const { session, connection, context, countdown, quotes, renders, settings } = foundation;
    const memory = foundation.memory.globalState;
    this.images = givenIn(imagePort(imagesOf(context)));
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
          use.purpose === 'render' ? () => settings.defaultModel : undefined,
        ),
        centsOf: (modelId) => foundation.prices.ready?.ofUsed(modelId),
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
      case 'count':
        return andBack(this.chooseCount());
      case 'imageField':
        return andBack(this.chooseImageField());
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
    const { model, typedInputs, target, applied } = this.state.draft;
    const inputs = this.state.isBlank ? undefined : typedInputs;
    if (model) await this.verbs.openForm(model.id, inputs, { target: target.now, style: applied?.id });
  }

  private async chooseModel(): Promise<void> {
    const { list, chosenModels } = this.foundation;
    const listed = async () => {
      await this.foundation.connection.start();
      return list.read();
    };
    const model = await pickModel(listed, chosenModels, true, this.use.models);
    if (model) this.state.choose(model.id);
  }

  private async chooseStyle(): Promise<void> {
    const { styles, applied } = this.state.draft;
    const chosen = await askStyle(styles, applied?.id);
    if (chosen) this.state.chooseStyle(chosen.id);
  }

  private async chooseCount(): Promise<void> {
    const { counts, count } = this.state;
    const title = vscode.l10n.t('Number of images, each with a different seed');
    const picks = counts.map((value) => ({ label: `× ${value}`, value }));
    const chosen = await pickOne(title, undefined, picks, count);
    if (chosen !== undefined) this.state.make(Number(chosen));
  }

  private async chooseImageField(): Promise<void> {
    const places = this.state.imagePlaces;
    const rows = places.map((field) => ({
      label: escapeForIcons(field.label, 60),
      detail: field.help === undefined ? undefined : escapeForIcons(field.help, 160),
      field,
    }));
    const title = vscode.l10n.t('Choose Where the Image Goes');
    const chosen = await vscode.window.showQuickPick(rows, { title, ignoreFocusOut: true });
    if (chosen) this.state.placeImage(chosen.field);
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
    const value = await askField(field, this.state.valueOf(field), this.images, problem);
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
function askField(
  field: Field,
  value: FieldValue,
  images: FormImages,
  problem?: string,
): Promise<FieldValue | undefined> {
  const text = problem === undefined ? undefined : vscode.l10n.t('The service says: {0}', escapeForIcons(problem));
  if (field.kind === 'choices') return pickValues(field, value, text);
  if (field.kind === 'image') return askImages(field, value, images, text);
  const isPicked = field.kind === 'choice' || field.kind === 'boolean';
  return isPicked ? pickValue(field, value, text) : typeValue(field, value, text);
}

async function typeValue(
  field: Field,
  value: FieldValue,
  problem: string | undefined,
): Promise<FieldValue | undefined> {
  const isJson = typeof value === 'object';
  const answer = await inputStep({
    title: oneLine(field.label, 80),
    back: true,
    prompt: oneLine(field.help ?? leftOutWords(field)),
    placeholder: oneLine(leftOutWords(field), 80),
    value:
      typeof value === 'object'
        ? 'json' in value
          ? value.json
          : ''
        : field.kind === 'number'
          ? inLanguage(value)
          : String(value),
    problem,
    check: (text) => {
      const issue = checkField(field, read(field, text, isJson));
      return issue && issueSentence(issue);
    },
  });
  return typeof answer === 'object' ? read(field, answer.text, isJson) : undefined;
}

/** A field of an unknown type accepts JSON if that is what was typed. */
function read(field: Field, text: string, isJson: boolean): FieldValue {
  if (field.kind === 'number') return withPoint(text, decimalOf(vscode.env.language));
  return isJson || (field.kind === 'json' && /^\s*[[{]/.test(text)) ? { json: text } : text;
}

function pickValue(field: Field, value: FieldValue, problem: string | undefined): Promise<FieldValue | undefined> {
  const placeholder = problem ?? (field.help === undefined ? undefined : oneLine(field.help));
  return pickOne(oneLine(field.label, 80), placeholder, picksOf(field), value);
}

/** Lets the user choose one; the current value is the active row. Undefined when they go back. */
function pickOne(
  title: string,
  placeholder: string | undefined,
  picks: readonly FieldPick[],
  value: FieldValue,
): Promise<FieldPick['value'] | undefined> {
  return untilLeft<FieldPick['value']>((leave, own) => {
    const picker = own.add(vscode.window.createQuickPick<FieldPick>());
    picker.title = title;
    picker.placeholder = placeholder;
    picker.items = picks;
    picker.activeItems = picks.filter((pick) => typeof value !== 'object' && String(pick.value) === String(value));
    own.add(offerBack(picker, () => leave(undefined)));
    own.add(picker.onDidAccept(() => leave(picker.selectedItems[0]?.value)));
    return picker;
  });
}

/** Several options; Enter with a number of them that the field doesn't take says so. */
function pickValues(field: Field, value: FieldValue, problem: string | undefined): Promise<FieldValue | undefined> {
  return untilLeft<FieldValue>((leave, own) => {
    const picker = own.add(vscode.window.createQuickPick<FieldPick>());
    picker.title = oneLine(field.label, 80);
    picker.placeholder = problem ?? (field.help === undefined ? undefined : oneLine(field.help));
    picker.canSelectMany = true;
    picker.items = choicesOf(field);
    picker.selectedItems = picker.items.filter(({ value: one, label }) => isAmongChosen(value, { value: one, label }));
    own.add(offerBack(picker, () => leave(undefined)));
    own.add(
      picker.onDidAccept(() => {
        const chosen = chosenValue(field, new Set(picker.selectedItems.map((pick) => pick.value)));
        const issue = checkField(field, chosen);
        if (issue) picker.placeholder = issueSentence(issue);
        else leave(chosen);
      }),
    );
    return picker;
  });
}

function picksOf(field: Field): FieldPick[] {
  const leave = { label: vscode.l10n.t('Let the model choose'), description: defaultWords(field), value: '' };
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

/** The next step after the box. */
type Step =
  | { readonly to: 'order'; readonly orders: readonly PricedOrder[] }
  | { readonly to: 'model' | 'style' | 'count' | 'imageField' | 'target' | 'form' | 'fits' | 'compare' }
  /** `problem`: what the service says about the field. */
  | { readonly to: 'field'; readonly field: Field; readonly problem?: string }
  | { readonly to: 'command'; readonly command: CommandId };

interface QuickRow extends vscode.QuickPickItem {
  /** Identifies a row while its text changes. */
  readonly id?: string;
  readonly step?: Step;
  /** Choosing the row types this text. */
  readonly text?: string;
}

/** The events of one change of the rows come within this time, ms. */
const settleMs = 20;

const firstId = 'first';
const insertId = 'insert';
const compareId = 'compare';

export interface QuickRenderBoxDeps {
  readonly state: QuickRenderState;
  readonly title: string;
  readonly purpose: Purpose;
  /** Earlier texts, latest first: each is a row until something else is typed. */
  readonly typedBefore: readonly string[];
  readonly targets: Targets;
  /** Called on each change of the text. */
  readonly onType: () => void;
  /** Called on each Enter, before its effect. */
  readonly onEnter: () => void;
  readonly refreshBalance: () => void;
}

/** Shows the box until a step is chosen; undefined when the user dismisses it. */
function showBox(parts: QuickRenderBoxDeps): Promise<Step | undefined> {
  return untilLeft((leave, own) => own.add(new QuickRenderBox(parts, leave)).picker);
}

/** A quick pick whose input is the prompt, and whose rows follow the state. */
class QuickRenderBox {
  private readonly own = new Disposables();
  readonly picker = this.own.add(vscode.window.createQuickPick<QuickRow>());
  private readonly standing = this.own.add(new Standing(systemClock, readMs.price, caughtUp));
  private first: FirstRow = { says: 'loading' };
  private active = firstId;
  private activating: Disposable | undefined;
  private readonly shownRows = new StableRows(this.picker, ({ id }) => id);

  constructor(
    private readonly parts: QuickRenderBoxDeps,
    private readonly leave: (step: Step) => void,
  ) {
    const { picker, own } = this;
    const { state } = parts;
    keepOrder(picker);
    picker.title = parts.title;
    picker.value = state.prompt;
    this.draw();
    own.add(state.onDidChange(() => this.draw()));
    own.add(parts.targets.onDidChangeNames(() => this.draw()));
    own.add(this.standing.onDidStand(() => this.draw()));
    own.add(picker.onDidChangeValue((text) => this.type(text)));
    own.add(picker.onDidChangeActive(([row]) => this.activateSoon(row?.id ?? firstId)));
    own.add({ dispose: () => this.activating?.dispose() });
    own.add(picker.onDidAccept(() => this.accept(picker.selectedItems[0])));
  }

  dispose(): void {
    this.own.dispose();
  }

  private type(text: string): void {
    const { state, onType } = this.parts;
    this.activateFirst();
    onType();
    // In a desktop editor, a command can paste into the box, and undo that.
    const isKnown = state.initiator === 'user' || vscode.env.uiKind !== vscode.UIKind.Desktop;
    if (isKnown) return state.type(text);
    const before = state.prompt;
    state.recall(text);
    void this.typedUnlessPasted(before, text);
  }

  /** Never rejects. */
  private async typedUnlessPasted(before: string, text: string): Promise<void> {
    const { state } = this.parts;
    const copied = await Promise.resolve(vscode.env.clipboard.readText()).catch(() => '');
    if (state.prompt === text && isTypedChange(before, text, copied)) state.wasTyped();
  }

  private recall(text: string): void {
    this.activateFirst();
    this.parts.state.recall(text);
    // The editor reports this change as well, but by then it changes nothing.
    this.picker.value = text;
  }

  /** What is typed is for the first row. */
  private activateFirst(): void {
    this.activating?.dispose();
    this.active = firstId;
  }

  /**
   * Rows that are replaced make the first one active for a moment. Without waiting for the last of such events, that
   * would replace the rows again, and so on without end.
   */
  private activateSoon(id: string): void {
    this.activating?.dispose();
    this.activating = systemClock.after(settleMs, () => this.activate(id));
  }

  /** A row that becomes active must be visible for a moment before Enter on it counts. */
  private activate(id: string): void {
    if (id === this.active) return;
    this.active = id;
    this.standing.again(this.offered());
    this.draw();
  }

  private accept(row: QuickRow | undefined): void {
    this.parts.onEnter();
    if (row?.step) this.leave(row.step);
    else if (row?.text !== undefined) this.recall(row.text);
    else if (row?.id === insertId) this.parts.state.insert(!this.parts.state.draft.insertsAt);
    else if (row?.id === firstId || row?.id === compareId) this.enter();
  }

  private enter(): void {
    const { state, refreshBalance } = this.parts;
    const { first } = this;
    const enter = enterOf(first);
    switch (enter.does) {
      case 'order':
        return this.order(first);
      case 'retry':
        return state.retry();
      case 'refreshBalance':
        return refreshBalance();
      case 'chooseModel':
        return this.leave({ to: 'model' });
      case 'chooseField':
        return this.leave({ to: 'imageField' });
      case 'changeField':
        return this.leave({ to: 'field', field: enter.field, problem: enter.problem });
      case 'enterKey':
        return this.leave({ to: 'command', command: commands.setApiKey });
      case 'compare':
        return this.leave({ to: 'compare' });
      case 'openAccount':
        return this.leave({ to: 'command', command: commands.accountMenu });
      case 'nothing':
        return undefined;
    }
  }

  private order(first: FirstRow): void {
    const orders = 'intent' in first && this.standing.has(first.intent) ? this.parts.state.orders(first) : undefined;
    if (orders) this.leave({ to: 'order', orders });
  }

  private draw(): void {
    const { picker, parts } = this;
    const { state } = parts;
    this.first = state.first();
    this.standing.show(this.offered());
    picker.placeholder = placeholder(parts.purpose, state.draft.model);
    this.shownRows.show(this.rows(), this.active);
  }

  /** The price that the active row offers. */
  private offered(): string | undefined {
    return this.active === firstId && 'intent' in this.first ? this.first.intent : undefined;
  }

  /** The first row's text, with a spinner until Enter orders its offer. */
  private firstWords(): RowWords {
    const { state, purpose } = this.parts;
    const { applied, inputs, insertsAt, model } = state.draft;
    const isEmpty = state.prompt.trim() === '';
    const text = firstRowWords(this.first, insertsAt ? 'insert' : purpose, isEmpty);
    const detail = text.detail ?? sentWords(applied, promptOf(model, inputs), isEmpty);
    const words = { ...text, detail };
    const offered = this.offered();
    return offered === undefined || this.standing.has(offered) ? words : { ...words, icon: waiting };
  }

  private rows(): QuickRow[] {
    const { state, targets, purpose } = this.parts;
    const { model, typedInputs, applied: style, styles, place, insertsAt, target: choice } = state.draft;
    const target = choice.now;
    // Without the prompt it would get another name.
    const name = model && this.first.says !== 'noPrompt' ? targets.freeName(target, model, typedInputs) : undefined;
    const isFixed = folderWords(target) === undefined || target.replaces !== undefined;
    const saves = row('target', targetWords(target, name), isFixed ? undefined : { to: 'target' });
    return [
      row(firstId, this.firstWords()),
      ...(this.first.says === 'short' && state.count === 1 ? [row('fits', affordableRowWords(), { to: 'fits' })] : []),
      ...this.typedBefore(),
      separator(vscode.l10n.t('change')),
      ...(this.first.says === 'chooseModel' ? [] : [row('model', modelWords(model), { to: 'model' })]),
      ...(styles.length > 0 ? [row('style', styleWords(style), { to: 'style' })] : []),
      ...(state.counts.length > 1 ? [row('count', imageCountWords(state.count), { to: 'count' })] : []),
      ...(this.canCompare ? [this.compareRow()] : []),
      ...(model && purpose !== 'send' ? [saves] : []),
      ...(place ? [row(insertId, insertWords(place, insertsAt !== undefined))] : []),
      ...state.rows.map(([field, value]) => fieldRow(field, value, style?.fixed.get(field.name))),
      // A form has no place for what its result is compared with.
      ...(model && purpose !== 'edit'
        ? [row('form', { icon: 'edit', label: vscode.l10n.t('Open in Form') }, { to: 'form' })]
        : []),
    ];
  }

  /** A text that is sent gets only one response. */
  private get canCompare(): boolean {
    const { state, purpose } = this.parts;
    // A single file can't take several results.
    const { insertsAt, target, model } = state.draft;
    const isForOne = insertsAt !== undefined || target.now.ending !== undefined;
    return purpose === 'render' && model !== undefined && !state.isComparing && !isForOne;
  }

  /** While something is missing, it leads where the first row does, which orders nothing then. */
  private compareRow(): QuickRow {
    return row(compareId, compareWords(), this.parts.state.draft.complete ? { to: 'compare' } : undefined);
  }

  /** Earlier texts that start with what is typed. */
  private typedBefore(): QuickRow[] {
    const typed = this.parts.state.prompt.trim().toLowerCase();
    const fitting = this.parts.state.draft
      .typed(this.parts.typedBefore)
      .filter((text) => text.toLowerCase() !== typed && text.toLowerCase().includes(typed));
    const rows = fitting.slice(0, mostTypedBefore).map((text) => ({
      ...row(`typed ${text}`, { icon: 'history', label: escapeForIcons(text, 100) }),
      text,
    }));
    return rows.length > 0 ? [separator(vscode.l10n.t('recently used')), ...rows] : [];
  }
}

/** Few enough to keep the rows below visible. */
const mostTypedBefore = 4;

/** A field, with the value that the style has for it if that has one. */
function fieldRow(field: Field, value: FieldValue, fixed: FieldValue | undefined): QuickRow {
  const id = `field ${field.name}`;
  if (fixed !== undefined) return row(id, fixedWords(field, fixed), { to: 'style' });
  return row(id, fieldWords(field, value), fieldStep(field, value));
}

/** A multi-line text doesn't fit into an input box. */
function fieldStep(field: Field, value: unknown): Step {
  return typeof value === 'string' && /[\r\n]/.test(value) ? { to: 'form' } : { to: 'field', field };
}

function row(id: string, { icon, label, description, detail }: RowWords, step?: Step): QuickRow {
  // The typed text is a prompt, not a filter.
  return { id, label, description, detail, step, iconPath: new vscode.ThemeIcon(icon), alwaysShow: true };
}
