import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Quotes } from '../../../src/catalog/quotes';
import type { Field, Model } from '../../../src/catalog/fields';
import { Composer } from '../../../src/compose/composer';
import { Offer } from '../../../src/compose/offer';
import type { Target } from '../../../src/renders/record';
import { settled, TestClock } from '../clock';
import { deferred } from '../deferred';
import { ScriptedSession } from '../editor/scriptedSession';
import { styleOf, TestShelf } from './shelf';

const fields: readonly Field[] = [
  { name: 'prompt', label: 'Prompt', kind: 'longText', statedType: 'text', required: true },
  { name: 'seed', label: 'Seed', kind: 'seed', statedType: 'seed', required: false },
];
const model: Model = { id: 'a/b/c', provider: 'a', family: 'b', name: 'c', title: 'C', kind: 'image', fields };
const standard: Target = { root: 'file:///project', folder: 'renders', fileName: '${slug}' };

/** A composer whose service answers when the test says so. */
class Desk {
  readonly clock = new TestClock();
  readonly session = new ScriptedSession(() => Promise.resolve(model), 100);
  readonly shelf = new TestShelf();
  readonly readings: ReturnType<typeof deferred<Model | undefined>>[] = [];
  readonly told: unknown[] = [];
  private ids = 0;
  readonly composer: Composer = new Composer(
    {
      session: this.session,
      offer: new Offer(new Quotes(this.clock), () => this.session.client, this.clock, {
        uuid: () => `${++this.ids}`,
        unit: () => 0,
      }),
      styles: this.shelf,
      start: () => Promise.resolve(),
    },
    { defaultTarget: () => standard, isOpen: () => true },
    {
      find: () => {
        const reading = deferred<Model | undefined>();
        this.readings.push(reading);
        return reading.promise;
      },
      found: (found) => (this.composer.adopt(found), this.told.push(found?.id)),
      failed: (error) => this.told.push((error as Error).message),
      linkPlace: () => undefined,
    },
  );

  async answer(index: number, found: Model | Error): Promise<void> {
    await settled();
    if (found instanceof Error) this.readings[index]?.reject(found);
    else this.readings[index]?.resolve(found);
    await settled();
  }
}

test('a model is read once at a time, and what is no longer meant changes nothing, whatever comes of it', async () => {
  const desk = new Desk();
  const { composer } = desk;
  assert.equal(composer.load(), composer.load());
  void composer.load(true);
  await desk.answer(1, { ...model, id: 'a/b/d' });
  await desk.answer(0, model);
  assert.deepEqual([desk.told, composer.model?.id, composer.isLoading], [['a/b/d'], 'a/b/d', false]);
  void composer.load();
  void composer.load(true);
  await desk.answer(3, model);
  await desk.answer(2, new Error('late'));
  assert.deepEqual(desk.told, ['a/b/d', 'a/b/c']);
});

test('another account reads the model again, and one that couldn’t be read is read once there is a connection', async () => {
  const desk = new Desk();
  const { composer, session } = desk;
  void composer.load();
  await desk.answer(0, new Error('away'));
  assert.deepEqual([desk.told, composer.isUnread], [['away'], true]);
  session.state = { ...session.state, status: 'offline' };
  composer.follow();
  assert.equal(composer.isLoading, false);
  session.state = { ...session.state, status: 'connected' };
  composer.follow();
  await desk.answer(1, model);
  composer.follow();
  assert.deepEqual([composer.isLoading, composer.isUnread], [false, false]);
  session.account = 'second';
  composer.follow(true);
  assert.equal(composer.isLoading, false, 'nobody is composing');
  session.account = 'third';
  composer.follow();
  assert.equal(composer.isLoading, true);
});

test('what is priced and ordered has the style’s words, and its name is made of the user’s own', async () => {
  const desk = new Desk();
  const { composer } = desk;
  composer.pendingInputs = { prompt: 'a fox', seed: 7 };
  composer.adopt(model);
  assert.deepEqual([composer.pendingInputs, composer.typedInputs], [undefined, { prompt: 'a fox', seed: 7 }]);
  desk.shelf.become([styleOf('docs', { before: 'Muted blues.' })]);
  composer.style.use(desk.shelf.styles[0]?.id);
  composer.wanted = { count: 2, varied: [] };
  composer.ask(true);
  await settled();
  const orders = composer.orders(composer.offer.claim(composer.offer.intent) ?? []);
  assert.deepEqual(
    orders.map(({ inputs, target }) => [inputs['prompt'], target.fileName]),
    orders.map(() => ['Muted blues. a fox', 'a-fox']),
  );
  assert.equal(orders.length, 2);
});

test('one image is ordered for a single file, and where only one is meant; incomplete inputs have no price', async () => {
  const desk = new Desk();
  const { composer } = desk;
  composer.adopt(model);
  composer.wanted = { count: 4, varied: [] };
  assert.deepEqual([composer.several.count, composer.complete], [4, undefined]);
  composer.target.once = { ...standard, ending: 'png' };
  assert.equal(composer.several.count, 1);
  assert.equal(composer.target.leave(standard), false);
  assert.equal(composer.target.leave({ ...standard, ending: 'png' }), true);
  assert.equal(composer.several.count, 4);
  composer.isForOne = true;
  assert.equal(composer.several.count, 1);
  composer.ask(true);
  await settled();
  assert.equal(composer.offer.state.status, 'none');
});
