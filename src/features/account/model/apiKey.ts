import type { Clock } from '../../../base/clock';
import { type Disposable, Disposables, Emitter, type Event } from '../../../base/disposable';
import { reasonOf } from '../../../base/log';

/** The part of the editor's secret storage that is used. */
export interface Secrets {
  get(name: string): Thenable<string | undefined>;
  store(name: string, value: string): Thenable<void>;
  delete(name: string): Thenable<void>;
  readonly onDidChange: Event<{ readonly key: string }>;
}

/** Why the secret storage failed. */
export interface StorageProblem {
  /**
   * `missing`: the editor has none · `failed`: it reported an error · `noAnswer`: no response within 3 s · `damaged`:
   * it holds something else · `forgets`: it lost what was stored.
   */
  readonly why: 'missing' | 'failed' | 'noAnswer' | 'damaged' | 'forgets';
  readonly detail?: string;
}

/** `none` only when the storage says that there is no key: a failing storage never reads as "no key". */
export type KeyReading =
  | { readonly outcome: 'found'; readonly key: string }
  | { readonly outcome: 'none' }
  | { readonly outcome: 'unreadable'; readonly problem: StorageProblem };

const deadlineMs = 3000;

/** API keys, one secret per origin. They are stored in the editor's secret storage and nowhere else. */
export class ApiKeys {
  /**
   * Reads that timed out and may still finish, by origin: a keyring waiting for its password must not ask for it twice.
   */
  private readonly late = new Map<string, Promise<string | undefined>>();
  private readonly answered = new Emitter<string>();

  constructor(
    private readonly secrets: Secrets | undefined,
    private readonly clock: Clock,
  ) {}

  /** Never rejects. */
  async read(origin: string): Promise<KeyReading> {
    let asked = this.late.get(origin);
    const answer = await this.ask((secrets) => (asked ??= Promise.resolve(secrets.get(secretNameOf(origin)))));
    if ('problem' in answer) {
      if (answer.problem.why === 'noAnswer' && asked) this.awaitLate(origin, asked);
      return { outcome: 'unreadable', problem: answer.problem };
    }
    this.late.delete(origin);
    if (answer.value === undefined) return { outcome: 'none' };
    const { parseStoredKey } = await import('./storedKey');
    const stored = parseStoredKey(answer.value);
    if (stored?.origin !== origin) return { outcome: 'unreadable', problem: { why: 'damaged' } };
    return { outcome: 'found', key: stored.key };
  }

  /** Stores the key and reads it back; undefined when that worked. Never rejects. */
  async store(origin: string, key: string): Promise<StorageProblem | undefined> {
    this.late.delete(origin);
    const answer = await this.ask((secrets) => secrets.store(secretNameOf(origin), JSON.stringify({ origin, key })));
    if ('problem' in answer) return answer.problem;
    const reading = await this.read(origin);
    if (reading.outcome === 'unreadable') return reading.problem;
    return reading.outcome === 'found' && reading.key === key ? undefined : { why: 'forgets' };
  }

  /** Removes the key of an origin; undefined when that worked. Never rejects. */
  async forget(origin: string): Promise<StorageProblem | undefined> {
    this.late.delete(origin);
    const answer = await this.ask((secrets) => secrets.delete(secretNameOf(origin)));
    return 'problem' in answer ? answer.problem : undefined;
  }

  /** Calls back when an origin's key changed, in any window, or when it becomes readable after all. */
  onDidChange(listener: (origin: string) => void): Disposable {
    const own = new Disposables();
    own.add(this.answered.event(listener));
    const changed = this.secrets?.onDidChange(({ key }) => {
      if (!key.startsWith(prefix)) return;
      const origin = key.slice(prefix.length);
      this.late.delete(origin);
      listener(origin);
    });
    if (changed) own.add(changed);
    return own;
  }

  /** A late result is news, and the next read gets it. A late failure isn't retried automatically. */
  private awaitLate(origin: string, asked: Promise<string | undefined>): void {
    if (this.late.get(origin) === asked) return;
    this.late.set(origin, asked);
    const isAwaited = () => this.late.get(origin) === asked;
    asked.then(
      () => isAwaited() && this.answered.fire(origin),
      () => isAwaited() && this.late.delete(origin),
    );
  }

  /** A keyring may be waiting for a hidden password dialog, so every request has a deadline. */
  private ask<T>(question: (secrets: Secrets) => Thenable<T>): Promise<{ value: T } | { problem: StorageProblem }> {
    const secrets = this.secrets;
    if (!secrets) return Promise.resolve({ problem: { why: 'missing' } });
    return new Promise((resolve) => {
      const timer = this.clock.after(deadlineMs, () => resolve({ problem: { why: 'noAnswer' } }));
      const failed = (error: unknown) => resolve({ problem: { why: 'failed', detail: reasonOf(error) } });
      const asked = (async () => question(secrets))().then((value) => resolve({ value }), failed);
      void asked.finally(() => timer.dispose());
    });
  }
}

const prefix = 'modelCatalog.key ';

function secretNameOf(origin: string): string {
  return prefix + origin;
}
