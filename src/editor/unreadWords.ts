import * as vscode from 'vscode';
import { plain } from '../base/plain';
import { formatSize } from '../base/size';
import { fileNameOf } from '../files/fileName';
import { largestFile, largestSidecar, type Unread } from '../files/telling';

/** Says which parts of a file couldn't be read to find out how it was made, and what to do, in whole sentences. */
export function unreadWords(file: vscode.Uri, unread: readonly Unread[]): string[] {
  const name = plain(fileNameOf(file.toString()), 60);
  return unread.map((part) => {
    switch (part) {
      case 'largeFile':
        return vscode.l10n.t(
          '“{0}” is larger than {1}, so its metadata can’t be read here. Open it in another program to see it.',
          name,
          formatSize(largestFile, vscode.env.language),
        );
      case 'largeSidecar':
        return vscode.l10n.t(
          'The sidecar file of “{0}” is larger than {1}, so it can’t be read. Restore an earlier version, or delete it.',
          name,
          formatSize(largestSidecar, vscode.env.language),
        );
      case 'brokenSidecar':
        return vscode.l10n.t(
          'The sidecar file of “{0}” is damaged, so it can’t be read. Restore an earlier version, or delete it.',
          name,
        );
    }
  });
}
