import * as vscode from 'vscode';
import { Disposables } from '../base/disposable';
import { escapeForBox } from '../base/plain';

/** A box of rows or of text. */
type PickOrInput = vscode.QuickPick<vscode.QuickPickItem> | vscode.InputBox;

/**
 * Shows a box until `leave` is called, then disposes of everything that `make` gave to `own`. Undefined when the user
 * dismisses it.
 */
export async function untilLeft<Step>(
  make: (leave: (step: Step | undefined) => void, own: Disposables) => vscode.QuickInput,
): Promise<Step | undefined> {
  const own = new Disposables();
  try {
    return await new Promise((resolve) => {
      const box = make(resolve, own);
      own.add(box.onDidHide(() => resolve(undefined)));
      box.show();
    });
  } finally {
    own.dispose();
  }
}

/** Adds the editor's Back button to the box. */
export function offerBack(box: PickOrInput, goBack: () => void): vscode.Disposable {
  box.buttons = [vscode.QuickInputButtons.Back];
  return box.onDidTriggerButton((button) => button === vscode.QuickInputButtons.Back && goBack());
}

/** Resolves when the window shows all that was sent to it before. */
export function caughtUp(): Thenable<unknown> {
  // The command doesn't exist, but awaiting it makes sure that earlier updates are on screen.
  return vscode.commands.executeCommand('noop');
}

/** Runs `work` with the box busy and disabled; does nothing while it's busy already. */
export async function whileBusy(box: PickOrInput, work: () => Promise<void>): Promise<void> {
  if (!box.enabled) return;
  box.enabled = false;
  box.busy = true;
  await work();
  box.enabled = true;
  box.busy = false;
}

/**
 * Keeps the rows of the quick pick in the given order. By default the editor sorts them by label, and there is no
 * stable API to turn that off.
 */
export function keepOrder(picker: vscode.QuickPick<vscode.QuickPickItem>): void {
  if ('sortByLabel' in picker) picker.sortByLabel = false;
}

/** The line above a group of rows. */
export function separator(label: string): vscode.QuickPickItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

export interface InputStep {
  readonly title: string;
  readonly step?: number;
  readonly totalSteps?: number;
  /** Shows a Back button; steps after the first always do. */
  readonly back?: boolean;
  readonly prompt: string;
  readonly placeholder?: string;
  readonly value?: string;
  /** What is wrong with the initial value. */
  readonly problem?: string;
  /** Masks the input. */
  readonly password?: boolean;
  /** A button for something else to do with a valid text. */
  readonly button?: { readonly icon: string; readonly tooltip: string };
  /** Validates the text while it's typed; undefined if it's valid. */
  check(text: string): string | undefined;
  /**
   * Called on Enter: undefined accepts the text, a sentence keeps the box open with the text. The signal is aborted
   * when the box closes before that: with Escape, or because another box replaces it; the editor doesn't say which.
   * Must not reject.
   */
  accept?(text: string, signal: AbortSignal): Promise<string | undefined>;
}

/**
 * The valid text, with how it was left: by Enter, or by the step's own button. `back` for the previous step; undefined
 * when the box closes.
 */
export type InputAnswer = { readonly text: string; readonly by: 'enter' | 'button' } | 'back' | undefined;

/**
 * One step of a dialog with input boxes. A box stays open when the window loses focus, so that a key can be copied from
 * elsewhere.
 */
export function inputStep(step: InputStep): Promise<InputAnswer> {
  return untilLeft<NonNullable<InputAnswer>>((leave, own) => {
    const box = own.add(vscode.window.createInputBox());
    const dismissed = new AbortController();
    own.add({ dispose: () => dismissed.abort() });
    setUp(box, step);
    const isFollowing = step.step !== undefined && step.step > 1;
    if (step.back === true || isFollowing) own.add(offerBack(box, () => leave('back')));
    if (step.button) own.add(offerButton(box, step, step.button, leave));
    own.add(box.onDidChangeValue((text) => complain(box, text === '' ? undefined : step.check(text))));
    own.add(box.onDidAccept(() => void accept(box, step, dismissed.signal, leave)));
    return box;
  });
}

function setUp(box: vscode.InputBox, step: InputStep): void {
  box.title = step.title;
  box.step = step.step;
  box.totalSteps = step.totalSteps;
  box.prompt = escapeForBox(step.prompt);
  box.placeholder = step.placeholder;
  box.value = step.value ?? '';
  box.validationMessage = step.problem;
  box.password = step.password ?? false;
  box.ignoreFocusOut = true;
}

function offerButton(
  box: vscode.InputBox,
  step: InputStep,
  { icon, tooltip }: NonNullable<InputStep['button']>,
  leave: (answer: InputAnswer) => void,
): vscode.Disposable {
  const button = { iconPath: new vscode.ThemeIcon(icon), tooltip };
  box.buttons = [...box.buttons, button];
  return box.onDidTriggerButton((pressed) => {
    if (pressed !== button) return;
    const text = box.value;
    const problem = step.check(text);
    if (problem === undefined) leave({ text, by: 'button' });
    else complain(box, problem);
  });
}

async function accept(
  box: vscode.InputBox,
  step: InputStep,
  signal: AbortSignal,
  leave: (answer: InputAnswer) => void,
): Promise<void> {
  await whileBusy(box, async () => {
    const text = box.value;
    let problem = step.check(text);
    if (problem === undefined && step.accept) {
      box.validationMessage = undefined;
      box.prompt = vscode.l10n.t('Checking…');
      problem = await step.accept(text, signal);
      box.prompt = escapeForBox(step.prompt);
    }
    if (problem === undefined) leave({ text, by: 'enter' });
    else if (!signal.aborted) complain(box, problem);
  });
}

function complain(box: vscode.InputBox, problem: string | undefined): void {
  box.validationMessage = problem === undefined ? undefined : escapeForBox(problem);
}
