import * as vscode from 'vscode';
import { systemClock } from '../../../src/base/clock';
import { Owned } from '../../../src/base/disposable';
import { silentLog } from '../../../src/base/log';
import type { JsonObject } from '../../../src/base/json';
import { Session } from '../../../src/catalog/session';
import { ApiKeys, type Secrets } from '../../../src/host/account/apiKey';
import { Clients } from '../../../src/host/account/clients';
import { Connection } from '../../../src/host/account/connection';
import type { Ability } from '../../../src/host/ids';
import { openRenders, type Renders } from '../../../src/host/renders/renders';
import { act } from '../../../src/host/generations/resultActions';
import type { ResultWorld } from '../../../src/host/renders/resultWorld';
import { Settings } from '../../../src/host/settings';
import { sentenceOf } from '../../../src/host/words';
import { Lazy } from '../../../src/base/lazy';
import type { LibraryEntry } from '../../../src/renders/library';
import type { Target } from '../../../src/renders/record';

/** What the extension makes of itself in a window, over a secret storage and a folder of the test's own. */
export class OwnWindow {
  private readonly own = new Owned();

  private constructor(
    readonly session: Session,
    readonly connection: Connection,
    readonly renders: Renders,
    private readonly world: ResultWorld,
  ) {}

  /** Connects to the address in the user's settings, as far as the secrets have its key. */
  static async open(secrets: Secrets | undefined, folder: string): Promise<OwnWindow> {
    const storage = vscode.Uri.file(folder);
    const settings = new Settings();
    const session = new Session(systemClock, sentenceOf);
    const clients = new Clients(settings, storage, silentLog);
    const keys = new ApiKeys(secrets, systemClock);
    const connection = new Connection(session, settings, keys, clients, storage, silentLog);
    await connection.start();
    const memory = new Map<string, unknown>();
    const store = {
      get: (key: string) => memory.get(key),
      update: (key: string, value: unknown) => Promise.resolve(void memory.set(key, value)),
    };
    const renders = await openRenders(session, settings, storage, store, silentLog);
    const world = {
      renders: new Lazy(() => Promise.resolve(renders)),
      session,
      connection,
      selection: () => [],
      openForm: () => Promise.resolve(),
      whatFits: () => Promise.resolve(undefined),
      openCompare: () => Promise.resolve(),
    };
    const window = new OwnWindow(session, connection, renders, world);
    for (const part of [settings, session, clients, connection, renders]) window.own.add(part);
    return window;
  }

  /** Orders at the price that is asked for first, as a person who says yes to it. Resolves with the render's key. */
  async order(modelId: string, inputs: JsonObject, target: Target): Promise<string> {
    const client = this.session.client!;
    const { costCents } = await client.quote(modelId, inputs);
    const { account } = client;
    const intent = crypto.randomUUID();
    const record = await this.renders.spend.renderAgreed({
      intent,
      modelId,
      inputs,
      target,
      shownCents: costCents,
      account,
    });
    return record!.key;
  }

  /** What the button or menu entry does to this render. */
  press(ability: Ability, key: string): Promise<unknown> {
    return act(ability, key, undefined, this.world);
  }

  entry(key: string): LibraryEntry {
    return this.renders.library.ofRecord(key)!;
  }

  /** Resolves when the render stands so. */
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

  /** Resolves when nothing more comes of the render by itself. */
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
