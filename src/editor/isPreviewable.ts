import * as vscode from 'vscode';
import { largestPreview } from './hoverImage';

/** True for a file that exists and isn't too large for a hover. Never rejects. */
export async function isPreviewable(file: vscode.Uri): Promise<boolean> {
  try {
    const { type, size } = await vscode.workspace.fs.stat(file);
    return (type & vscode.FileType.File) !== 0 && size <= largestPreview;
  } catch {
    // Moved or deleted since: show the hover without it.
    return false;
  }
}
