import type * as vscode from 'vscode';
import type { StatedSize } from '../../documents/prompt';
import type { FileFit } from '../../files/fit/fit';
import { fitAt } from '../../renderFiles/targets';
import type { Settings } from '../../editor/settings';

/**
 * What the image of a link is fitted to: the format of its file, and the size that the document states for it, if any.
 * Undefined if the user turned it off, or images can't be written in the format of that file.
 */
export function linkFit(
  file: vscode.Uri,
  size: StatedSize | undefined,
  settings: Pick<Settings, 'fitMissingImages'>,
): FileFit | undefined {
  const mode = settings.fitMissingImages(file);
  if (mode === 'none') return undefined;
  return fitAt(file.path, { ...(size && { width: Math.round(size.width), height: Math.round(size.height) }), mode });
}
