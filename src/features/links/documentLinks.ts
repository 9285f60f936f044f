import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { type Disposable, Disposables, Emitter } from '../../base/disposable';
import type { Log } from '../../base/log';
import { Yielder } from '../../base/concurrency';
import type { ImageLink } from '../../documents/link';
import { type Doubt, linkPath, located, type Naming, type Surroundings } from '../../documents/linkPath';
import { fileSyntax, syntaxOf } from '../../documents/syntax';
import { fileKey } from '../../files/sameFile';
import type { FileRenders } from '../../renders/fileRenders';
import type { Library, LibraryEntry } from '../../renders/library';
import { FilesThere, pathIn, Sites } from './sites';
import { documentFile, documentFolder, isRenamed } from '../../editor/workspaceFiles';
import { type LinkReader, Readings, type ReadLinks } from './model/linkReader';

/** A document's link to an image of its workspace folder, with its file and render. */
export interface DocumentLink {
  readonly link: ImageLink;
  /** The existing file, or the one that a render for it would be saved as. */
  readonly file: vscode.Uri;
  readonly isThere: boolean;
  /** Why no render is offered although the file doesn't exist. */
  readonly doubt?: Doubt;
  /**
   * The render for that file, as `FileRenders.byFile`. None if its result was renamed and then deleted.
   */
  readonly entry?: LibraryEntry;
}

/** A document, open or not: without a language, it's the text of a file. */
export type ReadDocument = Pick<vscode.TextDocument, 'uri' | 'languageId' | 'version' | 'getText'>;

/** The renders whose results documents name. */
interface FollowedRenders {
  readonly library: Pick<Library, 'onDidEnd'>;
  readonly fileRenders: FileRenders;
}

/** The links found in a document of a folder. */
interface Joined {
  readonly version: number;
  readonly folder: vscode.WorkspaceFolder;
  readonly links: Promise<readonly DocumentLink[]>;
}

/** In a language that we don't read. */
const noLinks: ReadLinks = { links: [], isWhole: true };

/** The image links of documents, joined with existing files and the renders that will become them. */
export class DocumentLinks implements Disposable {
  private readonly own = new Disposables();
  private readonly changed = this.own.add(new Emitter<void>());
  private readonly files: FilesThere;
  private readonly sites: Sites;
  private readonly readings = new Readings((document: ReadDocument) => this.parse(document));
  private joined = new WeakMap<ReadDocument, Joined>();
  /** Files or renders changed, and so perhaps the links of any document. */
  readonly onDidChange = this.changed.event;

  private renders: FollowedRenders['fileRenders'] | undefined;

  constructor(
    private readonly reader: Pick<LinkReader, 'read'>,
    log: Log,
  ) {
    this.files = this.own.add(new FilesThere(log));
    this.sites = this.own.add(new Sites(this.files, log));
    for (const source of [this.files, this.sites]) this.own.add(source.onDidChange(() => this.change()));
  }

  /** Call once, when the renders are loaded; until then only files are considered. */
  follow({ library, fileRenders }: FollowedRenders): void {
    this.renders = fileRenders;
    this.own.add(fileRenders.onDidChange(() => this.change()));
    this.own.add(library.onDidEnd(() => this.files.forgetAll()));
    this.change();
  }

  /** Checks the disk again: the editor doesn't report a file that appears and disappears within a moment. */
  lookAgain(): void {
    this.files.forgetAll();
  }

  /** True when a render will become, or became, a file that a document names. */
  get isAwaited(): boolean {
    return this.renders !== undefined && this.renders.byFile.size > 0;
  }

  /**
   * The document's links to files in its own workspace folder, perhaps those of a later version. Links that lead
   * elsewhere are left out.
   */
  of(document: ReadDocument): Promise<readonly DocumentLink[]> {
    const folder = documentFolder(document.uri);
    if (!folder) return Promise.resolve([]);
    const { version } = document;
    const known = this.joined.get(document);
    if (known?.version === version && known.folder === folder) return known.links;
    // Everything that shows something about a document asks at the same moment.
    const links = this.join(document, folder);
    this.joined.set(document, { version, folder, links });
    return links;
  }

  /** The images that the document names, wherever they lead, perhaps those of a later version. Never rejects. */
  read(document: ReadDocument): Promise<ReadLinks> {
    return this.readings.of(document);
  }

