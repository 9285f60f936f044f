import * as vscode from 'vscode';
import { boxed } from '../base/plain';
import { offerBack, untilLeft, whileBusy } from './boxes';

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
  /** Validates the text while it's typed; undefined if it's valid. */
  check(text: string): string | undefined;
  /**
   * Called on Enter: undefined accepts the text, a sentence keeps the box open with the text. The signal is aborted
   * when the box closes before that: with Escape, or because another box replaces it; the editor doesn't say which.
   * Must not reject.
   */
  accept?(text: string, signal: AbortSignal): Promise<string | undefined>;
}

/** `back` for the previous step; undefined when the box closes. */
export type InputAnswer = { readonly text: string } | 'back' | undefined;

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
    own.add(box.onDidChangeValue((text) => complain(box, text === '' ? undefined : step.check(text))));
    own.add(box.onDidAccept(() => void accept(box, step, dismissed.signal, leave)));
    return box;
  });
}

function setUp(box: vscode.InputBox, step: InputStep): void {
  box.title = step.title;
  box.step = step.step;
  box.totalSteps = step.totalSteps;
  box.prompt = boxed(step.prompt);
  box.placeholder = step.placeholder;
  box.value = step.value ?? '';
  box.validationMessage = step.problem;
  box.password = step.password ?? false;
  box.ignoreFocusOut = true;
}

async function accept(
  box: vscode.InputBox,
  step: InputStep,
  signal: AbortSignal,
  leave: (answer: InputAnswer) => void,
): Promise<void> {
  await whileBusy(box, async () => {
    const text = box.value;
    const problem = step.check(text) ?? (await step.accept?.(text, signal));
    if (problem === undefined) leave({ text });
    else if (!signal.aborted) complain(box, problem);
  });
}

function complain(box: vscode.InputBox, problem: string | undefined): void {
  box.validationMessage = problem === undefined ? undefined : boxed(problem);
}
