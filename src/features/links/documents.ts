import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { Owned, type Disposable } from '../../base/disposable';
import type { Log } from '../../base/log';
import { Drafts } from '../models/model/drafts';
import { LastModel } from '../models/model/lastModel';
import type { LibraryEntry } from '../../renders/library';
import type { Renders } from '../rendering/renders';
import type { Foundation } from '../../foundation';
import { DocumentLinks } from './documentLinks';
import { offerFixes } from './fixCommand';
import { LinkInsertions } from './linkInsertions';
import { LinkReader } from './model/linkReader';
import { Hints } from '../../compose/hints';
import { LinkPrices } from './model/linkPrices';
import { LinkProblems } from './linkProblems';
import { PendingLinks } from './pendingLinks';
import { RenamedResults } from './renamedResults';
import type { StyleShelf } from '../../compose/projectStyles';

/**
 * Everything that documents show about missing images, renders in progress for them, and failed ones, and everything
 * that inserts finished images.
 */
export class Documents implements Disposable {
  private readonly own = new Owned();
  readonly links: DocumentLinks;
  readonly drafts: Drafts;
  readonly lastModel: LastModel;
  readonly prices: LinkPrices;
  /** Set once the renders are loaded. */
  renamed: RenamedResults | undefined;
  private readonly reader: LinkReader;
  private readonly log: Log;

  constructor({ session, quotes, settings, context, log }: Foundation, styles: () => Promise<StyleShelf>) {
    const { globalState: memory, extensionUri } = context;
    const program = vscode.Uri.joinPath(extensionUri, 'dist', 'documents.js').fsPath;
    this.log = log;
    this.reader = new LinkReader(program, systemClock, log);
    this.links = this.own.add(new DocumentLinks(this.reader, log));
    this.drafts = new Drafts(memory, memory);
    this.lastModel = new LastModel(memory, undefined, () => settings.defaultModel);
    const hints = new Hints(session, quotes, () => vscode.workspace.isTrusted);
    this.prices = this.own.add(new LinkPrices(session, hints, this.drafts, this.lastModel, styles, log));
  }

  /** From now on the renders are known: to be called once. */
  follow(renders: Pick<Renders, 'library' | 'fileRenders' | 'log'>): void {
    this.links.follow(renders);
    this.own.add(new PendingLinks(this.links, systemClock, this.log));
    this.own.add(offerFixes('link', this.log));
    this.own.add(new LinkProblems(this.links, this.log));
    this.renamed = this.own.add(new RenamedResults(renders.library, this.links, this.log));
    this.own.add(new LinkInsertions(renders, this.reader, this.links));
    this.own.add(renders.library.onDidEnd((entry) => this.leave(entry)));
  }

  dispose(): void {
    this.own.dispose();
  }

  /** The next link doesn't default to a model that just failed. */
  private leave({ state, modelId }: LibraryEntry): void {
    if (modelId !== undefined && (state === 'failed' || state === 'refunded')) void this.lastModel.failed(modelId);
  }
}
