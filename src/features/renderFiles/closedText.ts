import * as vscode from 'vscode';
import { Lines } from '../../base/lines';
import type { RenderText } from './renderFiles';

/** The text of a file that no editor has open. Opening it would show it to every extension. */
export class ClosedText implements RenderText {
  readonly version = 1;
  private lines: Lines | undefined;

  constructor(
    readonly uri: vscode.Uri,
    private readonly text: string,
  ) {}

  getText(): string {
    return this.text;
  }

  positionAt(offset: number): vscode.Position {
    this.lines ??= new Lines(this.text);
    const { line, column } = this.lines.placeOf(offset);
    return new vscode.Position(line, column);
  }
}
