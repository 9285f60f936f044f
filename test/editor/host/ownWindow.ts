import * as vscode from 'vscode';
import { systemClock } from '../../../src/base/clock';
import { type JsonObject, frozenInputs } from '../../../src/base/json';
import { Disposables, Lazy } from '../../../src/base/disposable';
import { silentLog } from '../../../src/base/log';
import { Session } from '../../../src/catalog/session';
import { ApiKeys, type Secrets } from '../../../src/features/account/model/apiKey';
import { Clients } from '../../../src/features/account/clients';
import { Connection } from '../../../src/features/account/connection';
import { ConnectionChecks } from '../../../src/features/account/connectionChecks';
import { ours } from '../../../src/editor/initiator';
import { ModelKinds } from '../../../src/features/models/model/modelList';
import { openRenders, type Renders } from '../../../src/features/rendering/renders';
import { act, type ActionDeps, type OwnId } from '../../../src/features/generations/resultActions';
import { Settings } from '../../../src/editor/settings';
import { sentenceOf } from '../../../src/editor/words';
import type { LibraryEntry } from '../../../src/renders/library';
import type { Target } from '../../../src/renders/record';

/** The user's settings, but with fast polling. */
class QuickSettings extends Settings {
  override get pollIntervalMs(): number {
    return 50;
  }
}

/** The extension's services of a window, with a secret storage and a folder of the test. */
export class OwnWindow {
  private readonly own = new Disposables();

  private constructor(
    readonly session: Session,
    readonly connection: Connection,
    readonly renders: Renders,
    private readonly deps: ActionDeps,
    private readonly checks: ConnectionChecks,
  ) {}

  /** Connects to the URL in the user's settings if the secrets have its key. */
  static async open(secrets: Secrets | undefined, folder: string): Promise<OwnWindow> {
    const storage = vscode.Uri.file(folder);
    const settings = new QuickSettings();
    const session = new Session(systemClock, sentenceOf);
    const clients = new Clients(settings, { globalStorageUri: storage, storageUri: undefined }, silentLog);
    const keys = new ApiKeys(secrets, systemClock);
    const { extensionUri } = vscode.extensions.getExtension('model-catalog.model-catalog')!;
    const uris = { extensionUri, globalStorageUri: storage };
    const connection = new Connection(session, settings, keys, clients, uris, silentLog);
    await connection.start();
    const memory = new Map<string, unknown>();
    const store = {
      get: (key: string) => memory.get(key),
      update: (key: string, value: unknown) => Promise.resolve(void memory.set(key, value)),
    };
    const kinds = new ModelKinds(store);
    const own = { globalState: store, workspaceState: store };
    const stores = { ...uris, storageUri: undefined, ...own };
    const renders = await openRenders(session, settings, stores, kinds, silentLog);
    const deps = {
      renders: new Lazy(() => Promise.resolve(renders)),
      documents: new Lazy(() => Promise.reject(new Error('This window shows no documents'))),
      session,
      connection,
      view: { selection: [], onDidChangeSelection: () => ({ dispose: () => {} }) },
      forms: { ready: undefined },
      verbs: {
        openForm: () => Promise.resolve(),
        whatFits: () => Promise.resolve(undefined),
        openCompare: () => Promise.resolve(),
        editImage: () => Promise.resolve(),
      },
      list: { read: () => Promise.reject(new Error('This window lists no models')) },
      chosenModels: { favourites: [], recent: [] },
      memory: stores,
    };
    const checks = new ConnectionChecks({ session, connection, settings, keys, clients });
    const window = new OwnWindow(session, connection, renders, deps, checks);
    for (const part of [settings, session, clients, connection, renders, checks]) window.own.add(part);
    return window;
  }

  /** Orders at the price requested first, as a user who confirms it. Resolves with the render's key. */
  async order(modelId: string, inputs: JsonObject, target: Target): Promise<string> {
    const { orders } = this.renders;
    const draft = { intent: crypto.randomUUID(), modelId, inputs: frozenInputs(inputs), target };
    const [order] = (await orders.record([await orders.price(draft)])) ?? [];
    return (await orders.start(order!, 'user'))!.key;
  }

  /** Runs the command as another extension would. */
  call(action: OwnId, argument: unknown): Promise<unknown> {
    return act(action, argument, undefined, this.deps);
  }

  /** Runs the command as a button or menu entry of this render would. */
  press(action: OwnId, key: string): Promise<unknown> {
    return act(action, ours({ id: key }), undefined, this.deps);
  }

  /** Checks the connection; resolves with the page. */
  async check(): Promise<string> {
    await this.checks.run();
    return this.checks.provideTextDocumentContent();
  }

  entry(key: string): LibraryEntry {
    return this.renders.library.ofRecord(key)!;
  }

  /** Resolves when the condition holds for the render. */
  until(key: string, holds: (entry: LibraryEntry) => boolean): Promise<LibraryEntry> {
    const { library } = this.renders;
    return new Promise((resolve) => {
      const look = () => {
        const entry = library.ofRecord(key);
        if (!entry || !holds(entry)) return;
        listening.dispose();
        resolve(entry);
      };
      const listening = library.onDidChange(look);
      look();
    });
  }

  /** Resolves when nothing further happens to the render automatically. */
  ended(key: string): Promise<LibraryEntry> {
    return this.until(key, ({ group }) => group !== 'active');
  }

  async balance(): Promise<number> {
    return (await this.session.client!.me()).balanceCents;
  }

  dispose(): void {
    this.own.dispose();
  }
}
