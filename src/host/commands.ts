import * as vscode from 'vscode';
import { isAbort, reasonOf } from '../base/errors';
import type { Log } from '../base/log';
import { ServiceError } from '../catalog/errors';
import { commands, type CommandId } from '../app/ids';
import { remedyOf, type Remedy } from '../app/userError';
import { sentenceOf } from './words';

/**
 * The one way a command is registered: what it throws is logged and shown in words, and goes no further, unless
 * programs call it.
 */
export class Commands {
  private readonly registered: vscode.Disposable[] = [];

  /** `onGesture` is called before each command but those that programs call. */
  constructor(
    private readonly log: Log,
    private readonly onGesture: () => void,
  ) {}

  /** The command resolves with what the handler returns, and with undefined when it failed. */
  register(id: CommandId, handler: (...args: unknown[]) => unknown): void {
    this.registered.push(vscode.commands.registerCommand(id, (...args: unknown[]) => this.run(id, handler, args)));
  }

  /** A command that programs call: what the handler throws is logged, and its caller's to tell. */
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
      if (!isCancelled(error)) this.fail(id, error);
      return undefined;
    }
  }

  private fail(id: CommandId, error: unknown): void {
    this.log.error(`${id}: ${reasonOf(error)}`, ...(error instanceof ServiceError ? [] : [error]));
    void showProblem(sentenceOf(error), remedyOf(error));
  }

  dispose(): void {
    for (const command of this.registered.splice(0)) command.dispose();
  }
}

/**
 * An error notification with what may be done about it, else a way to the log. The sentence is already fit for a
 * notification.
 */
export async function showProblem(sentence: string, remedy: Remedy = wayToLog()): Promise<void> {
  const answer = await vscode.window.showErrorMessage(sentence, remedy.title);
  if (answer === remedy.title) await remedy.run();
}

function wayToLog(): Remedy {
  return { title: vscode.l10n.t('Show Log'), run: () => vscode.commands.executeCommand(commands.showLog) };
}

function isCancelled(error: unknown): boolean {
  return isAbort(error) || (error instanceof ServiceError && error.kind === 'cancelled');
}
