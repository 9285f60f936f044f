import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { Owned } from '../../base/disposable';
import type { Field } from '../../catalog/types';
import type { PricedOrder } from '../../renders/priced';
import { commands, type CommandId } from '../../app/ids';
import { keepOrder, separator, untilLeft } from '../boxes';
import { iconless } from '../../base/plain';
import { folderWords, type Targets } from '../renders/targets';
import { enterOf, type FirstRow } from '../../app/quickRender/firstRow';
import type { QuickRenderState } from '../../app/quickRender/quickRenderState';
import {
  compareWords,
  fieldWords,
  firstWords,
  fitWords,
  insertWords,
  modelWords,
  placeholder,
  targetWords,
  waiting,
  type Purpose,
  type RowWords,
} from './quickRenderWords';
import { Standing } from '../../app/quickRender/standing';
import { StableRows } from '../../app/stableRows';

/** Where the box leads to. */
export type Step =
  | { readonly to: 'order'; readonly order: PricedOrder }
  | { readonly to: 'model' | 'target' | 'form' | 'fits' | 'compare' }
  /** `problem` is the service's own word on the field. */
  | { readonly to: 'field'; readonly field: Field; readonly problem?: string }
  | { readonly to: 'command'; readonly command: CommandId };

interface QuickRow extends vscode.QuickPickItem {
  /** Tells rows apart over changes of what they say. */
  readonly id?: string;
  readonly step?: Step;
  /** Typed again by choosing the row. */
  readonly text?: string;
}

const firstId = 'first';
const insertId = 'insert';
const compareId = 'compare';

export interface BoxParts {
  readonly state: QuickRenderState;
  readonly title: string;
  readonly purpose: Purpose;
  /** Texts that were typed before, the last one first: each is a row until something else is typed. */
  readonly typedBefore: readonly string[];
  readonly targets: Pick<Targets, 'previewName'>;
  /** Called for each change of the text. */
  readonly onType: () => void;
  /** Called for each Enter, before what it does. */
  readonly onEnter: () => void;
  readonly refreshBalance: () => void;
}

/** Shows the box until it leads somewhere; undefined when the person dismisses it. */
export function showBox(parts: BoxParts): Promise<Step | undefined> {
  return untilLeft((leave, own) => own.add(new QuickRenderBox(parts, leave)).picker);
}

/** A quick pick whose own box takes the prompt, and whose rows follow the state. */
class QuickRenderBox {
  private readonly own = new Owned();
  readonly picker = this.own.add(vscode.window.createQuickPick<QuickRow>());
  // No command of its own: what it resolves after has been shown.
  private readonly standing = this.own.add(new Standing(systemClock, () => vscode.commands.executeCommand('noop')));
  private first: FirstRow = { says: 'loading' };
  private active = firstId;
  private readonly shownRows = new StableRows(this.picker, ({ id }) => id);

  constructor(
    private readonly parts: BoxParts,
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

  private typeAgain(text: string): void {
    this.picker.value = text;
    this.type(text);
  }

  /** A row that becomes the active one has to be there for a moment before Enter on it counts. */
  private activate(id: string): void {
    if (id === this.active) return;
    this.active = id;
    this.standing.again(this.offered());
  }

  private accept(row: QuickRow | undefined): void {
    this.parts.onEnter();
    if (row?.step) this.leave(row.step);
    else if (row?.text !== undefined) this.typeAgain(row.text);
    else if (row?.id === insertId) this.parts.state.insert(!this.parts.state.insertsAt);
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
    const order = 'intent' in first && this.standing.has(first.intent) ? this.parts.state.order(first) : undefined;
    if (order) this.leave({ to: 'order', order });
  }

  private draw(): void {
    const { picker, parts } = this;
    const { state } = parts;
    this.first = state.first();
    this.standing.show(this.offered());
    picker.placeholder = placeholder(parts.purpose, state.model);
    this.shownRows.show(this.rows(), this.active);
  }

  /** The price the active row offers. */
  private offered(): string | undefined {
    return this.active === firstId && 'intent' in this.first ? this.first.intent : undefined;
  }

  /** What the first row says; with the sign of waiting until Enter orders what it offers. */
  private firstWords(): RowWords {
    const { state, purpose } = this.parts;
    const words = firstWords(this.first, state.insertsAt ? 'insert' : purpose, state.prompt.trim() === '');
    const offered = this.offered();
    return offered === undefined || this.standing.has(offered) ? words : { ...words, icon: waiting };
  }

  private rows(): QuickRow[] {
    const { state, targets } = this.parts;
    const { model, target, inputs } = state;
    // Without its prompt it would get another name.
    const name = model && this.first.says !== 'noPrompt' ? targets.previewName(target, model, inputs) : undefined;
    const saves = row(
      'target',
      targetWords(target, name),
      folderWords(target) === undefined ? undefined : { to: 'target' },
    );
    return [
      row(firstId, this.firstWords()),
      ...(this.first.says === 'short' ? [row('fits', fitWords(), { to: 'fits' })] : []),
      ...this.typedBefore(),
      separator(vscode.l10n.t('change')),
      row('model', modelWords(model), { to: 'model' }),
      ...(this.canCompare ? [this.compareRow()] : []),
      ...(model ? [saves] : []),
      ...(state.place ? [row(insertId, insertWords(state.place, state.insertsAt !== undefined))] : []),
      ...state.rows.map(([field, value]) =>
        row(`field ${field.name}`, fieldWords(field, value), fieldStep(field, value)),
      ),
      ...(model ? [row('form', { icon: 'edit', label: vscode.l10n.t('Open in Form') }, { to: 'form' })] : []),
    ];
  }

  /** What is sent to be answered has one answer. */
  private get canCompare(): boolean {
    const { state, purpose } = this.parts;
    // Where one file is asked for there is no place for several.
    const isForOne = state.insertsAt !== undefined || state.target.ending !== undefined;
    return purpose === 'render' && state.model !== undefined && !state.isComparing && !isForOne;
  }

  /** While something is missing it leads where the first row does, which orders nothing then. */
  private compareRow(): QuickRow {
    return row(compareId, compareWords(), this.parts.state.isComplete ? { to: 'compare' } : undefined);
  }

  /** What was typed before and goes on from what is typed now. */
  private typedBefore(): QuickRow[] {
    const typed = this.parts.state.prompt.trim().toLowerCase();
    const fitting = this.parts.typedBefore.filter(
      (text) => text.toLowerCase() !== typed && text.toLowerCase().includes(typed),
    );
    const rows = fitting.slice(0, mostTypedBefore).map((text) => ({
      ...row(`typed ${text}`, { icon: 'history', label: iconless(text, 100) }),
      text,
    }));
    return rows.length > 0 ? [separator(vscode.l10n.t('recently used')), ...rows] : [];
  }
}

/** So many of them leave the rows below in sight. */
const mostTypedBefore = 4;

/** A text of several lines does not fit into a box of one. */
function fieldStep(field: Field, value: unknown): Step {
  return typeof value === 'string' && /[\r\n]/.test(value) ? { to: 'form' } : { to: 'field', field };
}

function row(id: string, { icon, label, description, detail }: RowWords, step?: Step): QuickRow {
  // What is typed is a prompt, not a filter.
  return { id, label, description, detail, step, iconPath: new vscode.ThemeIcon(icon), alwaysShow: true };
}
