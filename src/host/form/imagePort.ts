import * as vscode from 'vscode';
import type { ImagePort, ImageSource } from '../../app/form/formImages';
import { fileNameOf } from '../../files/fileName';
import type { GivenImages } from '../../files/givenImages';

/** The person's files, and the images that are kept of them. */
export function imagePort(images: GivenImages): ImagePort & Pick<GivenImages, 'pathOf'> {
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

/** A file that may become an input. Rejects when it doesn't exist. */
export async function imageSource(uri: vscode.Uri): Promise<ImageSource> {
  const { size, type } = await vscode.workspace.fs.stat(uri);
  const isOurs = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  return {
    // A path outside the workspace says more about a person's computer than their render needs.
    file: isOurs ? vscode.workspace.asRelativePath(uri) : fileNameOf(uri.toString()),
    bytes: size,
    isFolder: (type & vscode.FileType.Directory) !== 0,
    read: async () => vscode.workspace.fs.readFile(uri),
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
