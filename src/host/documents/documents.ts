import type * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { Owned, type Disposable } from '../../base/disposable';
import type { Log } from '../../base/log';
import type { Session } from '../../catalog/session';
import { MissingImages } from '../missing/missingImages';
import { Drafts } from '../models/drafts';
import { LastModel } from '../models/lastModel';
import type { Renders } from '../renders/renders';
import type { Settings } from '../settings';
import { DocumentLinks } from './documentLinks';
import { LinkInsertions } from './linkInsertions';
import { LinkPrices } from './linkPrices';
import { LinkProblems } from './linkProblems';
import { PendingLinks } from './pendingLinks';
import { RenamedResults } from './renamedResults';

/**
 * What documents show of images that are not there: those nobody has rendered yet, those under way, and those that failed; and how
 * those that are there come into them.
 */
export class Documents implements Disposable {
  private readonly own = new Owned();
  readonly links = this.own.add(new DocumentLinks());
  readonly drafts: Drafts;
  readonly lastModel: LastModel;
  readonly prices: LinkPrices;
  readonly missing: MissingImages;
  /** Present once the renders are known. */
  renamed: RenamedResults | undefined;

  constructor(
    session: Session,
    settings: Settings,
    memory: vscode.Memento,
    private readonly log: Log,
  ) {
    this.drafts = new Drafts(memory, memory);
    this.lastModel = new LastModel(memory);
    this.prices = new LinkPrices(session, this.drafts, this.lastModel, systemClock, log);
    this.missing = this.own.add(new MissingImages(this.links, this.prices, settings));
  }

  /** From now on the renders are known: to be called once. */
  follow(renders: Pick<Renders, 'library' | 'ledger'>): void {
    this.links.follow(renders.library);
    this.own.add(new PendingLinks(this.links, systemClock, this.log));
    this.own.add(new LinkProblems(this.links, this.log));
    this.renamed = this.own.add(new RenamedResults(renders.library, this.links, this.log));
    this.own.add(new LinkInsertions(renders));
  }

  dispose(): void {
    this.own.dispose();
  }
}
