import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { Disposables } from '../../base/disposable';
import { type FieldValue, promptOf } from '../../catalog/fields';
import type { Field } from '../../catalog/types';
import type { PricedOrder } from '../../renders/priced';
import { commands, type CommandId } from '../../editor/ids';
import { caughtUp, keepOrder, separator, untilLeft } from '../../editor/boxes';
import { escapeForIcons } from '../../base/plain';
import { folderWords, type Targets } from '../rendering/targets';
import { enterOf, type FirstRow } from './model/firstRow';
import type { QuickRenderState } from './model/quickRenderState';
import {
  compareWords,
  fieldWords,
  firstRowWords,
  affordableRowWords,
  fixedWords,
  insertWords,
  modelWords,
  placeholder,
  type Purpose,
  type RowWords,
  sentWords,
  styleWords,
  targetWords,
  variantWords,
  waiting,
} from './quickRenderWords';
import { StableRows } from '../../editor/stableRows';
import { readMs, Standing } from '../../editor/standing';

/** The next step after the box. */
export type Step =
  | { readonly to: 'order'; readonly orders: readonly PricedOrder[] }
  | { readonly to: 'model' | 'style' | 'target' | 'form' | 'fits' | 'compare' }
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

const firstId = 'first';
const insertId = 'insert';
const compareId = 'compare';
const variantsId = 'variants';

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
export function showBox(parts: QuickRenderBoxDeps): Promise<Step | undefined> {
  return untilLeft((leave, own) => own.add(new QuickRenderBox(parts, leave)).picker);
}

/** A quick pick whose input is the prompt, and whose rows follow the state. */
class QuickRenderBox {
  private readonly own = new Disposables();
  readonly picker = this.own.add(vscode.window.createQuickPick<QuickRow>());
  private readonly standing = this.own.add(new Standing(systemClock, readMs.price, caughtUp));
  private first: FirstRow = { says: 'loading' };
  private active = firstId;
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
    own.add(this.standing.onDidStand(() => this.draw()));
    own.add(picker.onDidChangeValue((text) => this.type(text)));
    own.add(picker.onDidChangeActive(([row]) => this.activate(row?.id ?? firstId)));
    own.add(picker.onDidAccept(() => this.accept(picker.selectedItems[0])));
  }

  dispose(): void {
    this.own.dispose();
  }

  private type(text: string): void {
    this.active = firstId;
    this.parts.onType();
    this.parts.state.type(text);
  }

  private recall(text: string): void {
    this.active = firstId;
    this.parts.state.recall(text);
    // The editor reports this change as well, but by then it changes nothing.
    this.picker.value = text;
  }

  /** A row that becomes active must be visible for a moment before Enter on it counts. */
  private activate(id: string): void {
    if (id === this.active) return;
    this.active = id;
    this.standing.again(this.offered());
  }

  private accept(row: QuickRow | undefined): void {
    this.parts.onEnter();
    if (row?.step) this.leave(row.step);
    else if (row?.text !== undefined) this.recall(row.text);
    else if (row?.id === insertId) this.parts.state.insert(!this.parts.state.draft.insertsAt);
    else if (row?.id === variantsId) this.parts.state.vary();
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
    const said = firstRowWords(this.first, insertsAt ? 'insert' : purpose, isEmpty);
    const detail = said.detail ?? sentWords(applied, promptOf(model, inputs), isEmpty);
    const words = { ...said, detail };
    const offered = this.offered();
    return offered === undefined || this.standing.has(offered) ? words : { ...words, icon: waiting };
  }

  private rows(): QuickRow[] {
    const { state, targets } = this.parts;
    const { model, said, applied: style, styles, place, insertsAt, target: choice } = state.draft;
    const target = choice.now;
    // Without the prompt it would get another name.
    const name = model && this.first.says !== 'noPrompt' ? targets.previewName(target, model, said) : undefined;
    const saves = row(
      'target',
      targetWords(target, name),
      folderWords(target) === undefined ? undefined : { to: 'target' },
    );
    return [
      row(firstId, this.firstWords()),
      ...(this.first.says === 'short' && state.count === 1 ? [row('fits', affordableRowWords(), { to: 'fits' })] : []),
      ...this.typedBefore(),
      separator(vscode.l10n.t('change')),
      row('model', modelWords(model), { to: 'model' }),
      ...(styles.length > 0 ? [row('style', styleWords(style), { to: 'style' })] : []),
      ...(state.nextCount === undefined ? [] : [row(variantsId, variantWords(state.count, state.nextCount))]),
      ...(this.canCompare ? [this.compareRow()] : []),
      ...(model ? [saves] : []),
      ...(place ? [row(insertId, insertWords(place, insertsAt !== undefined))] : []),
      ...state.rows.map(([field, value]) => fieldRow(field, value, style?.fixed.get(field.name))),
      ...(model ? [row('form', { icon: 'edit', label: vscode.l10n.t('Open in Form') }, { to: 'form' })] : []),
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
