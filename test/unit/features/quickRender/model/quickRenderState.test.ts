import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { momentOf } from '../../../../../src/base/clock';
import { Rhythm } from '../../../../../src/base/concurrency';
import { ServiceError } from '../../../../../src/catalog/errors';
import { Quotes } from '../../../../../src/catalog/quotes';
import type { Field, Model, ModelKind, Quote } from '../../../../../src/catalog/fields';
import { Countdown } from '../../../../../src/features/account/model/keyNotice';
import { Drafts } from '../../../../../src/features/models/model/drafts';
import type { Store } from '../../../../../src/base/store';
import { LastModel } from '../../../../../src/features/models/model/lastModel';
import { Offer } from '../../../../../src/compose/offer';
import { enterOf, type FirstRow } from '../../../../../src/features/quickRender/model/firstRow';
import { isTypedChange, QuickRenderState } from '../../../../../src/features/quickRender/model/quickRenderState';
import type { Order } from '../../../../../src/renders/record';
import { settled, TestClock } from '../../../clock';
import { ScriptedSession } from '../../../editor/scriptedSession';
import { styleOf, TestShelf } from '../../../compose/shelf';

const prompt: Field = { name: 'prompt', label: 'Prompt', kind: 'longText', statedType: 'text', required: true };
const steps: Field = {
  name: 'steps',
  label: 'Steps',
  kind: 'integer',
  statedType: 'integer',
  required: false,
  minimum: 1,
};
const system: Field = { name: 'system_prompt', label: 'System', kind: 'longText', statedType: 'text', required: false };
const mask: Field = { name: 'mask', label: 'Mask', kind: 'text', statedType: 'text', required: true };

const ratio: Field = {
  name: 'aspect_ratio',
  label: 'Aspect ratio',
  kind: 'choice',
  statedType: 'enum',
  required: false,
  default: '1:1',
  choices: ['1:1', '16:9', '9:16'].map((value) => ({ value, label: value })),
};

function modelOf(id: string, kind: ModelKind, fields: readonly Field[]): Model {
  const [provider = '', family = '', name = ''] = id.split('/');
  return { id, provider, family, name, title: name, kind, fields };
}

const catalog = [
  modelOf('a/text/poet', 'text', [prompt]),
  modelOf('a/image/mask', 'image', [prompt, mask]),
  modelOf('a/image/plain', 'image', [prompt, steps]),
  modelOf('a/image/other', 'image', [prompt, steps]),
];

function memory(): Store {
  const kept = new Map<string, unknown>();
  return { get: (key) => kept.get(key), update: (key, value) => Promise.resolve(void kept.set(key, value)) };
}

/** A quick render whose service, time, and storage the test controls. */
class Desk {
  readonly clock = new TestClock();
  readonly rhythm = new Rhythm(this.clock);
  readonly asked: unknown[] = [];
  readonly read: string[] = [];
  readonly shelf = new TestShelf();
  models = catalog;
  /** Folders that were removed from the workspace. */
  closed: readonly string[] = [];
  price = (): Promise<Quote> => Promise.resolve({ costCents: 4 });
  readonly session = new ScriptedSession((id) => this.model(id), 100);
  private ids = 0;

  constructor(readonly everywhere = memory()) {}

  make(debounceMs: number | (() => number) = 250, kind: ModelKind = 'image'): QuickRenderState {
    this.session.price = (inputs) => (this.asked.push(inputs), this.price());
    const random = { uuid: () => `intent-${++this.ids}`, unit: () => 0 };
    const debounce = typeof debounceMs === 'number' ? () => debounceMs : debounceMs;
    return new QuickRenderState({
      session: Object.assign(this.session, {
        models: () => Promise.resolve({ items: this.models, incomplete: false, unreadable: 0 }),
        readModel: () => Promise.resolve(undefined),
      }),
      offer: new Offer(new Quotes(this.clock), () => this.session.client, this.clock, random, debounce),
      drafts: new Drafts(memory(), this.everywhere),
      styles: this.shelf,
      lastModel: new LastModel(this.everywhere),
      centsOf: () => undefined,
      kind,
      clock: this.clock,
      start: () => Promise.resolve(),
      defaultTarget: () => ({ root: 'file:///project', folder: 'renders', fileName: '${slug}' }),
      isOpen: ({ root = '' }) => !this.closed.includes(root),
      countdown: new Countdown(this.session, this.clock),
    });
  }

  private model(id: string): Promise<Model> {
    this.read.push(id);
    const found = this.models.find((model) => model.id === id);
    return found ? Promise.resolve(found) : Promise.reject(new ServiceError('status', 'unknown', { status: 404 }));
  }
}

async function opened(desk: Desk, selection = ''): Promise<QuickRenderState> {
  const quick = desk.make();
  quick.open({ selection });
  await settled();
  return quick;
}

async function priced(desk: Desk, text = 'a fox'): Promise<QuickRenderState> {
  const quick = await opened(desk);
  quick.type(text);
  await desk.clock.advance(250);
  return quick;
}

