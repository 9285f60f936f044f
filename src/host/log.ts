import * as vscode from 'vscode';
import { reasonOf } from '../base/errors';
import { redact, type Log } from '../base/log';

/** The extension's log in the Output panel. Nothing shaped like an API key gets into it. */
export class OutputLog implements Log {
  private readonly channel = vscode.window.createOutputChannel('Model Catalog', { log: true });

  debug(message: string, ...details: unknown[]): void {
    this.channel.debug(line(message, details));
  }

  info(message: string, ...details: unknown[]): void {
    this.channel.info(line(message, details));
  }

  warn(message: string, ...details: unknown[]): void {
    this.channel.warn(line(message, details));
  }

  error(message: string | Error, ...details: unknown[]): void {
    this.channel.error(line(message, details));
  }

  show(): void {
    this.channel.show(true);
  }

  dispose(): void {
    this.channel.dispose();
  }
}

function line(message: string | Error, details: readonly unknown[]): string {
  return redact([message, ...details].map(worded).join(' '));
}

function worded(detail: unknown): string {
  if (detail instanceof Error) return `${reasonOf(detail)}${stackBelow(detail)}`;
  return typeof detail === 'string' ? detail : JSON.stringify(detail);
}

/** Where it happened, without the first lines, which repeat the message. */
function stackBelow(error: Error): string {
  const frames = error.stack?.split('\n').filter((frame) => frame.startsWith('    at ')) ?? [];
  return frames.map((frame) => `\n${frame}`).join('');
}
