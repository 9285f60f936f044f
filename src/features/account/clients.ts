import * as vscode from 'vscode';
import { systemClock, systemRandom } from '../../base/clock';
import { type Disposable, Lazy } from '../../base/disposable';
import type { Log } from '../../base/log';
import { fingerprint } from '../../catalog/apiKey';
import type { CatalogClient } from '../../catalog/client';
import type { Settings } from '../../editor/settings';

/** Creates the clients of this window, all over one transport. Loads the code for that with the first client. */
export class Clients implements Disposable {
  private readonly salt = new Lazy(async () => {
    const [{ readSalt }, { nodeDisk }] = await Promise.all([import('../../files/salt'), import('../../files/disk')]);
    return readSalt(this.window.globalStorageUri.fsPath, nodeDisk, systemRandom);
  });
  /** What its errors mean for a user; loaded before the first client. */
  readonly words = new Lazy(() => import('../../editor/words'));
  private readonly wire = new Lazy(async () => {
    const { HttpTransport } = await import('../../catalog/transport');
    return new HttpTransport(this.settings.proxy);
  });
  private readonly listening: Disposable;

  constructor(
    private readonly settings: Settings,
    private readonly window: Pick<vscode.ExtensionContext, 'globalStorageUri' | 'storageUri'>,
    private readonly log: Log,
  ) {
    this.listening = settings.onDidChange(() => this.wire.ready?.useProxy(settings.proxy));
  }

  /** `base` and `key` have been validated. Rejects when the salt of the fingerprints can't be read. */
  async make(base: string, key: string): Promise<CatalogClient> {
    const { makeClient } = await import('./model/serviceAddress');
    const account = await fingerprint(key, await this.salt.get());
    const [transport] = await Promise.all([this.wire.get(), this.words.get()]);
    const { language } = vscode.env;
    return makeClient({ base, key, account, transport, language, log: this.log }, this.window);
  }

  /** The status of the response at a validated URL to a request without a key. Rejects with ServiceError. */
  async reach(base: string, signal: AbortSignal): Promise<number> {
    const { reach } = await import('../../catalog/connectionCheck');
    return reach(await this.wire.get(), systemClock, base, signal);
  }

  dispose(): void {
    this.listening.dispose();
    this.wire.ready?.dispose();
  }
}