const image: Field = {
  name: 'image',
  label: 'Image',
  kind: 'image',
  statedType: 'image',
  required: true,
  image: { types: ['image/png'], maxBytes: 1000 },
};
const background: Field = { ...image, name: 'background', label: 'Background', required: false };
const fox = { file: 'fox.png', sha256: 'a'.repeat(64), type: 'image/png', bytes: 100 };
const owl = { ...fox, file: 'owl.png', sha256: 'b'.repeat(64) };

/** Opened for the first model that takes this image. */
async function editing(desk: Desk, quick = desk.make()): Promise<QuickRenderState> {
  quick.open({ image: fox, size: { width: 10, height: 10 } });
  await settled();
  return quick;
}

test('an image to change leaves for a price only once words were typed, in the first model that takes it', async () => {
  const desk = new Desk();
  desk.models = [...catalog, modelOf('a/image/edit', 'image', [prompt, image])];
  const quick = await editing(desk);
  assert.equal(quick.draft.model?.id, 'a/image/edit');
  assert.deepEqual(quick.first(), { says: 'noPrompt' });
  quick.recall('darker');
  await desk.clock.advance(1000);
  assert.deepEqual([quick.first(), desk.asked, quick.initiator], [{ says: 'noPrompt' }, [], 'automation']);
  quick.wasTyped();
  await desk.clock.advance(250);
  assert.deepEqual([desk.asked.pop(), quick.initiator], [{ prompt: 'darker', image: fox }, 'user']);
  quick.type('lighter');
  await desk.clock.advance(250);
  assert.deepEqual(desk.asked, [{ prompt: 'lighter', image: fox }]);
  assert.equal(quick.first().says, 'order');
});

test('an image to change isn’t sent with the next render of its model, nor with that of another image', async () => {
  const desk = new Desk();
  desk.models = [modelOf('a/image/edit', 'image', [prompt, { ...image, required: false }])];
  const quick = await editing(desk);
  quick.type('lighter');
  await desk.clock.advance(250);
  const [order] = quick.orders(quick.first()) ?? [];
  assert.ok(order);
  quick.ordered(order);
  quick.open({ image: owl });
  await settled();
  quick.type('darker');
  await desk.clock.advance(250);
  quick.open({});
  await settled();
  quick.type('a lake');
  await desk.clock.advance(250);
  assert.deepEqual(desk.asked, [
    { prompt: 'lighter', image: fox },
    { prompt: 'darker', image: owl },
    { prompt: 'a lake' },
  ]);
});

test('an image of an earlier render isn’t sent for a price before the user types, whatever was selected', async () => {
  const desk = new Desk();
  desk.models = [modelOf('a/image/edit', 'image', [prompt, { ...image, required: false }])];
  const quick = await editing(desk);
  quick.open({});
  await settled();
  quick.set(image, { images: [owl] });
  quick.open({ selection: 'a heron' });
  await desk.clock.advance(1000);
  assert.deepEqual([desk.asked, quick.first()], [[], { says: 'noPrompt' }]);
  quick.type('a heron!');
  await desk.clock.advance(250);
  assert.deepEqual(desk.asked, [{ prompt: 'a heron!', image: owl }]);
});

test('a style that states an image of its own doesn’t take the place of the image to change', async () => {
  const desk = new Desk();
  desk.models = [modelOf('a/image/edit', 'image', [prompt, image])];
  const style = styleOf('brand', {}, { image: 'https://models.example/other.png' });
  desk.shelf.styles = [style];
  desk.shelf.keep(style.id);
  const quick = await editing(desk);
  quick.type('lighter');
  await desk.clock.advance(250);
  assert.deepEqual([desk.asked, quick.draft.styles], [[{ prompt: 'lighter', image: fox }], []]);
});

test('an image of the last render isn’t priced while the model for another one is read', async () => {
  const desk = new Desk();
  desk.models = [modelOf('a/image/edit', 'image', [prompt, { ...image, required: false }])];
  const quick = await editing(desk);
  quick.set(image, { images: [owl] });
  quick.open({ image: fox });
  quick.type('lighter');
  await desk.clock.advance(1000);
  assert.deepEqual(desk.asked, [{ prompt: 'lighter', image: fox }]);
});

test('when several fields could take the image, it asks which', async () => {
  const desk = new Desk();
  desk.models = [modelOf('a/image/edit', 'image', [prompt, { ...image, required: false }, background])];
  const quick = await editing(desk);
  quick.type('on a beach');
  await desk.clock.advance(1000);
  assert.deepEqual([enterOf(quick.first()), desk.asked], [{ does: 'chooseField' }, []]);
  assert.deepEqual(quick.imagePlaces, [{ ...image, required: false }, background]);
  quick.placeImage(background);
  await desk.clock.advance(250);
  assert.deepEqual(desk.asked, [{ prompt: 'on a beach', background: fox }]);
});

