import * as vscode from 'vscode';
import { type Log, reasonOf } from '../../base/log';
import type { Store } from '../../base/store';
import { parseAddress, shorterBase } from '../../catalog/address';
import { checkApiKey } from '../../catalog/apiKey';
import { ServiceError } from '../../catalog/errors';
import type { Settings } from '../../editor/settings';
import { UserError } from '../../editor/userError';
import { addressSentence, apiKeySentence, reasonWords, storageSentence } from './accountWords';
import type { ApiKeys } from './model/apiKey';
import type { Clients } from './clients';
import type { Connection } from './connection';

const lastAddress = 'lastAddress';

/** Called after a key was checked, before it's used. */
type MayTake = () => boolean;
const always: MayTake = () => true;

/**
 * Everything that can be done with the account, independent of its dialogs. Failures are returned as sentences for the
 * person, except those of a service that is tried out.
 */
export class Account {
  constructor(
    private readonly connection: Connection,
    private readonly settings: Settings,
    private readonly keys: ApiKeys,
    private readonly clients: Clients,
    private readonly memory: Store,
    private readonly log: Log,
  ) {}

  /** How many models the service in use lists. Rejects with ServiceError. */
  async countModels(): Promise<number> {
    return (await this.connection.session.models()).items.length;
  }

  /** The URL in use, normalized, or the last one; undefined when there is no usable one. */
  get address(): string | undefined {
    const last = this.memory.get(lastAddress);
    const checked = parseAddress(this.settings.serviceUrl || (typeof last === 'string' ? last : ''));
    return 'base' in checked ? checked.base : undefined;
  }

  /** Why no request without a key gets a response at this normalized URL; undefined if one does. */
  async noResponse(base: string, signal: AbortSignal): Promise<string | undefined> {
    try {
      await this.clients.reach(base, signal);
      return undefined;
    } catch (error) {
      return reasonWords('reach', error);
    }
  }

  /** True when a key for this URL is stored and readable. */
  async hasKey(base: string): Promise<boolean> {
    return (await this.keys.read(originOf(base))).outcome === 'found';
  }

  /**
   * Checks the key with the service, stores it, then switches to that service. Changes nothing on failure, or when
   * `mayTake` returns false after the service accepted the key. Rejects with UserError when the service doesn't accept
   * it or isn't understood; its cause says why.
   */
  async connect(address: string, typedKey: string, mayTake: MayTake = always): Promise<string | undefined> {
    const place = parseAddress(address);
    if ('problem' in place) return addressSentence(place.problem);
    const checked = checkApiKey(typedKey);
    if ('problem' in checked) return apiKeySentence(checked.problem);
    const base = await this.tryOut(place.base, checked.key);
    return mayTake() ? this.store(base, checked.key) : undefined;
  }

  /**
   * Switches to a service whose key is stored, after checking that the service still accepts it. Otherwise as
   * `connect`.
   */
  async reconnect(base: string, mayTake: MayTake = always): Promise<string | undefined> {
    const reading = await this.keys.read(originOf(base));
    if (reading.outcome === 'none') return apiKeySentence('empty');
    if (reading.outcome === 'unreadable') return storageSentence(reading.problem);
    const found = await this.tryOut(base, reading.key);
    return mayTake() ? this.use(found) : undefined;
  }

  /** Removes the key of the URL in use from this computer. URL, files, and render history stay. */
  async disconnect(): Promise<string | undefined> {
    const base = this.address;
    if (base === undefined) return undefined;
    const problem = await this.keys.forget(originOf(base));
    if (problem) return storageSentence(problem);
    await this.connection.restart();
    return undefined;
  }

  /** Returns to the sandbox; the service's key stays stored. */
  useSandbox(): Promise<string | undefined> {
    return this.use('');
  }

  /** The base at which the service accepts the key: this one, or a shorter one if nothing of a catalog is here. */
  private async tryOut(base: string, key: string): Promise<string> {
    try {
      const client = await this.clients.make(base, key);
      await client.me();
      return base;
    } catch (error) {
      this.log.warn(`Couldn’t connect to ${base}: ${reasonOf(error)}`);
      const shorter = isElsewhere(error) ? shorterBase(base) : undefined;
      if (shorter !== undefined) return this.tryOut(shorter, key);
      throw new UserError(reasonWords('account', error), { cause: error });
    }
  }

  private async store(base: string, key: string): Promise<string | undefined> {
    const problem = await this.keys.store(originOf(base), key);
    return problem ? storageSentence(problem) : this.use(base);
  }

  private async use(base: string): Promise<string | undefined> {
    try {
      if (this.address !== undefined) await this.memory.update(lastAddress, this.address);
      await this.settings.setServiceUrl(base);
    } catch (error) {
      this.log.error('Couldn’t save the service URL to the user settings', error);
      return vscode.l10n.t('Couldn’t save the service URL to your user settings: {0}.', reasonOf(error));
    }
    await this.connection.restart();
    return undefined;
  }
}

/** True when something responds that isn't the service: a page, or no such path. */
function isElsewhere(error: unknown): boolean {
  return error instanceof ServiceError && (error.html || error.kind === 'unreadable' || error.status === 404);
}

function originOf(base: string): string {
  return new URL(base).origin;
}
