import * as vscode from 'vscode';
import { Owned, type Disposable } from '../../base/disposable';
import { Lazy } from '../../base/lazy';
import type { Documents } from './documents';
import { settingIds } from '../../editor/ids';
import type { Settings } from '../../editor/settings';
import type { MissingImages, MissingLens } from './missingImages';

/** File types that can name images, and cells of notebooks. Their code loads when the first one is opened. */
const documentsWithImages: vscode.DocumentSelector = [
  {
    pattern:
      '**/*.{md,markdown,mdown,qmd,rmd,mdx,html,htm,xhtml,jsx,tsx,js,mjs,vue,svelte,astro,css,pcss,scss,less,tex,ltx,typ,rst,adoc,asciidoc,asc}',
  },
  { notebookType: 'jupyter-notebook', language: 'markdown' },
];

/** Providers for missing images in documents. Their code loads with the first document that can name images. */
export class MissingImageDoors implements Disposable {
  private readonly own = new Owned();
  private readonly changed = this.own.add(new vscode.EventEmitter<void>());
  private readonly loaded = new Lazy(() => this.load());

  constructor(
    private readonly documents: Lazy<Documents>,
    private readonly settings: Settings,
  ) {
    this.own.add(
      settings.onDidChange(
        (ids) => [settingIds.missingImages, settingIds.fitToLinks].some((id) => ids.has(id)) && this.changed.fire(),
      ),
    );
    const { languages } = vscode;
    const lenses: vscode.CodeLensProvider<MissingLens> = {
      onDidChangeCodeLenses: this.changed.event,
      provideCodeLenses: async (document) => (await this.images()).lenses.provideCodeLenses(document),
      resolveCodeLens: async (lens) => (await this.images()).lenses.resolveCodeLens(lens),
    };
    const fixes: vscode.CodeActionProvider = {
      provideCodeActions: async (document, range) => (await this.images()).fixesAt(document, range),
    };
    this.own.add(languages.registerCodeLensProvider(documentsWithImages, lenses));
    this.own.add(
      languages.registerCodeActionsProvider(documentsWithImages, fixes, {
        providedCodeActionKinds: [vscode.CodeActionKind.QuickFix],
      }),
    );
  }

  images(): Promise<MissingImages> {
    return this.loaded.get();
  }

  dispose(): void {
    this.own.dispose();
  }

  private async load(): Promise<MissingImages> {
    const [{ MissingImages }, { links, prices }] = await Promise.all([import('./missingImages'), this.documents.get()]);
    const images = this.own.add(new MissingImages(links, prices, this.settings));
    this.own.add(images.lenses.onDidChangeCodeLenses(() => this.changed.fire()));
    return images;
  }
}
