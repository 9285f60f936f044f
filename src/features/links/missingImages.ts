import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../base/disposable';
import { formatCents } from '../../base/format';
import { escapeForIcons, plain } from '../../base/plain';
import { isWorthRendering, promptOfLink, shapeOf } from '../../documents/prompt';
import { documentFile, loggedPath, isRenamed } from '../../editor/workspaceFiles';
import { commands } from '../../editor/ids';
import type { Settings } from '../../editor/settings';
import { SteadyLenses } from '../../editor/steadyLenses';
import { UserError } from '../../editor/userError';
import { fitWords } from '../../editor/words';
import { fileNameOf } from '../../files/names';
import { fileKey } from '../../files/sameFile';
import { isOver } from '../../renders/fileRenders';
import { pendingSentence } from '../rendering/renderNotices';
import type { DocumentLink, DocumentLinks } from './documentLinks';
import { linkFit } from './linkFit';
import type { LinkPrices } from './model/linkPrices';
import { longestDocument } from './model/linkReader';

/** The most links of a document with an offer of their own: the offer at the top has all of them. */
const mostOffers = 500;

/** A CodeLens that offers to render a link's image; without a link, the one at the top for all of them. */
export class MissingLens extends vscode.CodeLens {
  constructor(
    range: vscode.Range,
    readonly document: vscode.TextDocument,
    readonly missing: DocumentLink | undefined,
    command?: vscode.Command,
  ) {
    super(range, command);
  }
}

/**
 * Offers to render missing images that nobody is rendering: a subtle decoration, a CodeLens, and a Quick Fix for each
 * link.
 */
export class MissingImages implements Disposable {
  private readonly own = new Disposables();
  /** The CodeLenses of documents; only visible ones get their prices. */
  readonly lenses = this.own.add(
    new SteadyLenses<MissingLens>(
      (document) => this.lensesOf(document),
      (lens) => this.priced(lens),
    ),
  );
  private readonly hints = this.own.add(vscode.languages.createDiagnosticCollection('Model Catalog: missing images'));

