import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Lazy } from '../../../../../src/base/disposable';
import { silentLog } from '../../../../../src/base/log';
import type { CatalogClient } from '../../../../../src/catalog/client';
import { ServiceError, type ServiceErrorKind } from '../../../../../src/catalog/errors';
import type { SessionState } from '../../../../../src/catalog/session';
import type { Listing, ModelSummary } from '../../../../../src/catalog/fields';
import type { ListOwner } from '../../../../../src/features/models/model/keptModels';
import { type ListSession, ModelList } from '../../../../../src/features/models/model/modelList';
import { settled } from '../../../clock';

const costOf = () => 4;
const empty: Listing<ModelSummary> = { items: [], incomplete: false, unreadable: 0 };

/** A session and a disk that a test controls. */
class World implements ListSession {
  account = 'first';
  state: SessionState = { status: 'connected', place: { base: 'https://models.example', sandbox: false } };
  modelsAt: number | undefined = 7;
  answer: () => Promise<Listing<ModelSummary>> = () => Promise.resolve(empty);
  readonly written: [ListOwner, Listing<ModelSummary>, number][] = [];
  readonly asked: ListOwner[] = [];
  reading: () => Promise<{ listing: Listing<ModelSummary>; at: number } | undefined> = () => Promise.resolve(undefined);

  get client(): Pick<CatalogClient, 'account' | 'language'> {
    return { account: this.account, language: 'de' };
  }

  models(): Promise<Listing<ModelSummary>> {
    return this.answer();
  }

  readonly list = new ModelList(
    this,
    new Lazy(() =>
      Promise.resolve({
        read: (owner: ListOwner) => {
          this.asked.push(owner);
          return this.reading();
        },
        write: (owner: ListOwner, listing: Listing<ModelSummary>, at: number) => {
          this.written.push([owner, listing, at]);
          return Promise.resolve();
        },
      }),
    ),
    costOf,
    silentLog,
  );

  fail(kind: ServiceErrorKind, status?: number): void {
    this.answer = () => Promise.reject(new ServiceError(kind, 'as scripted', { status }));
  }
}

test('the service’s list is stored once, with its time, account, and language', async () => {
  const world = new World();
  assert.deepEqual(await world.list.read(), { listing: empty, at: 7, kept: false, costOf });
  await world.list.read();
  await settled();
  assert.deepEqual(world.written, [[{ place: 'https://models.example', account: 'first', language: 'de' }, empty, 7]]);
  assert.deepEqual(world.asked, []);
});

for (const [what, kind, status] of [
  ['isn’t responding', 'noAnswer', undefined],
  ['has an outage', 'status', 503],
  ['asks for fewer requests', 'tooManyRequests', 429],
  ['says that the daily cap is reached', 'dailyCap', 409],
] as const)
  test(`a service that ${what} shows its earlier list, marked as saved`, async () => {
    const world = new World();
    world.reading = () => Promise.resolve({ listing: empty, at: 3 });
    world.fail(kind, status);
    assert.deepEqual(await world.list.read(), { listing: empty, at: 3, kept: true, costOf });
  });

test('a rejected key, a wrong URL, and an unreadable response show no old list', async () => {
  const world = new World();
  world.reading = () => Promise.resolve({ listing: empty, at: 3 });
  for (const [kind, status] of [['keyRefused'], ['status', 404], ['unreadable'], ['cancelled']] as const) {
    world.fail(kind, status);
    await assert.rejects(world.list.read(), { kind });
  }
  assert.deepEqual(world.asked, []);
});

test('without a saved list, or with a disk that fails, the service’s problem is shown', async () => {
  const world = new World();
  world.fail('noAnswer');
  await assert.rejects(world.list.read(), { kind: 'noAnswer' });
  world.reading = () => Promise.reject(new Error('disk'));
  await assert.rejects(world.list.read(), { kind: 'noAnswer' });
});

test('a stored list that arrives while another account is in use isn’t shown', async () => {
  const world = new World();
  world.fail('noAnswer');
  world.reading = () => {
    world.account = 'second';
    return Promise.resolve({ listing: empty, at: 3 });
  };
  await assert.rejects(world.list.read(), { kind: 'cancelled' });
});

test('the sandbox stores no list: it is always available', async () => {
  const world = new World();
  world.state = { status: 'connected', place: { base: 'http://127.0.0.1:1', sandbox: true } };
  await world.list.read();
  world.fail('noAnswer');
  await assert.rejects(world.list.read());
  await settled();
  assert.deepEqual([world.written, world.asked], [[], []]);
});
