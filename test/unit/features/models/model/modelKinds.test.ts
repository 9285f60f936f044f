import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Place } from '../../../../../src/catalog/session';
import { ModelKinds } from '../../../../../src/features/models/model/modelList';
import type { Spooled } from '../../../../../src/renders/record';

const place: Place = { base: 'https://models.example', sandbox: false };

class Memory {
  readonly values = new Map<string, unknown>();
  writes = 0;

  get(key: string): unknown {
    return this.values.get(key);
  }

  update(key: string, value: unknown): Promise<void> {
    this.writes += 1;
    this.values.set(key, structuredClone(value));
    return Promise.resolve();
  }
}

function made(modelId: string, what: { mediaType?: string; textOutput?: string }, where = place.base) {
  const { mediaType, textOutput } = what;
  const spooled = mediaType === undefined ? undefined : ({ mediaType } as Spooled);
  return { place: where, modelId, spooled, textOutput };
}

test('the kind of a model is learned from its results, and remembered in the next window', async () => {
  const memory = new Memory();
  await new ModelKinds(memory).learn([
    made('a/b/painter', { mediaType: 'image/png', textOutput: 'a caption' }),
    made('a/b/poet', { textOutput: 'Once there was' }),
    made('a/b/file', { mediaType: 'text/markdown' }),
    made('a/b/singer', { mediaType: 'audio/mpeg' }),
    made('a/b/empty', { textOutput: '' }),
    made('a/b/running', {}),
  ]);
  const kinds = new ModelKinds(memory);
  const ids = ['painter', 'poet', 'file', 'singer', 'empty', 'running'].map((name) => `a/b/${name}`);
  assert.deepEqual(
    ids.map((id) => kinds.of(place, id)),
    ['image', 'text', 'text', 'other', undefined, undefined],
  );
});

test('each service has its own models, and the sandbox is one whatever its port', async () => {
  const kinds = new ModelKinds(new Memory());
  await kinds.say(place, 'a/b/c', 'text');
  await kinds.say({ base: 'http://127.0.0.1:1', sandbox: true }, 'a/b/c', 'image');
  assert.equal(kinds.of(place, 'a/b/c'), 'text');
  assert.equal(kinds.of({ base: 'http://127.0.0.1:2', sandbox: true }, 'a/b/c'), 'image');
  assert.equal(kinds.of({ base: 'https://other.example', sandbox: false }, 'a/b/c'), undefined);
});

test('a result counts more than a user’s answer, and the newest most', async () => {
  const kinds = new ModelKinds(new Memory());
  await kinds.say(place, 'a/b/c', 'text');
  await kinds.learn([made('a/b/c', { textOutput: 'x' }), made('a/b/c', { mediaType: 'image/webp' })]);
  assert.equal(kinds.of(place, 'a/b/c'), 'image');
});

test('a known kind is neither written nor announced again', async () => {
  const memory = new Memory();
  const kinds = new ModelKinds(memory);
  let told = 0;
  kinds.onDidChange(() => (told += 1));
  for (let n = 0; n < 3; n++) await kinds.learn([made('a/b/c', { mediaType: 'image/png' })]);
  assert.deepEqual([memory.writes, told], [1, 1]);
});

test('kinds learned by another window are kept, and the oldest are dropped when there are too many', async () => {
  const memory = new Memory();
  const [one, other] = [new ModelKinds(memory), new ModelKinds(memory)];
  await one.say(place, 'a/b/one', 'image');
  await other.say(place, 'a/b/other', 'text');
  assert.equal(new ModelKinds(memory).of(place, 'a/b/one'), 'image');
  await one.learn(Array.from({ length: 499 }, (_, n) => made(`a/b/${n}`, { textOutput: 'x' })));
  const kinds = new ModelKinds(memory);
  assert.deepEqual(
    [kinds.of(place, 'a/b/one'), kinds.of(place, 'a/b/other'), kinds.of(place, 'a/b/0')],
    [undefined, 'text', 'text'],
  );
});

test('an unreadable value is ignored', () => {
  const memory = new Memory();
  memory.values.set('models.kinds', [['x', 'a/b/c', 'video']]);
  assert.equal(new ModelKinds(memory).of(place, 'a/b/c'), undefined);
});