  constructor(
    private readonly links: DocumentLinks,
    private readonly prices: LinkPrices,
    private readonly settings: Pick<Settings, 'missingImages' | 'fitMissingImages'>,
  ) {
    for (const happens of [links.onDidChange, prices.onDidChange, vscode.workspace.onDidGrantWorkspaceTrust])
      this.own.add(happens(() => this.lenses.change()));
    this.own.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.hints.delete(uri)));
  }

  /** The CodeLenses of a document; also draws its decorations. */
  private async lensesOf(document: vscode.TextDocument): Promise<MissingLens[]> {
    const all = this.settings.missingImages(documentFile(document.uri)) ? await this.in(document) : [];
    const toRender = all.filter(({ link }) => isWorthRendering(link));
    const missing = toRender.filter(isMissing).slice(0, mostOffers);
    const lenses = missing.map((link) => new MissingLens(rangeOf(document, link), document, link));
    this.hints.set(
      document.uri,
      missing.map((link) => this.hintOf(document, link)),
    );
    const count = imagesIn(toRender);
    return count < 2 ? lenses : [lensForAll(document, count), ...lenses];
  }

  /** The CodeLens with its text, and its price if available. */
  private async priced(lens: MissingLens): Promise<MissingLens> {
    if (lens.missing) lens.command = renderCommand(lens.document, lens.missing, await this.titleOf(lens.missing));
    return lens;
  }

  /** The quick fixes for a range of a document. */
  async fixesAt(document: vscode.TextDocument, range: vscode.Range): Promise<vscode.CodeAction[]> {
    if (!this.settings.missingImages(documentFile(document.uri))) return [];
    const toRender = await this.in(document);
    const at = touched(document, toRender, range);
    const commands = await Promise.all(at.map(async (link) => renderCommand(document, link, await this.titleOf(link))));
    const count = imagesIn(toRender);
    const all = at.length > 0 && count > 1 ? [allCommand(document, count)] : [];
    const added = at.slice(0, 1).map((link) => addCommand(document, link));
    return [...commands, ...all, ...added].map((command) => {
      const fix = new vscode.CodeAction(command.title, vscode.CodeActionKind.QuickFix);
      fix.command = command;
      fix.diagnostics = at.map((link) => this.hintOf(document, link));
      return fix;
    });
  }

  /**
   * The link that the command applies to, at an offset or the cursor. Undefined when there is none, or its image
   * exists. Rejects with UserError when it has a render that isn't over, when it may exist elsewhere, or when the
   * document is too large to find out.
   */
  async at(document: vscode.TextDocument, range: vscode.Range): Promise<DocumentLink | undefined> {
    const links = touched(document, await this.links.of(document), range);
    const [link, pending, doubtful] = [links.find(isToRender), links.find(isPending), links.find(isDoubtful)];
    if (!link && pending) throw new UserError(pendingSentence(fileNameOf(pending.file.toString()), pending.entry));
    if (!link && doubtful?.doubt?.why === 'elsewhere') throw new UserError(elsewhereSentence(doubtful.doubt.path));
    if (!link && doubtful?.doubt?.why === 'place') throw new UserError(placeSentence());
    if (!link && (await this.links.isTooLarge(document))) throw tooLarge(documentFile(document.uri));
    return link;
  }

  dispose(): void {
    this.own.dispose();
  }

  private async in(document: vscode.TextDocument): Promise<readonly DocumentLink[]> {
    return (await this.links.of(document)).filter(isToRender);
  }

  private async titleOf(missing: DocumentLink): Promise<string> {
    const { link } = missing;
    const prompt = promptOfLink(link);
    const fit = this.fitOf(missing);
    if (prompt === undefined)
      return fit === undefined ? vscode.l10n.t('Render this image…') : vscode.l10n.t('Render this image… · {0}', fit);
    const price = await this.prices.of(prompt, shapeOf(link));
    if (!price)
      return fit === undefined
        ? vscode.l10n.t('Render image from alt text…')
        : vscode.l10n.t('Render image from alt text… · {0}', fit);
    const [title, amount] = [escapeForIcons(price.title, 40), formatCents(price.cents, vscode.env.language)];
    return fit === undefined
      ? vscode.l10n.t('Render… · {0} · {1}', title, amount)
      : vscode.l10n.t('Render… · {0} · {1} · {2}', title, fit, amount);
  }

  private fitOf({ link, file }: DocumentLink): string | undefined {
    const size = shapeOf(link);
    return size && fitWords(linkFit(file, size, this.settings));
  }

  private hintOf(document: vscode.TextDocument, missing: DocumentLink): vscode.Diagnostic {
    const name = plain(fileNameOf(missing.file.toString()));
    const fit = this.fitOf(missing);
    const words = [vscode.l10n.t('{0} doesn’t exist.', name), fit].filter(Boolean).join(' · ');
    const hint = new vscode.Diagnostic(rangeOf(document, missing), words, vscode.DiagnosticSeverity.Hint);
    hint.source = 'Model Catalog';
    return hint;
  }
}

/**
 * The image is certainly missing and not in progress, and nothing about it needs a decision first, such as an order
 * that wasn't sent or a result under another name. A render for it may have failed.
 */
export function isToRender(link: DocumentLink): boolean {
  return !link.doubt && isUnmade(link);
}

/**
 * The same, but an image elsewhere may be the one that is meant, or a build makes it, or its place is unknown: only a
 * person can tell.
 */
export function isDoubtful(link: DocumentLink): boolean {
  return link.doubt !== undefined && isUnmade(link);
}

function isUnmade({ isThere, entry }: DocumentLink): boolean {
  return !isThere && (entry === undefined || (isOver(entry) && !isRenamed(entry)));
}

/** The image is missing, and has a render that isn't over. */
export function isPending({ isThere, entry }: DocumentLink): boolean {
  return !isThere && entry !== undefined && !isOver(entry);
}