test('a model without a field for the image, or for words, isn’t asked for a price', async () => {
  const desk = new Desk();
  desk.models = [
    modelOf('a/image/edit', 'image', [prompt, image]),
    modelOf('a/image/size', 'image', [image]),
    ...catalog,
  ];
  const quick = await editing(desk);
  for (const [id, says] of [
    ['a/image/plain', 'takesNoImage'],
    ['a/image/size', 'takesNoText'],
  ] as const) {
    quick.choose(id);
    await settled();
    quick.type(`lighter ${id}`);
    await desk.clock.advance(1000);
    assert.deepEqual([quick.first(), enterOf(quick.first())], [{ says }, { does: 'chooseModel' }]);
  }
  assert.deepEqual(desk.asked, []);
});

test('an image that the model doesn’t accept is named with the reason', async () => {
  const desk = new Desk();
  desk.models = [
    modelOf('a/image/edit', 'image', [prompt, { ...image, image: { types: ['image/png'], maxBytes: 10 } }]),
  ];
  const quick = desk.make();
  quick.open({ image: fox, modelId: 'a/image/edit' });
  await settled();
  quick.type('lighter');
  await desk.clock.advance(1000);
  const row = quick.first();
  assert.equal('issue' in row && row.issue.code, 'imageTooLarge');
  assert.deepEqual(desk.asked, []);
});

test('what was pasted, deleted, or undone isn’t what the user typed, and everything else is', () => {
  for (const [before, after, copied, isTyped] of [
    ['', 'd', 'a fox', true],
    ['a fox', 'a fox.', 'a fox', true],
    ['a fo', 'a fox', '', true],
    ['', 'きつね', 'a fox', true],
    ['', 'a fox', 'a fox', false],
    ['a very old owl', 'a fox', 'a fox', false],
    ['a ', 'a  red fox', 'red\n fox', false],
    ['a fox', 'a fox ', ' ', false],
    ['a fox', 'a foxx', 'x', false],
    ['a fox', 'a fox ', 'a fox', true],
    ['a fox', 'a fo', 'a fox', false],
  ] as const)
    assert.equal(isTypedChange(before, after, copied), isTyped, `${before} → ${after}`);
});

test('a size shapes only this image', async () => {
  const desk = new Desk();
  desk.models = [modelOf('a/image/plain', 'image', [prompt, ratio])];
  const quick = desk.make();
  quick.open({ selection: 'a quay', size: { width: 1600, height: 900 } });
  await settled();
  assert.equal(quick.draft.inputs['aspect_ratio'], '16:9');
  await desk.clock.advance(250);
  const order = quick.orders(quick.first())?.[0];
  assert.ok(order);
  quick.ordered(order);
  quick.close();
  quick.open({ selection: 'a heron' });
  await settled();
  assert.equal(quick.draft.inputs['aspect_ratio'], '1:1');
});

test('with no model yet, the first image model that needs only a prompt is taken', async () => {
  const quick = await opened(new Desk());
  assert.equal(quick.draft.model?.id, 'a/image/plain');
  assert.deepEqual(quick.first(), { says: 'noPrompt' });
  assert.deepEqual(
    quick.rows.map(([field]) => field.name),
    ['steps'],
  );
});

test('if no model needs only a prompt, the user chooses one', async () => {
  const desk = new Desk();
  desk.models = catalog.slice(0, 2);
  const quick = await opened(desk);
  assert.deepEqual(enterOf(quick.first()), { does: 'chooseModel' });
});

test('only a few models are read to find the first one', async () => {
  const desk = new Desk();
  desk.models = Array.from({ length: 50 }, (_, n) => modelOf(`a/b/${n}`, 'image', [prompt, mask]));
  const quick = await opened(desk);
  assert.equal(quick.first().says, 'chooseModel');
  assert.ok(desk.read.length <= 5);
});

test('the row shows the price of exactly the typed text, and the balance after it', async () => {
  const desk = new Desk();
  const quick = await priced(desk);
  assert.deepEqual(quick.first(), { says: 'order', intent: 'intent-1', costCents: 4, afterCents: 96 });
  assert.deepEqual(desk.asked, [{ prompt: 'a fox' }]);
  assert.deepEqual(quick.orders(quick.first())?.[0], {
    intent: 'intent-1',
    modelId: 'a/image/plain',
    inputs: { prompt: 'a fox' },
    shownCents: 4,
    account: 'first',
    asked: { client: desk.session.client, at: momentOf(desk.clock) },
    target: { root: 'file:///project', folder: 'renders', fileName: '${slug}' },
  });
});

test('while the price is being requested, Enter spends nothing', async () => {
  const desk = new Desk();
  const quick = await priced(desk);
  const shown = quick.first();
  quick.type('a fox in the snow');
  assert.deepEqual(enterOf(quick.first()), { does: 'nothing' });
  assert.equal(quick.orders(quick.first())?.[0], undefined);
  assert.equal(quick.orders(shown)?.[0], undefined, 'the row of the text before');
});

