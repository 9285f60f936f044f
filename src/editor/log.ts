import * as vscode from 'vscode';
import { type Log, onOneLine, reasonOf, redact, withoutNames } from '../base/log';

/** The extension's log in the Output panel: without anything shaped like an API key, or named after a prompt. */
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
  return [message, ...details].map(worded).join(' ');
}

function worded(detail: unknown): string {
  if (detail instanceof Error) return safe(reasonOf(detail)) + redact(stackOf(detail));
  return safe(typeof detail === 'string' ? detail : JSON.stringify(detail));
}

/** Redacts keys first: later steps may change where a key appears to end. */
function safe(text: string): string {
  return onOneLine(withoutNames(redact(text)));
}

/** The stack without the message, which may itself look like one. */
function stackOf({ stack = '', message }: Error): string {
  const frames = stack.slice(stack.indexOf(message) + message.length).split('\n');
  return frames
    .filter((frame) => frame.startsWith('    at '))
    .map((frame) => `\n${frame}`)
    .join('');
}
