import { join } from 'node:path';
import * as vscode from 'vscode';
import { systemClock, systemRandom } from '../../base/clock';
import { type Disposable, Disposables } from '../../base/disposable';
import { type Log, reasonOf } from '../../base/log';
import type { Store } from '../../base/store';
import type { ModelKind } from '../../catalog/fields';
import { placeName, sandboxName, type Session } from '../../catalog/session';
import { unreadableSetting } from '../../editor/openLimit';
import type { Settings } from '../../editor/settings';
import { toolName } from '../../editor/toolName';
import { editorFiles, replacing, trash } from '../../editor/workspaceFiles';
import { calendar } from '../../files/calendar';
import { nodeDisk, realFolder } from '../../files/disk';
import { Fitter } from '../../files/fit/fitter';
import { imagesOf } from '../../files/givenImages';
import { localSink } from '../../files/localSink';
import { Spool } from '../../files/spool';
import { workspaceSink } from '../../files/workspaceSink';
import { Consent } from '../../renders/consent';
import { Downloader } from '../../renders/downloader';
import { Elsewhere } from '../../renders/elsewhere';
import { Durations, type Timed } from '../../renders/expectations';
import { FileRenders } from '../../renders/fileRenders';
import { Fitting } from '../../renders/fitting';
import { followBalance, followMoney } from '../../renders/followMoney';
import { Library, type LibraryEntry } from '../../renders/library';
import { Budgets } from '../../renders/limits';
import { MetadataEmbedder } from '../../renders/metadataEmbedder';
import { openLedger } from '../../renders/openLedger';
import { Orders } from '../../renders/orders';
import type { Sinks } from '../../renders/placement';
import { Poller } from '../../renders/poller';
import { type AccountInUse, atAllPlaces, type Connected, maySend, type RenderRecord } from '../../renders/record';
import { Recovery } from '../../renders/recovery';
import { Results } from '../../renders/results';
import { Renderer } from '../../renders/renderer';
import { type Places, proveReachable, Staging } from '../../renders/staging';
import { takePart } from '../../renders/takePart';
import { Thumbnails, thumbnailsFolder } from '../../renders/thumbnails';
import { WindowLease } from '../../renders/windowLease';
import { connectedClient } from '../account/connectedClient';
import { knownModel } from '../models/model/lastModel';
import type { ModelKinds } from '../models/model/modelList';
import { askKind } from '../models/modelPicker';
import { askUser } from './askUser';
import { LedgerState } from './ledgerState';
import { LastFolder } from './model/lastFolder';
import { Tomorrow } from './model/tomorrow';
import { NamedImages } from './namedImages';
import { askAboutKept } from './renderNotices';
import { ResultFolders, Targets } from './targets';
import { makeThumbnail } from './thumbnailsOf';

/**
 * What opens with the ledger that all windows share: the renders to read (`library`), what is done with what they made
 * (`results`), and the one door that spends (`orders`). A feature takes of it what it uses.
 */
export interface Renders extends Disposable {
  readonly ledgerState: LedgerState;
  readonly library: Library;
  /** The renders of files that documents and render files name. */
  readonly fileRenders: FileRenders;
  readonly log: Log;
  /** Lists the models of the renders. */
  readonly session: Session;
  readonly elsewhere: Elsewhere;
  readonly results: Results;
  readonly targets: Targets;
  readonly orders: Orders;
  readonly namedImages: NamedImages;
  /** Orders postponed to the next day. */
  readonly tomorrow: Tomorrow;
  readonly resultFolders: ResultFolders;
  /**
   * Functions that show the results of certain renders in their own way, by key. Called once, at the end of the render;
   * true when a saved result needs no notification.
   */
  readonly shows: Map<string, (entry: LibraryEntry) => boolean>;
  /** Open pages that show all results: true when such a page is visible and shows this one. */
  readonly viewers: Set<(entry: LibraryEntry) => boolean>;
  /** Keys of renders whose callers get the errors about rejected inputs and failed sends, instead of the user. */
  readonly awaited: Set<string>;
  /** The account that paid work may use now. */
  readonly connection: AccountInUse;
  /**
   * The kind of a model: from the service, from its results, else from the user, who is asked once. Undefined when
   * they don't say. Rejects with ServiceError when the model can't be read.
   */
  makes(modelId: string): Promise<ModelKind | undefined>;
  /** How long such a render usually takes, ms; undefined while too few of its model were seen. */
  usualMs(render: Timed): number | undefined;
  /** Refreshes the service's list, and continues what can be continued. Rejects with LedgerError. */
  refresh(): Promise<void>;
  /** Searches the service's list for unknown renders; resolves with the number found. */
  compareUnknown(): Promise<number>;
  /** The user's word that a generation of the service is this render. False when it can't be. */
  useListed(key: string, id: string): Promise<boolean>;
  /** True when some of the sandbox's renders are in progress, so that it should be started for them. */
  sandboxIsOwed(): boolean;
}