test('a row for another text renders nothing, even if that text’s price is known', async () => {
  const desk = new Desk();
  const quick = await priced(desk);
  const fox = quick.first();
  quick.type('a hare');
  await desk.clock.advance(250);
  const hare = quick.first();
  quick.type('a fox');
  assert.equal(quick.first().says, 'order');
  assert.equal(quick.orders(fox)?.[0], undefined);
  assert.equal(quick.orders(hare)?.[0], undefined);
});

test('a row renders once', async () => {
  const quick = await priced(new Desk());
  const row = quick.first();
  assert.ok(quick.orders(row)?.[0]);
  assert.equal(quick.orders(row)?.[0], undefined);
});

test('blanks around the prompt are neither sent nor priced', async () => {
  const desk = new Desk();
  const quick = await priced(desk, 'a fox');
  quick.type('a fox ');
  await desk.clock.advance(1000);
  assert.deepEqual(desk.asked, [{ prompt: 'a fox' }]);
  assert.equal(quick.first().says, 'order');
});

test('a balance that is too low is shown with the missing amount, and renders nothing', async () => {
  const desk = new Desk();
  desk.price = () => Promise.resolve({ costCents: 590 });
  const quick = await priced(desk);
  assert.deepEqual(quick.first(), { says: 'short', costCents: 590, shortCents: 490 });
  assert.deepEqual(enterOf(quick.first()), { does: 'refreshBalance' });
  assert.equal(quick.orders(quick.first())?.[0], undefined);
  desk.session.become({ balance: { cents: 1000, at: 1 } });
  assert.equal(quick.first().says, 'order');
});

test('a missing or wrong field is named, and Enter leads to it', async () => {
  const desk = new Desk();
  const quick = await opened(desk);
  quick.choose('a/image/mask');
  await settled();
  quick.type('a fox');
  assert.deepEqual(enterOf(quick.first()), { does: 'changeField', field: mask });
  quick.choose('a/image/plain');
  await settled();
  quick.set(steps, '0');
  assert.deepEqual(quick.first(), {
    says: 'wrong',
    field: steps,
    issue: { code: 'tooSmall', minimum: 1 },
    isPrompt: false,
  });
  await desk.clock.advance(1000);
  assert.deepEqual(desk.asked, []);
});

test('a price rejected because of a field leads there, any other failure is retried', async () => {
  const desk = new Desk();
  const fields = [{ field: 'steps', message: 'at most 10' }];
  desk.price = () => Promise.reject(new ServiceError('invalidInput', 'bad', { fields }));
  const quick = await priced(desk);
  assert.deepEqual(quick.first(), { says: 'refused', field: steps, message: 'at most 10', isPrompt: false });
  assert.deepEqual(enterOf(quick.first()), { does: 'changeField', field: steps, problem: 'at most 10' });
  desk.price = () => Promise.reject(new ServiceError('noAnswer', 'cut'));
  quick.type('a hare');
  await desk.clock.advance(250);
  assert.deepEqual(enterOf(quick.first()), { does: 'retry' });
  desk.price = () => Promise.resolve({ costCents: 5 });
  quick.retry();
  await desk.clock.advance(250);
  assert.equal(quick.first().says, 'order');
});

test('a missing price is shown as not stated', async () => {
  const desk = new Desk();
  desk.price = () => Promise.resolve({ costCents: undefined });
  const quick = await priced(desk);
  assert.equal(quick.first().says, 'notStated');
  assert.equal(quick.orders(quick.first())?.[0]?.shownCents, undefined);
});

test('a rejected key is shown instead of a price', async () => {
  const desk = new Desk();
  const quick = await priced(desk);
  desk.session.become({ status: 'keyRefused' });
  assert.deepEqual(enterOf(quick.first()), { does: 'enterKey' });
});

test('another account means another price', async () => {
  const desk = new Desk();
  const quick = await priced(desk);
  const row = quick.first();
  desk.session.become({}, 'second');
  assert.equal(quick.orders(row)?.[0], undefined);
  await desk.clock.advance(250);
  assert.equal(quick.orders(quick.first())?.[0]?.account, 'second');
});

test('typed text survives dismissing the box, and no price is requested in the meantime', async () => {
  const desk = new Desk();
  const quick = await opened(desk);
  quick.type('half a thought');
  quick.close();
  await desk.clock.advance(1000);
  assert.deepEqual(desk.asked, []);
  quick.open({});
  await desk.clock.advance(250);
  assert.equal(quick.prompt, 'half a thought');
  assert.deepEqual(desk.asked, [{ prompt: 'half a thought' }]);
});

test('what was pasted, chosen, or already selected is priced immediately, and typing is priced after a pause', async () => {
  const desk = new Desk();
  const quick = await opened(desk);
  quick.type('a paper fox in the snow');
  assert.equal(desk.asked.length, 1);
  quick.type('a paper fox in the snow!');
  assert.equal(desk.asked.length, 1);
  quick.set(steps, '7');
  assert.deepEqual(desk.asked.slice(1), [{ prompt: 'a paper fox in the snow!', steps: 7 }]);
  quick.close();
  quick.open({ selection: 'a heron' });
  await settled();
  assert.deepEqual(desk.asked.at(-1), { prompt: 'a heron', steps: 7 });
});

