import * as vscode from 'vscode';
import type { AskedRender } from '../../renderFiles/renderFile';
import type { Row } from './renderFileItem';

/** The part of a render file that a command applies to: all of it, one entry, or one image. */
export interface Part {
  readonly uri: vscode.Uri;
  readonly entry?: number;
  readonly target?: string;
}

/** The part that a command was called with: a URI and an entry, or a row of the view, else the active document. */
export function partOf(where: unknown, entry: unknown): Part | undefined {
  if (where instanceof vscode.Uri) return { uri: where, entry: typeof entry === 'number' ? entry : undefined };
  if (isRow(where)) return { uri: where.uri, entry: where.entry?.entry.index, target: where.image?.render.target };
  const active = vscode.window.activeTextEditor?.document;
  return active && { uri: active.uri };
}

/** True for a render of that part. */
export function isIn({ entry, target }: Part, render: AskedRender): boolean {
  return (entry ?? render.entry) === render.entry && (target ?? render.target) === render.target;
}

/** Commands can be called with anything. */
function isRow(where: unknown): where is Row {
  return typeof where === 'object' && where !== null && 'uri' in where && where.uri instanceof vscode.Uri;
}
