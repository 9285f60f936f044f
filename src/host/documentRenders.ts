import { systemClock } from '../base/clock';
import { Owned, type Disposable } from '../base/disposable';
import type { Log } from '../base/log';
import type { Library } from '../renders/library';
import { DocumentLinks } from './documentLinks';
import { LinkProblems } from './linkProblems';
import { PendingLinks } from './pendingLinks';
import { RenamedResults } from './renamedResults';

/** What documents show of the renders whose files they name. */
export class DocumentRenders implements Disposable {
  private readonly own = new Owned();

  constructor(library: Library, log: Log) {
    const links = this.own.add(new DocumentLinks(library));
    this.own.add(new PendingLinks(links, systemClock, log));
    this.own.add(new LinkProblems(links, log));
    this.own.add(new RenamedResults(library, links, log));
  }

  dispose(): void {
    this.own.dispose();
  }
}