  /** Whether the document is too large to find all of its links. */
  async isTooLarge(document: ReadDocument): Promise<boolean> {
    return !(await this.read(document)).isWhole;
  }

  /** The path by which a link of a document is to name a file of the same workspace folder. Never rejects. */
  pathOf(naming: Naming, document: vscode.Uri, file: vscode.Uri, folder: vscode.WorkspaceFolder): Promise<string> {
    const path = pathIn(folder, documentFile(document));
    return linkPath(naming, path, pathIn(folder, file), this.around(folder, path, new Yielder(systemClock)));
  }

  /** An open document that names the file, preferably the active one; undefined if none does. */
  async documentWith(file: vscode.Uri): Promise<vscode.TextDocument | undefined> {
    const { activeTextEditor, visibleTextEditors } = vscode.window;
    const inFront = [activeTextEditor, ...visibleTextEditors].flatMap((editor) => editor?.document ?? []);
    for (const document of new Set([...inFront, ...vscode.workspace.textDocuments]))
      if ((await this.of(document)).some((link) => link.file.toString() === file.toString())) return document;
    return undefined;
  }

  dispose(): void {
    this.own.dispose();
  }

  private async parse(document: ReadDocument): Promise<ReadLinks> {
    const { languageId, uri } = document;
    const file = documentFile(uri);
    const stated = languageId === '' ? fileSyntax(uri.path) : syntaxOf(languageId, uri.path);
    const text = document.getText();
    const syntax = stated === 'markdown' && (await this.isMdx(file, text)) ? 'mdx' : stated;
    return syntax ? this.reader.read(text, syntax, vscode.workspace.asRelativePath(file)) : noLinks;
  }

  /** Whether the document's site reads its Markdown as MDX. Not asked where that would make no difference. */
  private async isMdx(uri: vscode.Uri, text: string): Promise<boolean> {
    const folder = /^import\s|=\{/m.test(text) ? vscode.workspace.getWorkspaceFolder(uri) : undefined;
    const site = folder && (await this.sites.of(folder, pathIn(folder, uri)));
    return site?.config !== undefined && site.builder.readsMdx?.(site.config) === true;
  }

  private async join(document: ReadDocument, folder: vscode.WorkspaceFolder): Promise<readonly DocumentLink[]> {
    const path = pathIn(folder, documentFile(document.uri));
    // Begins before the document is parsed, which may take a turn.
    const turns = new Yielder(systemClock);
    const { links } = await this.read(document);
    const found = await located(links, path, this.around(folder, path, turns));
    const joined: DocumentLink[] = [];
    for (const [at, link] of links.entries()) {
      const place = found[at];
      if (!place) continue;
      const file = vscode.Uri.joinPath(folder.uri, place.path);
      const { isThere, doubt } = place;
      joined.push({ link, file, isThere, doubt, entry: await this.standingFor(file) });
      await turns.next();
    }
    return joined;
  }

  /** One link may be looked for in many places, and many links in the same: each is part of a turn. */
  private around(folder: vscode.WorkspaceFolder, path: string, turns: Yielder): Surroundings {
    const uri = (below: string) => vscode.Uri.joinPath(folder.uri, below);
    const known = new Map<string, Promise<boolean>>();
    let site: ReturnType<Sites['of']> | undefined;
    return {
      turn: () => turns.next(),
      has: async (below) => {
        await turns.next();
        const there = known.get(below) ?? this.files.has(uri(below));
        known.set(below, there);
        return there;
      },
      named: (name) => this.files.imagesNamed(folder, name),
      isIgnored: (below) => this.sites.isIgnored(folder, below),
      site: () => (site ??= this.sites.of(folder, path)),
      isAwaited: async (below) => {
        if (!this.isAwaited) return false;
        await turns.next();
        return this.entryOf(uri(below)) !== undefined;
      },
    };
  }

  private entryOf(file: vscode.Uri): LibraryEntry | undefined {
    return this.renders?.byFile.get(fileKey(file.toString()));
  }

  /**
   * The render for a file, except one whose result was renamed and then deleted, so that the file may be rendered
   * again.
   */
  private async standingFor(file: vscode.Uri): Promise<LibraryEntry | undefined> {
    const entry = this.entryOf(file);
    if (!entry?.file || !isRenamed(entry)) return entry;
    return (await this.files.has(vscode.Uri.parse(entry.file, true))) ? entry : undefined;
  }

  private change(): void {
    this.joined = new WeakMap();
    this.changed.fire();
  }
}
