import type * as vscode from 'vscode';
import type { Size } from '../../documents/shape';
import type { FileFit } from '../../fit/fit';
import { fitAt } from '../../renderFiles/targets';
import type { Settings } from '../settings';

/**
 * What the image of a link is fitted to: the size that the document states for it. Undefined if it states none, the
 * person turned it off, or images can't be written in the format of that file.
 */
export function linkFit(
  file: vscode.Uri,
  size: Size | undefined,
  settings: Pick<Settings, 'fitToLinks'>,
): FileFit | undefined {
  const mode = settings.fitToLinks(file);
  if (!size || mode === 'none') return undefined;
  return fitAt(file.path, { width: Math.round(size.width), height: Math.round(size.height), mode });
}