test('a prompt typed for the next render stays when the order before it is recorded late, and isn’t kept as rendered', async () => {
  const desk = new Desk();
  const quick = await priced(desk, 'a fox');
  const [order] = quick.orders(quick.first())!;
  quick.close();
  quick.open({});
  quick.type('a heron');
  await desk.clock.advance(250);
  quick.ordered(order!);
  assert.equal(quick.prompt, 'a heron');
  const kept = new Drafts(memory(), desk.everywhere).rendered(order!.modelId);
  assert.deepEqual(new Map(kept).get('prompt'), 'a fox');
  assert.equal(quick.orders(quick.first())?.[0]?.inputs['prompt'], 'a heron');
});

test('after an order the box is empty, and the model and its fields are remembered in every window', async () => {
  const desk = new Desk();
  const quick = await opened(desk);
  quick.choose('a/image/other');
  await settled();
  quick.set(steps, '7');
  quick.type('a fox');
  await desk.clock.advance(250);
  quick.ordered(quick.orders(quick.first())![0]!);
  await settled();
  const next = await opened(new Desk(desk.everywhere));
  assert.deepEqual([quick.prompt, next.prompt], ['', '']);
  assert.equal(next.draft.model?.id, 'a/image/other');
  assert.deepEqual(next.rows, [[steps, '7']]);
});

test('if the service no longer knows the last model, another is chosen', async () => {
  const desk = new Desk();
  await new LastModel(desk.everywhere).keep('gone/from/here');
  const quick = await opened(desk);
  assert.equal(quick.draft.model?.id, 'a/image/plain');
});

test('a selection becomes the prompt on one line, and doesn’t replace text typed since', async () => {
  const desk = new Desk();
  const quick = await opened(desk, '  an old\n\theron at dawn \n');
  assert.equal(quick.prompt, 'an old heron at dawn');
  quick.type('a young heron');
  quick.close();
  quick.open({ selection: '  an old\n\theron at dawn \n' });
  assert.equal(quick.prompt, 'a young heron');
  quick.open({ selection: 'something else' });
  assert.equal(quick.prompt, 'something else');
  quick.open({ selection: 'x'.repeat(3999) + '😀' });
  assert.equal(quick.prompt, 'x'.repeat(3999));
});

test('an order is a user’s own only if something was typed since the box was opened', async () => {
  const quick = await opened(new Desk(), 'a selected fox');
  assert.equal(quick.initiator, 'automation');
  quick.recall('an earlier fox');
  quick.type('an earlier fox');
  assert.equal(quick.initiator, 'automation', 'the editor reports what a row has filled in');
  quick.type('an earlier fox at dusk');
  assert.equal(quick.initiator, 'user');
  quick.close();
  quick.open({});
  assert.deepEqual([quick.prompt, quick.initiator], ['an earlier fox at dusk', 'automation']);
});

test('a folder given once is forgotten, a chosen one stays until the order, or its folder is no longer open', async () => {
  const desk = new Desk();
  const quick = await opened(desk);
  quick.open({ target: { root: 'file:///project', folder: 'docs', fileName: 'x' } });
  assert.equal(quick.draft.target.now.folder, 'docs');
  quick.open({});
  assert.equal(quick.draft.target.now.folder, 'renders');
  quick.aim({ root: 'file:///project', folder: 'art', fileName: 'x' });
  quick.open({});
  assert.equal(quick.draft.target.now.folder, 'art');
  desk.closed = ['file:///project'];
  quick.open({});
  assert.equal(quick.draft.target.now.folder, 'renders');
});

