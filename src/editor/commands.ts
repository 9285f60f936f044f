import * as vscode from 'vscode';
import { isAbort, type Log, reasonOf } from '../base/log';
import { ServiceError } from '../catalog/errors';
import type { CommandId } from './ids';
import { type Remedy } from './userError';

/**
 * The only way to register a command: errors are logged and reported, and don't reach the caller, except for commands
 * that programs call.
 */
export class Commands {
  private readonly registered: vscode.Disposable[] = [];

  /** `onGesture` is called before each command except those that programs call. */
  constructor(
    private readonly log: Log,
    private readonly onGesture: () => void,
  ) {}

  /** The command resolves with what the handler returns, and with undefined when it failed. */
  register(id: CommandId, handler: (...args: unknown[]) => unknown): void {
    this.registered.push(vscode.commands.registerCommand(id, (...args: unknown[]) => this.run(id, handler, args)));
  }

  /** A command that programs call: errors are logged, and left to the caller to report. */
  offer(id: CommandId, handler: (...args: unknown[]) => Promise<unknown>): void {
    const call = async (...args: unknown[]) => {
      try {
        return await handler(...args);
      } catch (error) {
        this.log.warn(`${id}: ${reasonOf(error)}`);
        throw error;
      }
    };
    this.registered.push(vscode.commands.registerCommand(id, call));
  }

  private async run(id: CommandId, handler: (...args: unknown[]) => unknown, args: unknown[]): Promise<unknown> {
    try {
      this.onGesture();
      return await handler(...args);
    } catch (error) {
      if (!isCancelled(error)) await this.fail(id, error);
      return undefined;
    }
  }

  private async fail(id: CommandId, error: unknown): Promise<void> {
    this.log.error(`${id}: ${reasonOf(error)}`, ...(error instanceof ServiceError ? [] : [error]));
    const { remedyOf, sentenceOf } = await import('./words');
    void showProblem(sentenceOf(error), remedyOf(error));
  }

  dispose(): void {
    for (const command of this.registered.splice(0)) command.dispose();
  }
}

/** An error notification, with a remedy if there is one. The sentence is already fit for a notification. */
export async function showProblem(sentence: string, remedy?: Remedy): Promise<void> {
  const answer = await vscode.window.showErrorMessage(sentence, ...(remedy ? [remedy.title] : []));
  if (answer !== undefined) await remedy?.run();
}

function isCancelled(error: unknown): boolean {
  return isAbort(error) || (error instanceof ServiceError && error.kind === 'cancelled');
}
