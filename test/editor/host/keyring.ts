import { Emitter } from '../../../src/base/disposable';
import type { Secrets } from '../../../src/features/account/model/apiKey';

/** A secret storage in memory that can be made to fail. */
export class Keyring implements Secrets {
  private readonly kept = new Map<string, string>();
  private readonly changed = new Emitter<{ readonly key: string }>();
  private readonly waiting: (() => void)[] = [];
  readonly onDidChange = this.changed.event;
  /** `hangs`: nothing finishes until it `works` again. `forgets`: it has no secrets. */
  private does: 'work' | 'throw' | 'hang' | 'forget' = 'work';

  /** Makes it fail in this way, or work again, and fires a change event. */
  turn(does: Keyring['does']): void {
    this.does = does;
    for (const key of this.kept.keys()) this.changed.fire({ key });
  }

  /** Finishes what it was asked while it hung, and works from now on, without a change event. */
  unlock(): void {
    this.does = 'work';
    for (const answer of this.waiting.splice(0)) answer();
  }

  get(name: string): Promise<string | undefined> {
    if (this.does === 'throw') throw new Error('The keyring is locked');
    if (this.does === 'forget') return Promise.resolve(undefined);
    if (this.does === 'work') return Promise.resolve(this.kept.get(name));
    return new Promise((resolve) => this.waiting.push(() => resolve(this.kept.get(name))));
  }

  store(name: string, value: string): Promise<void> {
    this.kept.set(name, value);
    this.changed.fire({ key: name });
    return Promise.resolve();
  }

  delete(name: string): Promise<void> {
    this.kept.delete(name);
    this.changed.fire({ key: name });
    return Promise.resolve();
  }
}