test('the order is what the row showed, whatever happened in between', async () => {
  const text = fc.constantFrom('a', 'ab', 'a ', 'hare', 'fox', 'foxes', '');
  let orders = 0;
  const event = fc.oneof(
    { arbitrary: fc.record({ type: text }), weight: 6 },
    { arbitrary: fc.record({ pass: fc.constantFrom(1, 250, 250, 250, 70_000) }), weight: 10 },
    { arbitrary: fc.record({ enter: fc.nat(8) }), weight: 8 },
    { arbitrary: fc.record({ reopen: fc.boolean() }), weight: 1 },
    { arbitrary: fc.record({ steps: fc.constantFrom('', '3', '4', '0') }), weight: 1 },
    { arbitrary: fc.record({ model: fc.constantFrom('a/image/plain', 'a/image/other') }), weight: 1 },
    { arbitrary: fc.record({ account: fc.constantFrom('first', 'second') }), weight: 1 },
    { arbitrary: fc.record({ balance: fc.constantFrom(5, 100) }), weight: 1 },
    { arbitrary: fc.record({ price: fc.constantFrom(3, 9, 'none', 'fails') }), weight: 1 },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 20, maxLength: 60 }), async (events) => {
      const desk = new Desk();
      const quick = await opened(desk);
      const seen: { readonly row: FirstRow; readonly meant: Omit<Order, 'intent'> }[] = [];
      const ordered: string[] = [];
      const look = () => {
        const shownCents =
          quick.first().says === 'order' ? (quick.first() as { costCents: number }).costCents : undefined;
        const { model, inputs } = quick.draft;
        const target = quick.draft.target.now;
        const meant = { modelId: model?.id ?? '', inputs, shownCents, account: desk.session.account, target };
        seen.unshift({ row: quick.first(), meant });
      };
      quick.onDidChange(look);
      for (const one of events) {
        if ('type' in one) quick.type(one.type);
        else if ('steps' in one) quick.set(steps, one.steps);
        else if ('model' in one) quick.choose(one.model);
        else if ('account' in one) desk.session.become({}, one.account);
        else if ('balance' in one) desk.session.become({ balance: { cents: one.balance, at: 0 } });
        else if ('price' in one) {
          const { price } = one;
          desk.price = () =>
            price === 'fails'
              ? Promise.reject(new ServiceError('noAnswer', 'cut'))
              : Promise.resolve({ costCents: price === 'none' ? undefined : Number(price) });
        } else if ('pass' in one) await desk.clock.advance(one.pass);
        else if ('reopen' in one) {
          quick.close();
          quick.open({});
        } else {
          // Any row that was ever on the screen may be pressed, however late.
          const pressed = seen[one.enter];
          const order = pressed && quick.orders(pressed.row)?.[0];
          if (!order) continue;
          const { intent, asked, ...said } = order;
          assert.deepEqual(said, pressed.meant);
          assert.equal(asked?.client, desk.session.client);
          assert.ok(!ordered.includes(intent), 'one row is one order');
          ordered.push(intent);
          orders += 1;
          if (pressed.row.says === 'order') assert.ok((pressed.row.afterCents ?? 0) >= 0);
        }
      }
    }),
    { numRuns: 300 },
  );
  assert.ok(orders > 25, `${orders} orders`);
});

/** The pauses between a user's keys, ms: uneven, and longer between words. Reproducible. */
function gaps(meanMs: number, seed: number): number[] {
  let state = seed;
  const unit = () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
  // Mean 1, and rarely more than twice that.
  const uneven = () => 0.55 + -Math.log(1 - unit() * 0.95) * 0.5;
  return Array.from({ length: 60 }, (_, n) => meanMs * uneven() * (n % 6 === 5 ? 1.5 : 1));
}

for (const [who, meanMs] of [
  ['fast', 110],
  ['ordinary', 190],
  ['slow', 280],
] as const) {
  test(`a ${who} typist's prompt of 60 characters asks for at most three prices`, async (context) => {
    const counts: number[] = [];
    for (let seed = 1; seed <= 20; seed += 1) {
      const desk = new Desk();
      const quick = desk.make(() => desk.rhythm.restMs);
      quick.open({});
      await settled();
      let text = '';
      for (const gap of gaps(meanMs, seed * 7919)) {
        await desk.clock.advance(gap);
        text += 'x';
        desk.rhythm.beat();
        quick.type(text);
      }
      await desk.clock.advance(1000);
      assert.equal(quick.first().says, 'order');
      counts.push(desk.asked.length);
    }
    context.diagnostic(`prices asked: ${counts.join(' ')}`);
    assert.ok(
      counts.every((count) => count <= 3),
      counts.join(' '),
    );
  });
}

test('while the service asks for a pause the row counts down, then requests the price automatically', async () => {
  const desk = new Desk();
  desk.price = () => Promise.reject(new ServiceError('tooManyRequests', 'slow down', { status: 429 }));
  const quick = await priced(desk);
  desk.session.become({ quietUntil: desk.clock.now() + 2000 });
  assert.deepEqual(quick.first(), { says: 'waiting', seconds: 2 });
  assert.deepEqual(enterOf(quick.first()), { does: 'retry' });
  let drawn = 0;
  quick.onDidChange(() => (drawn += 1));
  await desk.clock.advance(1000);
  assert.deepEqual([quick.first(), drawn], [{ says: 'waiting', seconds: 1 }, 1]);
  desk.price = () => Promise.resolve({ costCents: 4 });
  await desk.clock.advance(1000);
  desk.session.become({ quietUntil: undefined });
  await desk.clock.advance(250);
  assert.equal(quick.first().says, 'order');
});

test('a price that failed during an outage is requested again when the service is back', async () => {
  const desk = new Desk();
  desk.price = () => Promise.reject(new ServiceError('noAnswer', 'cut'));
  const quick = await priced(desk);
  desk.session.become({ status: 'offline' });
  assert.equal(quick.first().says, 'noPrice');
  desk.price = () => Promise.resolve({ costCents: 4 });
  desk.session.become({ status: 'connected' });
  await desk.clock.advance(250);
  assert.equal(quick.first().says, 'order');
});

