import * as vscode from 'vscode';
import { Owned, type Disposable } from '../../base/disposable';
import type { Lazy } from '../../base/lazy';
import type { Documents } from '../documents/documents';
import { settingIds } from '../ids';
import type { Settings } from '../settings';
import type { MissingLens } from './missingImages';

/** The files that can name images, by their endings: what reads them loads with the first that is opened. */
const documentsWithImages = {
  pattern:
    '**/*.{md,markdown,mdown,qmd,rmd,mdx,html,htm,xhtml,jsx,tsx,js,mjs,vue,svelte,css,pcss,scss,less,tex,ltx,rst,adoc,asciidoc,asc}',
};

/** Lets the editor ask which images a document names that are not there. */
export function registerMissingImages(documents: Lazy<Documents>, settings: Settings): Disposable {
  const own = new Owned();
  const changed = own.add(new vscode.EventEmitter<void>());
  own.add(settings.onDidChange((ids) => ids.has(settingIds.missingImages) && changed.fire()));
  let follows = false;
  const missing = async () => {
    const { links, missing: images } = await documents.get();
    if (!follows) own.add(links.onDidChange(() => changed.fire()));
    follows = true;
    return images;
  };
  const lenses: vscode.CodeLensProvider<MissingLens> = {
    onDidChangeCodeLenses: changed.event,
    provideCodeLenses: async (document) => (await missing()).lensesOf(document),
    resolveCodeLens: async (lens) => (await missing()).priced(lens),
  };
  own.add(vscode.languages.registerCodeLensProvider(documentsWithImages, lenses));
  own.add(
    vscode.languages.registerCodeActionsProvider(
      documentsWithImages,
      { provideCodeActions: async (document, range) => (await missing()).fixesAt(document, range) },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  );
  return own;
}
