import * as vscode from 'vscode';
import { join } from 'node:path';
import { systemClock } from '../../base/clock';
import { Owned, type Disposable } from '../../base/disposable';
import { reasonOf } from '../../base/errors';
import type { Log } from '../../base/log';
import { systemRandom } from '../../base/random';
import type { Session } from '../../catalog/session';
import { calendar } from '../../files/calendar';
import { nodeDisk } from '../../files/disk';
import { localReplacing } from '../../files/localReplacing';
import { localSink } from '../../files/localSink';
import { Spool } from '../../files/spool';
import { workspaceReplacing } from '../../files/workspaceReplacing';
import { workspaceSink } from '../../files/workspaceSink';
import { Budgets } from '../../renders/budgets';
import type { Connected } from '../../renders/connected';
import { Downloader } from '../../renders/downloader';
import { Elsewhere } from '../../renders/elsewhere';
import { followBalance } from '../../renders/followBalance';
import { followMoney } from '../../renders/followMoney';
import { Inscriber } from '../../renders/inscriber';
import type { Ledger } from '../../renders/ledger';
import { Library, type LibraryEntry } from '../../renders/library';
import { openLedger } from '../../renders/openLedger';
import type { Sinks } from '../../renders/placement';
import { Poller } from '../../renders/poller';
import type { RenderRecord } from '../../renders/record';
import { belongs, Recovery } from '../../renders/recovery';
import { Renderer } from '../../renders/renderer';
import { Staging, type Places } from '../../renders/staging';
import { takePart } from '../../renders/takePart';
import { WindowLease } from '../../renders/windowLease';
import type { Store } from '../models/drafts';
import { placeName, sandboxName } from '../placeName';
import type { Settings } from '../settings';
import { LedgerState } from './ledgerState';
import { Spend } from './spend';
import { Targets } from './targets';
import { Tomorrow } from './tomorrow';
import { askAboutKept } from './tomorrowNotice';
import { toolName } from './toolName';
import { editorFiles, trash } from './workspaceFiles';

/** The life of renders in this window, over the ledger all windows share. */
export interface Renders extends Disposable {
  readonly ledger: Ledger;
  readonly ledgerState: LedgerState;
  readonly library: Library;
  readonly elsewhere: Elsewhere;
  readonly renderer: Renderer;
  readonly recovery: Recovery;
  readonly poller: Poller;
  readonly downloader: Downloader;
  /** Results that wait to be compared with the file they were rendered to replace. */
  readonly staging: Staging;
  readonly targets: Targets;
  readonly budgets: Budgets;
  readonly spend: Spend;
  /** Orders kept for the next day. */
  readonly tomorrow: Tomorrow;
  /**
   * What shows the results of renders of this window that are to be seen in a way of their own, by their keys. Called once, at the end of
   * the render; true when a person needs no other word of a result that is saved.
   */
  readonly shows: Map<string, (entry: LibraryEntry) => boolean>;
  /** The client in use when it is of the account the record was made with: a generation's id means nothing to another. */
  clientOf(record: RenderRecord): Connected['client'] | undefined;
  /** True when some of the sandbox's renders are under way: it is to be started for them. */
  sandboxIsOwed(): boolean;
}