test('a link can be inserted for a model of unknown kind, and not for a text model', async () => {
  const place = { uri: 'file:///project/a.md', name: 'a.md', line: 1, character: 0, text: '' };
  for (const [kind, shown] of [
    [undefined, place],
    ['image', place],
    ['text', undefined],
  ] as const) {
    const desk = new Desk();
    desk.models = [{ ...modelOf('a/image/plain', 'image', [prompt]), kind }];
    const quick = desk.make(250, kind ?? 'image');
    quick.open({ place, inserting: true });
    await desk.clock.advance(0);
    assert.equal(quick.draft.model?.id, 'a/image/plain');
    assert.deepEqual(quick.draft.insertsAt, shown);
  }
});

test('other inputs for the same model replace the earlier ones, and the prompt stays', async () => {
  const desk = new Desk();
  const quick = await priced(desk);
  quick.fill('a/image/plain', { prompt: 'a fox', steps: 3 });
  await desk.clock.advance(250);
  assert.deepEqual([quick.prompt, quick.draft.inputs], ['a fox', { prompt: 'a fox', steps: 3 }]);
  assert.deepEqual(desk.asked.at(-1), { prompt: 'a fox', steps: 3 });
});

test('another model is filled with the inputs meant for it, and with no others later', async () => {
  const desk = new Desk();
  const quick = await priced(desk);
  quick.fill('a/image/other', { prompt: 'a fox', steps: 7 });
  await desk.clock.advance(250);
  assert.deepEqual([quick.draft.model?.id, quick.draft.inputs], ['a/image/other', { prompt: 'a fox', steps: 7 }]);
  quick.choose('a/image/plain');
  await desk.clock.advance(250);
  assert.deepEqual(quick.draft.inputs, { prompt: 'a fox' });
});

test('it leads to comparing prices once the inputs are complete, and requests no price itself', async () => {
  const desk = new Desk();
  const quick = desk.make();
  quick.open({ comparing: true });
  await settled();
  assert.deepEqual(quick.first(), { says: 'noPrompt' });
  quick.type('a fox');
  await desk.clock.advance(1000);
  assert.deepEqual(enterOf(quick.first()), { does: 'compare' });
  assert.deepEqual(desk.asked, []);
  quick.open({});
  await desk.clock.advance(1000);
  assert.equal(quick.first().says, 'order');
});

/** The same box for a selected text: the typed text is an instruction for it. */
async function sending(desk: Desk, material: string): Promise<QuickRenderState> {
  const quick = desk.make(250, 'text');
  quick.open({ material });
  await settled();
  return quick;
}

test('sending a selection starts with a text model, keeps it verbatim, and waits for an instruction', async () => {
  const desk = new Desk();
  const quick = await sending(desk, '  two lines\n of text\n');
  assert.equal(quick.draft.model?.id, 'a/text/poet');
  assert.equal(quick.isBlank, false);
  assert.deepEqual(quick.draft.inputs, { prompt: '  two lines\n of text\n' });
  for (const typed of ['', ' ']) {
    quick.type(typed);
    await desk.clock.advance(250);
    assert.deepEqual(quick.first(), { says: 'noPrompt' });
    assert.deepEqual(enterOf(quick.first()), { does: 'nothing' });
  }
  assert.deepEqual(desk.asked, []);
});

test('typed text precedes the selection, and the order sends exactly what was priced', async () => {
  const desk = new Desk();
  const quick = await sending(desk, 'Once there was.');
  quick.type('  make it shorter ');
  await desk.clock.advance(250);
  assert.deepEqual(quick.orders(quick.first())?.[0]?.inputs, { prompt: 'make it shorter\n\nOnce there was.' });
  assert.deepEqual(desk.asked, [{ prompt: 'make it shorter\n\nOnce there was.' }]);
});

test('a field declared for instructions gets them, and has no row', async () => {
  const desk = new Desk();
  desk.models = [modelOf('a/text/chat', 'text', [system, prompt, steps])];
  const quick = await sending(desk, 'Once there was.');
  quick.type('make it shorter');
  assert.deepEqual(quick.draft.inputs, { system_prompt: 'make it shorter', prompt: 'Once there was.' });
  assert.deepEqual(
    quick.rows.map(([field]) => field.name),
    ['steps'],
  );
});

test('a selection longer than the model accepts shows both lengths, and requests no price', async () => {
  const desk = new Desk();
  desk.models = [modelOf('a/text/short', 'text', [{ ...prompt, maxLength: 10 }])];
  const quick = await sending(desk, 'six 😀😀');
  quick.choose('a/text/short');
  await settled();
  quick.type('shorter');
  await desk.clock.advance(250);
  assert.deepEqual(quick.first(), { says: 'tooLong', length: 15, maxLength: 10 });
  assert.deepEqual(enterOf(quick.first()), { does: 'chooseModel' });
  assert.deepEqual(desk.asked, []);
});

test('a model that accepts less than the selection isn’t the default, and one without a text field can’t be used', async () => {
  const desk = new Desk();
  desk.models = [modelOf('a/text/short', 'text', [{ ...prompt, maxLength: 4 }]), ...catalog];
  const quick = await sending(desk, 'Once there was.');
  assert.equal(quick.draft.model?.id, 'a/text/poet');
  desk.models = [modelOf('a/text/dice', 'text', [steps])];
  quick.choose('a/text/dice');
  await settled();
  assert.equal(quick.first().says, 'takesNoText');
});

