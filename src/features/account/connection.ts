import * as vscode from 'vscode';
import { type Disposable, Disposables } from '../../base/disposable';
import { type Log, reasonOf } from '../../base/log';
import { parseAddress } from '../../catalog/address';
import type { CatalogClient } from '../../catalog/client';
import type { Place, Session } from '../../catalog/session';
import type { SandboxThread } from '../../sandbox/thread';
import type { Settings } from '../../editor/settings';
import type { ApiKeys } from './model/apiKey';
import type { Clients } from './clients';

/** The result of settings and secret storage: a place, and a client if possible. */
interface Setup {
  readonly place: Place | undefined;
  readonly key?: string;
  readonly problem?: string;
}

const words = () => import('./accountWords');

/**
 * Feeds the session with the service in the settings and its key, or the sandbox. Starts on first use, and follows
 * changes of settings and keys in any window.
 */
export class Connection implements Disposable {
  private readonly own = new Disposables();
  private running: Promise<void> | undefined;
  private sandbox: Promise<SandboxThread> | undefined;
  /** Numbers the attempts, so that an outdated one has no effect. */
  private attempt = 0;

  constructor(
    readonly session: Session,
    private readonly settings: Settings,
    private readonly keys: ApiKeys,
    private readonly clients: Clients,
    private readonly uris: Pick<vscode.ExtensionContext, 'extensionUri' | 'globalStorageUri'>,
    private readonly log: Log,
  ) {
    this.own.add(settings.onDidChange((changed) => this.followSettings(changed.has('serviceUrl'))));
    this.own.add(keys.onDidChange((origin) => this.followKey(origin)));
  }

  /** True while the settings select the sandbox, started or not. */
  get isSandbox(): boolean {
    return this.settings.serviceUrl === '';
  }

  /** Connects on the first call. Never rejects: failures become the session's state. */
  start(): Promise<void> {
    return this.running ?? this.restart();
  }

  /**
   * Starts before something that holds the thread while it loads: by the next turn, the sandbox's own thread has begun.
   * Never rejects.
   */
  async begin(): Promise<void> {
    void this.start();
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Connects as `start`, and again if that gave no client: a keyring may have been unlocked since. Never rejects. */
  async ready(): Promise<void> {
    await this.start();
    if (!this.session.client) await this.restart();
  }

  /** Connects to a real service; the sandbox waits until it's needed. Never rejects. */
  async startUnlessSandbox(): Promise<void> {
    if (!this.isSandbox) await this.start();
  }

  /** Reconnects. Never rejects. */
  restart(): Promise<void> {
    this.attempt += 1;
    this.running = this.connect(this.attempt);
    return this.running;
  }

  /** Adds play money to the sandbox's account. Rejects when the sandbox can't start. */
  async addPlayMoney(cents: number): Promise<void> {
    await (await this.startSandbox()).addMoney(cents);
    await this.start();
    await this.session.refreshBalance();
  }

  async dispose(): Promise<void> {
    this.attempt += 1;
    this.own.dispose();
    const sandbox = await this.sandbox?.catch(() => undefined); // One that didn't start needn't be closed.
    await sandbox?.close();
  }

  private async connect(attempt: number): Promise<void> {
    const setup = await this.setUp();
    const client = await this.clientOf(setup);
    if (attempt !== this.attempt) return this.running;
    if (typeof client === 'string') this.session.connect(setup.place, undefined, client);
    else if (!client || !this.isInUse(client)) this.session.connect(setup.place, client, setup.problem);
    void this.session.refreshBalance();
  }

  /** The same account at the same URL: what was read with it stays valid. */
  private isInUse(client: CatalogClient): boolean {
    const { client: used } = this.session;
    return used?.base === client.base && used.account === client.account;
  }

  private setUp(): Promise<Setup> {
    return this.isSandbox ? this.setUpSandbox() : this.setUpService(this.settings.serviceUrl);
  }

  private async setUpService(address: string): Promise<Setup> {
    const checked = parseAddress(address);
    if ('problem' in checked) return { place: undefined, problem: (await words()).addressSentence(checked.problem) };
    const place = { base: checked.base, sandbox: false };
    const reading = await this.keys.read(new URL(checked.base).origin);
    if (reading.outcome === 'unreadable') return { place, problem: (await words()).storageSentence(reading.problem) };
    return reading.outcome === 'found' ? { place, key: reading.key } : { place };
  }

  /** The sandbox's key is kept in the sandbox's own account file, never in a secret or setting. */
  private async setUpSandbox(): Promise<Setup> {
    try {
      const { base, key } = await this.startSandbox();
      return { place: { base, sandbox: true }, key };
    } catch (error) {
      this.log.error('The sandbox couldn’t start', error);
      const problem = vscode.l10n.t('The sandbox couldn’t start: {0}.', reasonOf(error));
      return { place: { base: '', sandbox: true }, problem };
    }
  }

  /** Once started, it runs until the window closes, so that its renders continue while another service is in use. */
  private startSandbox(): Promise<SandboxThread> {
    this.sandbox ??= this.loadSandbox().catch((error: unknown) => {
      this.sandbox = undefined;
      throw error;
    });
    return this.sandbox;
  }

  private async loadSandbox(): Promise<SandboxThread> {
    const { startSandboxThread } = await import('../../sandbox/thread');
    const { extensionUri, globalStorageUri } = this.uris;
    const sandbox = await startSandboxThread(extensionUri.fsPath, globalStorageUri.fsPath, this.log);
    // Whoever needs it next starts it again.
    void sandbox.ended.then(() => (this.sandbox = this.running = undefined));
    return sandbox;
  }

  /** The client, undefined without a key, or why there can be none. */
  private async clientOf({ place, key }: Setup): Promise<CatalogClient | string | undefined> {
    if (!place || key === undefined) return undefined;
    try {
      return await this.clients.make(place.base, key);
    } catch (error) {
      this.log.error('Couldn’t create a client for the service', error);
      return (await this.clients.words.get()).sentenceOf(error);
    }
  }

  private followSettings(address: boolean): void {
    if (address && (this.running || !this.isSandbox)) void this.restart();
  }

  private followKey(origin: string): void {
    const checked = parseAddress(this.settings.serviceUrl);
    if ('base' in checked && new URL(checked.base).origin === origin) void this.restart();
  }
}