/** Where a window keeps what outlives it, and where the extension is. */
export interface Memory {
  /** The folder of the extension's own files. */
  readonly extensionUri: vscode.Uri;
  readonly globalStorageUri: vscode.Uri;
  /** The workspace's own; undefined in a window without a folder. */
  readonly storageUri: vscode.Uri | undefined;
  readonly globalState: Store;
  readonly workspaceState: Store;
}

/**
 * Opens the ledger and resumes everything in it that is in progress. Rejects with LedgerError: then nothing can be
 * rendered.
 */
export async function openRenders(
  session: Session,
  settings: Settings,
  memory: Memory,
  kinds: ModelKinds,
  log: Log,
): Promise<Renders> {
  const { extensionUri, globalStorageUri: storage, globalState, workspaceState } = memory;
  const own = new Disposables();
  const folder = storage.fsPath;
  const images = imagesOf(memory);
  const ledger = await openLedger(folder, nodeDisk, log, images);
  own.add({ dispose: () => ledger.close() });
  const ledgerState = own.add(await LedgerState.of(ledger, folder, nodeDisk));

  const connection = () => atAllPlaces(connectedOf(session), ledger);
  const place = () => session.state.place && placeName(session.state.place);
  const lease = own.add(new WindowLease(ledger, systemClock, systemRandom));
  const spool = new Spool(join(folder, 'spool'), nodeDisk);
  const sinkFor = sinks(spool);
  const stagingRoot = vscode.Uri.file(folder).toString();
  const fitter = new Fitter(vscode.Uri.joinPath(extensionUri, 'dist', 'fit.mjs').fsPath, systemClock);
  const fitting = new Fitting(spool, new Spool(join(folder, 'originals'), nodeDisk), fitter, log);
  const thumbnails = new Thumbnails(join(folder, thumbnailsFolder), nodeDisk, fitter, systemClock, log);
  const inputsOf = (record: RenderRecord) => ledger.inputsOf(record);
  const embedder = new MetadataEmbedder(spool, settings, toolName(), log, inputsOf, fitting);
  const renderer = own.add(new Renderer(ledger, connection, lease, systemClock, systemRandom, log, settings));
  const recovery = own.add(new Recovery(ledger, connection, renderer, lease, systemClock, log));
  const durations = own.add(new Durations(ledger, log));
  const poller = own.add(new Poller(ledger, connection, lease, pollerSettings(settings), durations, systemClock, log));
  const downloader = own.add(
    new Downloader(
      ledger,
      connection,
      lease,
      spool,
      sinkFor,
      calendar(),
      systemClock,
      systemRandom,
      log,
      embedder,
      stagingRoot,
      ({ modelId }) => session.kindOf(modelId),
    ),
  );
  const staging = new Staging(stagingRoot, ledger, downloader, spool, places, systemClock, systemRandom, log);
  if (!ledger.readOnly) own.add(followReplaced(staging, log));
  const library = own.add(new Library(ledger, connection, place, lease, systemClock, log));
  const stores = { downloader, staging, originals: fitting, thumbnails };
  const results = new Results(ledger, library, systemClock, stores, spool, embedder);
  const fileRenders = own.add(new FileRenders(library, log));
  own.add(library.onDidEnd((entry) => void makeThumbnail(entry, thumbnails, log)));
  const learn = (records: Iterable<RenderRecord>) => {
    kinds
      .learn(records)
      .catch((error: unknown) => log.warn(`Couldn’t save which kinds of results models make: ${reasonOf(error)}`));
  };
  // Renders that aren't listed here were learned from when they were made.
  learn(library.entries.flatMap(({ record }) => record ?? []).reverse());
  own.add(ledger.onDidChange(({ now }) => learn([now])));
  ledgerState.tell(() => library.activeCount > 0);
  const elsewhere = own.add(new Elsewhere(library, pollerSettings(settings), systemClock));

  const tomorrow = own.add(
    new Tomorrow(
      globalState,
      {
        record: (key) => ledger.get(key),
        isInUse: (record) => {
          const connected = connection();
          return connected !== undefined && maySend(record, connected);
        },
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
    if (library.mayRecognize) void library.refresh();
  };
  let connected = connection()?.client;
  let { status } = session.state;
  own.add(
    session.onDidChange((state) => {
      const now = connection()?.client;
      // Ask now for what the service couldn't say while it was unreachable.
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
  own.add(ledger.onDidChangeServices(resume));
  own.add(vscode.workspace.onDidChangeWorkspaceFolders(() => downloader.wakeAll()));
  own.add(followBalance(session, connection, ledger, log));
  own.add(followMoney(library, () => void session.refreshBalance()));
  const newest = library.entries.flatMap(({ file, record }) => (record?.staged ? [] : (file ?? [])));
  const resultFolders = own.add(new ResultFolders(ledger, newest, log));
  resume();
  const isForgotten = (key: string) => ledger.get(key)?.forgotten === true;
  void thumbnails.load(isForgotten);
  if (!ledger.readOnly) {
    void downloader.tidy();
    void fitting.tidy(isForgotten);
    ledger.sweep(systemClock.now() - dayMs);
    images.sweep(systemClock.now() - imageDays * dayMs);
  }
  const targets = new Targets(settings, log, new LastFolder(workspaceState), (target) =>
    proveReachable(target, sinkFor, places),
  );
  own.add(
    library.onDidMove(({ before, now }) => {
      if (now.state === 'saved' && before?.state !== 'saved') targets.saved();
    }),
  );
  const limits = {
    budgetPerDay: (root: string | undefined) => settings.budgetPerDay(root),
    budgetPerProject: (root: string | undefined) => settings.budgetPerProject(root),
    unreadable: unreadableSetting,
  };
  const budgets = new Budgets(renderer, library, connection, limits, systemClock, realFolder);
  const orders = new Orders(
    new Consent(askUser(session), () => settings, systemClock),
    budgets,
    renderer,
    library,
    { client: () => connectedClient(session), place, model: (id) => knownModel(session.model(id)) },
    {
      decide: async (target) => {
        if (!(await ledgerState.settled())) return undefined;
        targets.check(target);
        const decided = await targets.decide(target);
        if (decided) await targets.prove(decided);
        return decided;
      },
      prove: (target) => targets.prove(target),
    },
    systemClock,
    systemRandom,
  );
  own.add(library.onDidMove(({ now }) => orders.follow(now)));
  own.add(library.onDidGetList((list) => void recovery.take(list)));
  const sandboxIsOwed = () =>
    ledger.inStates('sent', 'accepted', 'succeeded').some(({ place }) => place === sandboxName);
  const dispose = () => own.dispose();
  const refresh = async () => {
    await library.refresh();
    // Continue here what a closed window was waiting for.
    poller.wake();
    await recovery.run();
  };
  return {
    ledgerState,
    library,
    fileRenders,
    log,
    session,
    elsewhere,
    results,
    targets,
    orders,
    namedImages: new NamedImages(session, library, images, extensionUri),
    tomorrow,
    resultFolders,
    shows: new Map(),
    viewers: new Set(),
    awaited: new Set(),
    connection,
    makes: (modelId) => askKind(session, kinds, modelId),
    usualMs: (render) => durations.usualMs(render),
    refresh,
    compareUnknown: () => recovery.compare(),
    useListed: (key, id) => recovery.use(key, id),
    sandboxIsOwed,
    dispose,
  };
}

/** Anything another window is about to record is younger, ms. */
const dayMs = 86_400_000;

/** How long an image stays kept that nobody chooses again. */
const imageDays = 30;

/** A result that is to replace a file follows that file when it's renamed or moved before the decision. */
function followReplaced(staging: Staging, log: Log): Disposable {
  return vscode.workspace.onDidRenameFiles(async ({ files }) => {
    const renamed = files.map(({ oldUri, newUri }) => ({ from: oldUri.toString(), to: newUri.toString() }));
    const roots = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.toString());
    await staging.renamed(renamed, roots).catch((error: unknown) => {
      log.warn(`Couldn’t update the results waiting to replace a renamed file: ${reasonOf(error)}`);
    });
  });
}

/** The account that paid work may use now. */
export function connectedOf(session: Session): Connected | undefined {
  const { client, state } = session;
  const { place, status } = state;
  if (!client || !place || status === 'keyRefused') return undefined;
  return { place: placeName(place), client };
}

function pollerSettings(settings: Settings) {
  return { pollIntervalMs: () => settings.pollIntervalMs };
}

/** Local folders get the safest way of writing; others use the editor's file systems while they're available. */
function sinks(spool: Spool): Sinks {
  const local = localSink(nodeDisk, spool, systemRandom);
  const virtual = workspaceSink(editorFiles, spool, systemRandom);
  return (root) => {
    const uri = vscode.Uri.parse(root);
    if (uri.scheme === 'file') return local;
    // A file system may activate only when it's used, and for an open folder we may use it.
    const isKnown = vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== undefined;
    return isOpen(root) || (isKnown && isOfThisMachine(uri)) ? virtual : undefined;
  };
}

const places: Places = { replacing, trash };

/**
 * False for a folder on another machine than the one this window is connected to: the file system of remote machines
 * ignores which one a URI names.
 */
function isOfThisMachine({ scheme, authority }: vscode.Uri): boolean {
  if (scheme !== 'vscode-remote') return true;
  const open = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === scheme);
  if (open.length > 0) return open.some(({ uri }) => uri.authority === authority);
  return vscode.env.remoteName !== undefined && authority.split('+')[0] === vscode.env.remoteName;
}

function isOpen(root: string): boolean {
  return (vscode.workspace.workspaceFolders ?? []).some(({ uri }) => uri.toString() === root);
}
