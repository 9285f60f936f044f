import * as vscode from 'vscode';
import { translated } from '../rendering/translated';
import { type FormImageFiles, FormImages } from './model/formImages';
import { englishFormStrings } from './page/formMessages';
import type { GivenImages } from '../../files/givenImages';
import { imageSource } from '../../editor/workspaceFiles';

/** The user's files, and the images that are kept of them. */
export function imagePort(images: GivenImages): FormImageFiles & Pick<GivenImages, 'pathOf'> {
  return {
    pathOf: (image) => images.pathOf(image),
    keep: (bytes, file) => images.keep(bytes, file),
    read: (image) => images.read(image),
    has: (image) => images.has(image),
    pick: async (types, several) => {
      const uris = await vscode.window.showOpenDialog({
        openLabel: several ? vscode.l10n.t('Use Images') : vscode.l10n.t('Use Image'),
        title: several ? vscode.l10n.t('Choose Images') : vscode.l10n.t('Choose Image'),
        canSelectMany: several,
        filters: { [vscode.l10n.t('Images')]: extensionsFor(types) },
        defaultUri: vscode.workspace.workspaceFolders?.[0]?.uri,
      });
      return Promise.all((uris ?? []).map(imageSource));
    },
    find: async (text) => {
      const uri = vscode.Uri.parse(text, true);
      return vscode.workspace.getWorkspaceFolder(uri) ? imageSource(uri) : undefined;
    },
  };
}

/** What a user gives as images, for a feature without a form: says what is wrong with it as the form does. */
export function givenIn(images: FormImageFiles): FormImages {
  return new FormImages(images, translated(englishFormStrings), vscode.env.language);
}

/** The usual file extensions of media types. */
export function extensionsFor(types: readonly string[]): string[] {
  return types.flatMap((type) => extensionsOf[type] ?? type.slice('image/'.length));
}

const extensionsOf: Readonly<Record<string, readonly string[]>> = {
  'image/jpeg': ['jpg', 'jpeg'],
  'image/svg+xml': ['svg'],
};
