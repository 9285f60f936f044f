import * as vscode from 'vscode';
import { type Disposable, Disposables, Lazy } from '../../base/disposable';
import type { StyleSource } from '../../compose/projectStyles';
import { commands as ids, settingIds } from '../../editor/ids';
import type { Settings } from '../../editor/settings';
import type { Foundation } from '../../foundation';
import type { DocumentLink } from './documentLinks';
import type { Documents } from './documents';
import type { MissingImages, MissingLens } from './missingImages';

/** The offers in documents with missing images, and the list of all of them. */
export function register(
  own: Disposables,
  foundation: Foundation,
  documents: Lazy<Documents>,
  renderFiles: Lazy<{ readonly styles: StyleSource; addLinkEntry(link: DocumentLink): Promise<void> }>,
  quickRender: Lazy<{ openFor(link: DocumentLink): Promise<void> }>,
): void {
  const { commands, settings } = foundation;
  const missing = own.add(new MissingImageProviders(documents, settings));
  const linkAt = async (uri: unknown, offset: unknown) =>
    (await import('./missingImages')).missingAt(await missing.images(), uri, offset);
  commands.register(ids.renderMissing, async (uri, offset) =>
    (await quickRender.get()).openFor(await linkAt(uri, offset)),
  );
  commands.register(ids.addLinkEntry, async (uri, offset) =>
    (await renderFiles.get()).addLinkEntry(await linkAt(uri, offset)),
  );
  commands.register(ids.renderMissingImages, async (where) =>
    (await import('./renderMissingImages')).renderMissingImages(
      where,
      foundation,
      await documents.get(),
      (await renderFiles.get()).styles,
    ),
  );
}

/** File types that can name images, and cells of notebooks. Their code loads when the first one is opened. */
const documentsWithImages: vscode.DocumentSelector = [
  {
    pattern:
      '**/*.{md,markdown,mdown,qmd,rmd,mdx,html,htm,xhtml,jsx,tsx,js,mjs,vue,svelte,astro,css,pcss,scss,less,tex,ltx,typ,rst,adoc,asciidoc,asc}',
  },
  { notebookType: 'jupyter-notebook', language: 'markdown' },
];

/** Providers for missing images in documents. Their code loads with the first document that can name images. */
class MissingImageProviders implements Disposable {
  private readonly own = new Disposables();
  private readonly changed = this.own.add(new vscode.EventEmitter<void>());
  private readonly loaded = new Lazy(() => this.load());

  constructor(
    private readonly documents: Lazy<Documents>,
    private readonly settings: Settings,
  ) {
    this.own.add(
      settings.onDidChange(
        (ids) =>
          [settingIds.missingImages, settingIds.fitMissingImages].some((id) => ids.has(id)) && this.changed.fire(),
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