/** Opens the ledger and sets everything going that it says is under way. Rejects with LedgerError: then nothing can be rendered. */
export async function openRenders(
  session: Session,
  settings: Settings,
  storage: vscode.Uri,
  memory: Store,
  log: Log,
): Promise<Renders> {
  const own = new Owned();
  const folder = storage.fsPath;
  const ledger = await openLedger(folder, nodeDisk, log);
  own.add({ dispose: () => ledger.close() });
  const ledgerState = own.add(await LedgerState.of(ledger, folder, nodeDisk));
  tellUnreadable(ledger, log);

  const connection = () => connectedOf(session);
  const lease = own.add(new WindowLease(ledger, systemClock, systemRandom));
  const spool = new Spool(join(folder, 'spool'), nodeDisk);
  const stagingRoot = vscode.Uri.file(folder).toString();
  const inscriber = new Inscriber(spool, settings, toolName(), log);
  const renderer = own.add(new Renderer(ledger, connection, lease, systemClock, systemRandom, log));
  const recovery = own.add(new Recovery(ledger, connection, renderer, lease, systemClock, log));
  const poller = own.add(new Poller(ledger, connection, lease, pollerSettings(settings), systemClock, log));
  const downloader = own.add(
    new Downloader(
      ledger,
      connection,
      lease,
      spool,
      sinks(spool),
      calendar(),
      systemClock,
      systemRandom,
      log,
      inscriber,
      stagingRoot,
    ),
  );
  const staging = new Staging(stagingRoot, ledger, downloader, spool, places, systemRandom, log);
  const library = own.add(new Library(ledger, connection, lease, systemClock, log));
  ledgerState.tell(() => library.activeCount > 0);
  const elsewhere = own.add(new Elsewhere(library, pollerSettings(settings), systemClock));

  const clientOf = (record: RenderRecord) => {
    const connected = connection();
    return connected && belongs(record, connected) ? connected.client : undefined;
  };
  const tomorrow = own.add(
    new Tomorrow(
      memory,
      {
        record: (key) => ledger.get(key),
        isInUse: (record) => clientOf(record) !== undefined,
        mayAsk: () => lease.keep('tomorrow'),
        ask: (records) => void askAboutKept(records),
      },
      systemClock,
      log,
    ),
  );

  const resume = () => {
    library.accountChanged();
    void recovery.run();
    poller.wake();
    downloader.wakeAll();
    tomorrow.look();
  };
  let connected = connection()?.client;
  let { status } = session.state;
  own.add(
    session.onDidChange((state) => {
      const now = connection()?.client;
      // What the service could not say while it was away.
      if (status === 'offline' && state.status === 'connected' && library.problem !== undefined) void library.refresh();
      status = state.status;
      if (now !== connected) {
        connected = now;
        resume();
      }
    }),
  );
  const goOn = () => {
    recovery.watch();
    poller.wake();
    downloader.wake();
  };
  if (!ledger.readOnly) own.add(takePart(library, lease, log, goOn));
  own.add(vscode.workspace.onDidChangeWorkspaceFolders(() => downloader.wakeAll()));
  own.add(followBalance(session, connection, ledger, log));
  own.add(followMoney(library, () => void session.refreshBalance()));
  resume();
  if (!ledger.readOnly) void downloader.tidy();
  const targets = new Targets(settings);
  const budgets = new Budgets(renderer, library, connection, lease, settings, systemClock);
  const spend = new Spend(budgets, session, settings, targets, ledgerState, systemClock);
  const sandboxIsOwed = () =>
    ledger.inStates('sent', 'accepted', 'succeeded').some(({ place }) => place === sandboxName);
  const dispose = () => own.dispose();
  return {
    ledger,
    ledgerState,
    library,
    elsewhere,
    renderer,
    recovery,
    poller,
    downloader,
    staging,
    targets,
    budgets,
    spend,
    tomorrow,
    shows: new Map(),
    clientOf,
    sandboxIsOwed,
    dispose,
  };
}

/** The account paid work may use now. */
export function connectedOf(session: Session): Connected | undefined {
  const { client, state } = session;
  const { place, status } = state;
  if (!client || !place || status === 'keyRefused') return undefined;
  return { place: placeName(place), client };
}

function pollerSettings(settings: Settings) {
  return { pollIntervalMs: () => settings.pollIntervalMs };
}

/** Local folders are written as files can be written most safely; others as the editor reaches them, while it does. */
function sinks(spool: Spool): Sinks {
  const local = localSink(nodeDisk, spool, systemRandom);
  const virtual = workspaceSink(editorFiles, spool, systemRandom);
  return (root) => {
    const uri = vscode.Uri.parse(root);
    if (uri.scheme === 'file') return local;
    // A file system may begin to work only when it is asked for, and for a folder that is open it may be asked.
    const isKnown = vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== undefined;
    return isKnown || isOpen(root) ? virtual : undefined;
  };
}

/** Local files are replaced in one step; others as the editor's file systems can. */
const places: Places = {
  replacing: async (file, root) =>
    vscode.Uri.parse(file).scheme === 'file' ? localReplacing(nodeDisk, root, file) : workspaceReplacing(editorFiles),
  trash,
};

function isOpen(root: string): boolean {
  return (vscode.workspace.workspaceFolders ?? []).some(({ uri }) => uri.toString() === root);
}

function tellUnreadable(ledger: Ledger, log: Log): void {
  for (const { key, reason } of ledger.unreadable())
    log.error(`Render ${key} cannot be read and is left as it is: ${reasonOf(reason)}`);
}
