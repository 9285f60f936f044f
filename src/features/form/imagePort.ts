import * as vscode from 'vscode';
import type { FormImageFiles } from './model/formImages';
import type { GivenImages } from '../../files/givenImages';
import { imageSource } from '../../editor/workspaceFiles';

/** The user's files, and the images that are kept of them. */
export function imagePort(images: GivenImages): FormImageFiles & Pick<GivenImages, 'pathOf'> {
  return {
    pathOf: (image) => images.pathOf(image),
    keep: (bytes, file) => images.keep(bytes, file),
    has: (image) => images.has(image),
    pick: async (types) => {
      const [uri] =
        (await vscode.window.showOpenDialog({
          openLabel: vscode.l10n.t('Use Image'),
          title: vscode.l10n.t('Choose Image'),
          filters: { [vscode.l10n.t('Images')]: extensionsFor(types) },
          defaultUri: vscode.workspace.workspaceFolders?.[0]?.uri,
        })) ?? [];
      return uri && imageSource(uri);
    },
    find: async (text) => {
      const uri = vscode.Uri.parse(text, true);
      return vscode.workspace.getWorkspaceFolder(uri) ? imageSource(uri) : undefined;
    },
  };
}

/** The usual file extensions of media types. */
export function extensionsFor(types: readonly string[]): string[] {
  return types.flatMap((type) => extensionsOf[type] ?? type.slice('image/'.length));
}

const extensionsOf: Readonly<Record<string, readonly string[]>> = {
  'image/jpeg': ['jpg', 'jpeg'],
  'image/svg+xml': ['svg'],
};