test('a selected text isn’t kept for the model’s next render', async () => {
  const desk = new Desk();
  const quick = await sending(desk, 'secret');
  quick.type('shorter');
  await desk.clock.advance(250);
  quick.ordered(quick.orders(quick.first())![0]!);
  assert.equal(quick.prompt, '');
  assert.deepEqual(new Drafts(memory(), desk.everywhere).rendered('a/text/poet'), [['prompt', '']]);
});

test('several images differ in their seeds, cost one sum, and are one order; the box starts with one again', async () => {
  const desk = new Desk();
  const seed: Field = { name: 'seed', label: 'Seed', kind: 'seed', statedType: 'seed', required: false };
  desk.models = [modelOf('a/image/seeded', 'image', [prompt, seed])];
  const quick = await priced(desk);
  assert.deepEqual([quick.count, quick.counts], [1, [1, 2, 4, 8]]);
  quick.make(2);
  await settled();
  const row = quick.first();
  assert.ok(row.says === 'order');
  assert.deepEqual([row.costCents, row.count], [8, 2]);
  const orders = quick.orders(row) ?? [];
  assert.equal(new Set(orders.map(({ inputs }) => inputs['seed'])).size, 2);
  assert.equal(quick.orders(row), undefined);
  quick.open({});
  assert.equal(quick.count, 1);
});

test('one image is offered for a file, for a link, or by a model without a seed', async () => {
  const desk = new Desk();
  const quick = await priced(desk);
  assert.deepEqual(quick.counts, [1]);
  const seed: Field = { name: 'seed', label: 'Seed', kind: 'seed', statedType: 'seed', required: false };
  desk.models = [modelOf('a/image/seeded', 'image', [prompt, seed])];
  const seeded = await priced(desk);
  seeded.make(2);
  assert.equal(seeded.count, 2);
  seeded.aim({ root: 'file:///project', folder: '', fileName: 'hero', ending: 'png' });
  assert.deepEqual([seeded.count, seeded.counts], [1, [1]]);
});

const muted = styleOf('docs', { before: 'Muted blues.', after: 'No text.' }, { steps: 30, guidance: 4 });

async function styledQuick(desk: Desk, text = 'a fox'): Promise<QuickRenderState> {
  desk.shelf.become([muted]);
  const quick = await priced(desk, text);
  quick.chooseStyle(muted.id);
  await desk.clock.advance(250);
  return quick;
}

test('with a style, its words and inputs are priced and ordered, and kept are the user’s own', async () => {
  const desk = new Desk();
  const quick = await styledQuick(desk);
  const sent = { prompt: 'Muted blues. a fox No text.', steps: 30 };
  assert.deepEqual([quick.draft.inputs, quick.draft.typedInputs, desk.asked.at(-1)], [sent, { prompt: 'a fox' }, sent]);
  assert.deepEqual(quick.draft.applied?.leftOut, ['guidance']);
  const [order] = quick.orders(quick.first()) ?? [];
  assert.deepEqual([order?.inputs, order?.target.fileName], [sent, 'a-fox']);
  quick.ordered(order!);
  const kept = new Drafts(memory(), desk.everywhere).rendered(order!.modelId);
  assert.deepEqual(new Map(kept).get('prompt'), 'a fox');
});

test('a price isn’t ordered after the style changed, and the next box starts with the style chosen last', async () => {
  const desk = new Desk();
  const quick = await styledQuick(desk);
  const row = quick.first();
  assert.equal(row.says, 'order');
  desk.shelf.become([{ ...muted, before: 'Loud reds.' }]);
  assert.equal(quick.orders(row), undefined);
  await desk.clock.advance(250);
  assert.equal(quick.orders(row), undefined);
  assert.equal(quick.draft.inputs['prompt'], 'Loud reds. a fox No text.');
  quick.chooseStyle(undefined);
  assert.equal(desk.shelf.last, undefined);
  quick.close();
  desk.shelf.last = muted.id;
  quick.open({});
  await settled();
  assert.equal(quick.draft.applied?.id, muted.id);
});

test('a style’s words aren’t doubled by earlier prompts or cheaper options, and none are added to a text', async () => {
  const desk = new Desk();
  const quick = await styledQuick(desk);
  assert.deepEqual(quick.draft.typed(['Muted blues. a hare No text.', 'a deer']), ['a hare', 'a deer']);
  const { model, inputs } = quick.draft;
  quick.fill(model!.id, { ...inputs, steps: 10 });
  assert.deepEqual(quick.draft.inputs, { prompt: 'Muted blues. a fox No text.', steps: 10 });
  assert.equal(quick.draft.applied, undefined);
  quick.close();
  quick.open({ material: 'a text' });
  await settled();
  assert.deepEqual([quick.draft.styles, quick.draft.applied], [[], undefined]);
});