/** No render for it has failed either: the link already shows that. */
function isMissing({ entry }: DocumentLink): boolean {
  return entry === undefined || entry.state === 'saved';
}

function elsewhereSentence(path: string): string {
  return vscode.l10n.t(
    'This image exists as {0}. To render another one anyway, select it in Render Missing Images.',
    plain(path),
  );
}

function placeSentence(): string {
  return vscode.l10n.t(
    'We can’t tell where the site looks for this image. Select it in Render Missing Images to choose a folder.',
  );
}

/** How many images the links name: one that several name is rendered once. */
function imagesIn(links: readonly DocumentLink[]): number {
  return new Set(links.map(({ file }) => fileKey(file.toString()))).size;
}

function renderCommand(document: vscode.TextDocument, { link }: DocumentLink, title: string): vscode.Command {
  return { command: commands.renderMissing, title, arguments: [document.uri.toString(), link.address.start] };
}

function addCommand(document: vscode.TextDocument, { link }: DocumentLink): vscode.Command {
  const title = vscode.l10n.t('Add to render file');
  const command = commands.addLinkEntry;
  return { command, title, arguments: [document.uri.toString(), link.address.start] };
}

function lensForAll(document: vscode.TextDocument, count: number): MissingLens {
  return new MissingLens(new vscode.Range(0, 0, 0, 0), document, undefined, allCommand(document, count));
}

function allCommand({ uri }: vscode.TextDocument, count: number): vscode.Command {
  const title = vscode.l10n.t('Render {0} missing images…', count);
  return { command: commands.renderMissingImages, title, arguments: [uri] };
}

function rangeOf(document: vscode.TextDocument, { link: { address } }: DocumentLink): vscode.Range {
  return new vscode.Range(document.positionAt(address.start), document.positionAt(address.end));
}

/** The links that a range touches. */
function touched(
  document: vscode.TextDocument,
  links: readonly DocumentLink[],
  range: vscode.Range,
): readonly DocumentLink[] {
  const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
  return links.filter(({ link }) =>
    [link.element, link.address].some((span) => span.start <= end && start <= span.end),
  );
}

/**
 * The link to a missing image that a command applies to: in the document with this URI at this offset (UTF-16 code
 * units), else at the cursor. Rejects with UserError without one, and when the document is too large to find it.
 */
export async function missingAt(missing: MissingImages, uri: unknown, offset: unknown): Promise<DocumentLink> {
  const place = typeof uri === 'string' && typeof offset === 'number' ? await placeOf(uri, offset) : await cursor();
  const link = place && (await missing.at(place.document, place.range));
  if (link) return link;
  throw new UserError(
    vscode.l10n.t('No missing image here. Place the cursor on a link to an image that doesn’t exist.'),
  );
}

/** The file (URI) of the missing image whose link has the cursor of the active editor; undefined without one. */
export async function missingAtCursor(links: DocumentLinks): Promise<string | undefined> {
  const { document, selection } = vscode.window.activeTextEditor ?? {};
  if (!document || !selection) return undefined;
  const cursor = new vscode.Range(selection.active, selection.active);
  return touched(document, await links.of(document), cursor)
    .find(isToRender)
    ?.file.toString();
}

async function placeOf(uri: string, offset: number) {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true));
  const at = document.positionAt(offset);
  return { document, range: new vscode.Range(at, at) };
}

async function cursor() {
  const editor = vscode.window.activeTextEditor;
  if (editor) return { document: editor.document, range: editor.selection };
  // The editor shows very large documents without giving extensions their text.
  const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
  if (!(input instanceof vscode.TabInputText)) return undefined;
  if ((await vscode.workspace.fs.stat(input.uri)).size > longestDocument) throw tooLarge(input.uri);
  return undefined;
}

/** Why no missing image was found in a document that is too large to find all of them. */
export function tooLarge(document: vscode.Uri): UserError {
  return new UserError(
    vscode.l10n.t(
      '“{0}” is too large to search for images. Split it into smaller documents, then try again.',
      loggedPath(document),
    ),
  );
}
