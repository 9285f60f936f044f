import type * as vscode from 'vscode';
import type { StyleShelf } from '../../compose/projectStyles';
import type { Owned } from '../../base/disposable';
import { Lazy } from '../../base/lazy';
import type { Foundation } from '../../foundation';
import type { DocumentLink } from '../links/documentLinks';
import type { ImageToAdd } from './addToRenderFile';
import type { Row } from './renderFileItem';
import type { RenderFilesTree } from './renderFilesTree';
import { WorkspaceStyles } from './workspaceStyles';
import type { Documents } from '../links/documents';
import type { OpenCompare } from '../compare/comparedPicture';
import type { PriceWish } from '../../compose/priceWish';

/** The features for showing render files and ordering their images, each loaded on first use. */
export interface OpenedRenderFiles {
  /** The content of a view. `readAgain` makes the view refresh everything. */
  readonly treeIn: (view: vscode.TreeView<Row>, readAgain: () => void) => Promise<RenderFilesTree>;
  readonly renderEntries: (where: unknown, entry: unknown) => Promise<void>;
  readonly renderAllEntries: () => Promise<void>;
  readonly fitEntries: (where: unknown, entry: unknown) => Promise<void>;
  readonly adoptImages: (where: unknown, entry: unknown) => Promise<void>;
  readonly checkRenderFiles: () => Promise<void>;
  readonly newRenderFile: (where: unknown) => Promise<void>;
  readonly addFileEntry: (item: unknown, items: unknown) => Promise<void>;
  readonly addFormEntry: () => Promise<void>;
  readonly addLinkEntry: (missing: DocumentLink) => Promise<void>;
  /** The styles that they define, for renders ordered elsewhere; none before there is a render file. */
  readonly styles: StyleShelf;
}

/** Loads each feature on first use. */
export function openRenderFiles(
  own: Owned,
  foundation: Foundation,
  documents: Lazy<Documents>,
  openCompare: OpenCompare,
  nextInForm: () => PriceWish | undefined,
): OpenedRenderFiles {
  const styles = own.add(new WorkspaceStyles(foundation.context.workspaceState));
  const files = new Lazy(async () => {
    const [{ RenderFiles }, { helpToWrite }] = await Promise.all([import('./renderFiles'), import('./language')]);
    const made = own.add(new RenderFiles(foundation));
    own.add(helpToWrite(made, foundation));
    return made;
  });
  const all = new Lazy(async () => {
    const [{ AllRenderFiles }, { followMoves }] = await Promise.all([
      import('./allRenderFiles'),
      import('./followMoves'),
    ]);
    const made = own.add(new AllRenderFiles(await files.get(), foundation.log));
    own.add(followMoves(await files.get(), made, foundation.log));
    styles.follow(made);
    return made;
  });
  const checked = new Lazy(async () => {
    const { CheckedRenderFiles } = await import('./checkRenderFiles');
    return own.add(new CheckedRenderFiles(await all.get()));
  });
  const add = async (images: readonly ImageToAdd[]) => {
    const { addToRenderFile } = await import('./addToRenderFile');
    return addToRenderFile(images, await files.get(), await all.get());
  };
  return {
    treeIn: async (view, readAgain) => {
      const { RenderFilesTree } = await import('./renderFilesTree');
      return own.add(new RenderFilesTree(await all.get(), view, readAgain));
    },
    renderEntries: async (where, entry) => {
      const { renderEntries } = await import('./renderEntries');
      return renderEntries(where, entry, await all.get(), await files.get(), foundation, openCompare);
    },
    renderAllEntries: async () => {
      const { renderAllEntries } = await import('./renderEntries');
      return renderAllEntries(await all.get(), await files.get(), foundation, openCompare);
    },
    fitEntries: async (where, entry) => {
      const { fitEntries } = await import('./fitEntries');
      return fitEntries(where, entry, await files.get(), foundation);
    },
    adoptImages: async (where, entry) => {
      const { adoptImages } = await import('./adoptImages');
      return adoptImages(where, entry, await files.get(), foundation);
    },
    checkRenderFiles: async () => (await checked.get()).check(),
    newRenderFile: async (where) => {
      const { newRenderFile } = await import('./newRenderFile');
      return newRenderFile(where, await all.get(), foundation);
    },
    addFileEntry: async (item, items) => {
      const { filesToAdd } = await import('./imagesToAdd');
      return add(await filesToAdd(item, items, foundation));
    },
    addFormEntry: async () => {
      const { formToAdd } = await import('./formToAdd');
      return add(await formToAdd(nextInForm(), await all.get(), foundation));
    },
    addLinkEntry: async (missing) => {
      const { linkToAdd } = await import('./imagesToAdd');
      return add([linkToAdd(missing, await documents.get(), foundation.settings)]);
    },
    styles,
  };
}
