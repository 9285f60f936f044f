import * as vscode from 'vscode';
import { Owned, type Disposable } from '../base/disposable';
import { formatCents } from '../base/money';
import { promptOf } from '../documents/prompt';
import { shapeOf } from '../documents/shape';
import type { DocumentLink, DocumentLinks } from './documentLinks';
import { fileNameOf } from './fileName';
import { commands } from './ids';
import type { LinkPrices } from './linkPrices';
import { plain } from './plain';
import { isRenamed } from './renamedResults';
import type { Settings } from './settings';

/** A line above a link that offers to render its image. */
export class MissingLens extends vscode.CodeLens {
  constructor(
    range: vscode.Range,
    readonly document: vscode.TextDocument,
    readonly missing: DocumentLink,
  ) {
    super(range);
  }
}

/** Links of documents to images that are not there and that nobody is rendering: a quiet hint, a lens and a quick fix to render each. */
export class MissingImages implements Disposable {
  private readonly own = new Owned();
  private readonly hints = this.own.add(vscode.languages.createDiagnosticCollection('Model Catalog: missing images'));

  constructor(
    private readonly links: DocumentLinks,
    private readonly prices: LinkPrices,
    private readonly settings: Pick<Settings, 'missingImages'>,
  ) {
    this.own.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.hints.delete(uri)));
  }

  /** The lenses of a document; its hints are drawn with them. The prices come with `priced`, for those in sight alone. */
  async lensesOf(document: vscode.TextDocument): Promise<MissingLens[]> {
    const missing = this.settings.missingImages(document.uri) ? await this.in(document) : [];
    const lenses = missing.map((link) => new MissingLens(rangeOf(document, link), document, link));
    this.hints.set(document.uri, lenses.map(hintOf));
    return lenses;
  }

  /** The lens with its words, and its price where that can be had. */
  async priced(lens: MissingLens): Promise<MissingLens> {
    lens.command = renderCommand(lens.document, lens.missing, await this.titleOf(lens.missing));
    return lens;
  }

  /** The quick fixes at a place of a document. */
  async fixesAt(document: vscode.TextDocument, range: vscode.Range): Promise<vscode.CodeAction[]> {
    if (!this.settings.missingImages(document.uri)) return [];
    const at = (await this.in(document)).filter((link) => touches(document, link, range));
    return Promise.all(
      at.map(async (link) => {
        const title = await this.titleOf(link);
        const fix = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
        fix.command = renderCommand(document, link, title);
        return fix;
      }),
    );
  }

  /** The link that the command is about: the one at an offset, or at the cursor. Undefined when that is none, or its image is there. */
  async at(document: vscode.TextDocument, range: vscode.Range): Promise<DocumentLink | undefined> {
    return (await this.in(document)).find((link) => touches(document, link, range));
  }

  dispose(): void {
    this.own.dispose();
  }

  private async in(document: vscode.TextDocument): Promise<readonly DocumentLink[]> {
    return (await this.links.of(document)).filter(isMissing);
  }

  private async titleOf({ link }: DocumentLink): Promise<string> {
    const prompt = promptOf(link);
    if (prompt === undefined) return vscode.l10n.t('Render this image…');
    const cents = await this.prices.of(prompt, shapeOf(link));
    return cents === undefined
      ? vscode.l10n.t('Render from alt text…')
      : vscode.l10n.t('Render from alt text… · {0}', formatCents(cents, vscode.env.language));
  }
}

/** Nobody waits for it, and nothing of it has to be decided first: a result under another name is there already. */
function isMissing({ isThere, entry }: DocumentLink): boolean {
  return !isThere && (entry === undefined || (entry.state === 'saved' && !isRenamed(entry)));
}

function hintOf({ range, missing }: MissingLens): vscode.Diagnostic {
  const words = vscode.l10n.t('{0} is not there.', plain(fileNameOf(missing.file.toString())));
  const hint = new vscode.Diagnostic(range, words, vscode.DiagnosticSeverity.Hint);
  hint.source = 'Model Catalog';
  return hint;
}

function renderCommand(document: vscode.TextDocument, { link }: DocumentLink, title: string): vscode.Command {
  return { command: commands.renderMissing, title, arguments: [document.uri.toString(), link.address.start] };
}

function rangeOf(document: vscode.TextDocument, { link: { address } }: DocumentLink): vscode.Range {
  return new vscode.Range(document.positionAt(address.start), document.positionAt(address.end));
}

function touches(document: vscode.TextDocument, { link }: DocumentLink, range: vscode.Range): boolean {
  const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
  return [link.element, link.address].some((span) => span.start <= end && start <= span.end);
}
