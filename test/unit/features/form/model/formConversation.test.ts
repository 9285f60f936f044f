import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from 'fast-png';
import { actionViews } from '../../../../../src/features/rendering/model/actions';
import { momentOf } from '../../../../../src/base/clock';
import { Emitter } from '../../../../../src/base/disposable';
import type { GivenImage } from '../../../../../src/base/givenImage';
import type { JsonObject } from '../../../../../src/base/json';
import { silentLog } from '../../../../../src/base/log';
import { ServiceError } from '../../../../../src/catalog/errors';
import { Quotes } from '../../../../../src/catalog/quotes';
import { Offer } from '../../../../../src/compose/offer';
import {
  type Field,
  type FieldValues,
  imageItems,
  initialValues,
  type Model,
  type Quote,
} from '../../../../../src/catalog/fields';
import { readKeptForm, type KeptForm } from '../../../../../src/editor/formRequests';
import { englishFormStrings, type ToForm } from '../../../../../src/features/form/page/formMessages';
import type { LinkPlace } from '../../../../../src/documents/link';
import { FormConversation } from '../../../../../src/features/form/model/formConversation';
import type { LinkTarget } from '../../../../../src/features/form/model/formTarget';
import { Drafts } from '../../../../../src/features/models/model/drafts';
import type { Store } from '../../../../../src/base/store';
import { UserError } from '../../../../../src/editor/userError';
import type { LibraryEntry } from '../../../../../src/renders/library';
import type { Order, RenderRecord, Target } from '../../../../../src/renders/record';
import { settled, TestClock } from '../../../clock';
import { deferred } from '../../../deferred';
import { ScriptedSession } from '../../../editor/scriptedSession';
import { styleOf, TestShelf } from '../../../compose/shelf';

const model: Model = {
  id: 'a/b/c',
  provider: 'a',
  family: 'b',
  name: 'c',
  title: 'C',
  kind: 'image',
  fields: [
    { name: 'prompt', label: 'Prompt', kind: 'longText', statedType: 'text', required: true },
    { name: 'steps', label: 'Steps', kind: 'integer', statedType: 'integer', required: false, default: 20 },
  ],
};

/** The target from the settings. */
const standard: Target = { root: 'file:///project', folder: 'renders', fileName: '${slug}' };

function memory(): Store & { readonly kept: Map<string, unknown> } {
  const kept = new Map<string, unknown>();
  return { kept, get: (key) => kept.get(key), update: (key, value) => Promise.resolve(void kept.set(key, value)) };
}

/** A form whose webview, service, and library are controlled by the test. */
/** A PNG of one pixel. */
const dot = encode({ width: 1, height: 1, data: new Uint8Array(4), channels: 4, depth: 8 });

class Desk {
  readonly clock = new TestClock();
  readonly told: ToForm[] = [];
  readonly orders: Order[] = [];
  /** The orders of each press on a sum. */
  readonly sets: (readonly Order[])[] = [];
  /** Those of them that are recorded; undefined for all. */
  placed: readonly Order[] | undefined;
  /** What the first of a set waits for. */
  turn: Promise<unknown> | undefined;
  readonly places: (LinkPlace | undefined)[] = [];
  /** What the user wrote of each. */
  readonly said: JsonObject[] = [];
  place: LinkPlace | undefined;
  prompts: readonly string[] = [];
  earlier: readonly LibraryEntry[] = [];
  readonly placeChanged = new Emitter<void>();
  /** How many files have the name of the next result. */
  saved = 0;
  readonly namesChanged = new Emitter<void>();
  /** The keys whose results were to be removed, and how many were kept. */
  readonly removed: (string | number)[][] = [];
  /** Whether the user agrees to that. */
  agrees = true;
  readonly acts: string[] = [];
  readonly asked: unknown[] = [];
  readonly workspace = memory();
  readonly everywhere = memory();
  readonly shelf = new TestShelf();
  model = model;
  readonly session = new ScriptedSession(() => Promise.resolve(this.model), 100);
  price = (): Promise<Quote> => Promise.resolve({ costCents: 4 });
  render = (order: Order): Promise<RenderRecord | undefined> =>
    Promise.resolve({ key: order.intent, state: 'accepted' } as RenderRecord);
  choose: Target | undefined;
  fit: JsonObject | undefined;
  readonly fitted: unknown[] = [];
  readonly recipes: string[] = [];
  outcome: unknown;
  kept: Model | undefined;
  private readonly entries = new Map<string, LibraryEntry>();
  readonly more: unknown[] = [];
  readonly postponed = new Set<string>();
  readonly postponedChanged = new Emitter<void>();
  private readonly libraryChanged = new Emitter<void>();
  private ids = 0;
  private readonly random = { uuid: () => `intent-${++this.ids}`, unit: () => 0 };

  converse(kept?: KeptForm): FormConversation {
    this.session.price = (inputs) => (this.asked.push(inputs), this.price());
    return new FormConversation(
      model.id,
      {
        session: this.session,
        library: { get: (id) => this.entries.get(id), onDidChange: this.libraryChanged.event },
        postponed: { has: (key) => this.postponed.has(key), onDidChange: this.postponedChanged.event },
        offer: new Offer(new Quotes(this.clock), () => this.session.client, this.clock, this.random),
        host: {
          render: async (orders, place, said, placed) => {
            const [order, ...others] = orders;
            if (others.length === 0) {
              this.orders.push(...orders);
              this.places.push(place);
              this.said.push(said);
              const record = order && (await this.render(order));
              return record && placed(record);
            }
            this.sets.push(orders);
            await this.turn;
            for (const one of this.placed ?? orders) placed({ key: one.intent, state: 'accepted' } as RenderRecord);
          },
          removeOthers: (keys, kept) => {
            this.removed.push([...keys, kept]);
            return Promise.resolve(this.agrees);
          },
          openRecipe: (uri) =>
            uri.endsWith('.png')
              ? Promise.resolve(void this.recipes.push(uri))
              : Promise.reject(new Error('no recipe')),
          renderMore: async (id, count, seenCents, placed) => {
            this.more.push([id, count, seenCents]);
            await this.turn;
            const intents = Array.from({ length: count }, () => this.random.uuid());
            for (const id of intents) this.show({ id, group: 'active', state: 'sent' });
            for (const key of intents) placed({ key, state: 'accepted' } as RenderRecord, intents);
          },
          isRestricted: () => false,
          pickPrompt: (prompts) => Promise.resolve(prompts.at(-1)),
          linkPlace: ({ root }) => (root === 'file:///project' ? this.place : undefined),
          onDidChangeLinkPlace: this.placeChanged.event,
          defaultTarget: () => standard,
          isOpen: () => true,
          chooseTarget: () => Promise.resolve(this.choose),
          whatFits: (modelId, inputs, target) => (
            this.fitted.push([modelId, inputs, target]),
            Promise.resolve(this.fit)
          ),
          previewName: (target, _, inputs) =>
            `${target.fileName}:${JSON.stringify(inputs['prompt'])}${this.saved > 0 ? `-${this.saved + 1}` : ''}`,
          onDidChangeNames: this.namesChanged.event,
        },
        usedModels: {
          keep: (used) => Promise.resolve(void (this.kept = used)),
          instead: () => Promise.resolve(this.kept),
        },
        images: {
          pick: () => Promise.resolve([]),
          find: () => Promise.resolve(undefined),
          keep: (bytes, file) => ({ file, sha256: '0'.repeat(64), type: 'image/png', bytes: bytes.length }),
          read: () => dot,
          has: () => true,
        },
        imageUrl: ({ sha256 }) => `https://webview/${sha256}`,
        earlierPrompts: () => this.prompts,
        earlierImages: () => this.earlier,
        thumbnail: ({ id }) => `thumbnail:${id}`,
        entitle: () => {},
        drafts: new Drafts(this.workspace, this.everywhere),
        styles: this.shelf,
        clock: this.clock,
        random: this.random,
        log: silentLog,
        actions: actionViews('form', (english) => english),
        strings: englishFormStrings,
        locale: 'en',
        start: () => Promise.resolve(),
        sentence: (error) => `sentence: ${(error as Error).message}`,
        remedy: (error) => (error instanceof UserError ? error.remedy : undefined),
        blocker: ({ problem }) => problem?.code,
        folder: (target) => target.folder,
        image: () => undefined,
        usualMs: () => undefined,
        act: (action, id) => (this.acts.push(`${action} ${id}`), Promise.resolve(this.outcome)),
        post: (message) => this.told.push(message),
      },
      kept,
    );
  }

  /** The last message of this type. */
  last<Type extends ToForm['type']>(type: Type): Extract<ToForm, { type: Type }> | undefined {
    return this.told.findLast((message): message is Extract<ToForm, { type: Type }> => message.type === type);
  }

  show(entry: Partial<LibraryEntry> & Pick<LibraryEntry, 'id' | 'group'>): void {
    this.entries.set(entry.id, { modelId: model.id, inputs: {}, ...entry });
    this.libraryChanged.fire();
  }
}

async function opened(desk: Desk, kept?: KeptForm): Promise<FormConversation> {
  const form = desk.converse(kept);
  form.receive({ type: 'ready' });
  await settled();
  return form;
}

/** A filled-in and priced form. */
async function priced(desk: Desk): Promise<FormConversation> {
  const form = await opened(desk);
  form.receive({
    type: 'edit',
    revision: 1,
    values: [
      ['prompt', 'a fox'],
      ['steps', ''],
    ],
  });
  await desk.clock.advance(250);
  return form;
}

test('a form that opens receives everything: strings, balance, fields, values, price, and target', async () => {
  const desk = new Desk();
  await opened(desk);
  const types = new Set(desk.told.map(({ type }) => type));
  for (const type of ['strings', 'account', 'model', 'draft', 'quote', 'target', 'results'] as const) {
    assert.ok(types.has(type), type);
  }
  assert.deepEqual(desk.last('account'), {
    type: 'account',
    balanceCents: 100,
    sandbox: true,
    waitMs: undefined,
    offline: false,
  });
});

test('a form that is shown again receives its values and its price, not only the fields', async () => {
  const desk = new Desk();
  const form = await priced(desk);
  desk.told.length = 0;
  form.receive({ type: 'ready' });
  assert.deepEqual(desk.last('draft'), {
    type: 'draft',
    revision: 1,
    values: [
      ['prompt', 'a fox'],
      ['steps', ''],
    ],
  });
  assert.deepEqual(desk.last('quote')?.quote, { status: 'priced', costCents: 4 });
});

test('only complete inputs are priced', async () => {
  const desk = new Desk();
  const form = await opened(desk);
  form.receive({
    type: 'edit',
    revision: 1,
    values: [
      ['prompt', ''],
      ['steps', '3'],
    ],
  });
  await desk.clock.advance(1000);
  assert.deepEqual(desk.asked, []);
  assert.deepEqual(desk.last('quote')?.quote, { status: 'none' });
});

test('each edit gets the price of its revision', async () => {
  const desk = new Desk();
  const form = await priced(desk);
  form.receive({
    type: 'edit',
    revision: 2,
    values: [
      ['prompt', 'a hare'],
      ['steps', ''],
    ],
  });
  assert.deepEqual([desk.last('quote')?.revision, desk.last('quote')?.quote], [2, { status: 'asking', lastCents: 4 }]);
  await desk.clock.advance(250);
  assert.deepEqual([desk.last('quote')?.revision, desk.last('quote')?.quote], [2, { status: 'priced', costCents: 4 }]);
  assert.deepEqual(desk.asked, [{ prompt: 'a fox' }, { prompt: 'a hare' }]);
});

test('a render has the inputs, price, and account that were quoted', async () => {
  const desk = new Desk();
  const at = momentOf(desk.clock);
  const form = await priced(desk);
  form.receive({ type: 'render', request: 1, revision: 1, intent: desk.last('quote')!.intent });
  await settled();
  assert.deepEqual(desk.orders, [
    {
      intent: 'intent-1',
      modelId: 'a/b/c',
      inputs: { prompt: 'a fox' },
      target: { root: 'file:///project', folder: 'renders', fileName: '${slug}' },
      shownCents: 4,
      account: 'first',
      asked: { client: desk.session.client, at },
    },
  ]);
  assert.deepEqual(desk.last('answer'), { type: 'answer', request: 1, problem: undefined, remedy: undefined });
});

test('each press of a button makes a request even during a pause that the service asked for, and typing doesn’t', async () => {
  const desk = new Desk();
  const form = await priced(desk);
  form.receive({ type: 'edit', revision: 2, values: [['prompt', 'a hare']] });
  await desk.clock.advance(250);
  assert.equal(desk.session.probes, 0);
  form.receive({ type: 'askAgain', request: 1 });
  form.receive({ type: 'render', request: 2, revision: 2, intent: desk.last('quote')!.intent });
  assert.equal(desk.session.probes, 2);
});

test('pressing twice is one render, and the next one has a new intent', async () => {
  const desk = new Desk();
  const form = await priced(desk);
  const { intent } = desk.last('quote')!;
  form.receive({ type: 'render', request: 1, revision: 1, intent });
  form.receive({ type: 'render', request: 2, revision: 1, intent });
  await settled();
  form.receive({ type: 'render', request: 3, revision: 1, intent });
  await settled();
  assert.equal(desk.orders.length, 1);
  assert.deepEqual(
    desk.told.flatMap((message) => (message.type === 'answer' ? [message.request] : [])).sort(),
    [1, 2, 3],
  );
  assert.notEqual(desk.last('quote')!.intent, intent);
});

test('nothing is rendered at a price for other values', async () => {
  const desk = new Desk();
  const form = await priced(desk);
  const { intent } = desk.last('quote')!;
  desk.price = () => Promise.resolve({ costCents: 5 });
  form.receive({
    type: 'edit',
    revision: 2,
    values: [
      ['prompt', 'a hare'],
      ['steps', ''],
    ],
  });
  form.receive({ type: 'render', request: 1, revision: 1, intent });
  form.receive({ type: 'render', request: 2, revision: 2, intent });
  await settled();
  assert.deepEqual(desk.orders, []);
  assert.equal(desk.last('answer')?.problem, englishFormStrings.priceMoved);
});

test('pressing the last price renders the values on the screen once their price is known, and once', async () => {
  const desk = new Desk();
  const form = await priced(desk);
  const { intent } = desk.last('quote')!;
  const values: FieldValues = [
    ['prompt', 'a hare'],
    ['steps', ''],
  ];
  form.receive({ type: 'edit', revision: 2, values, typing: true });
  form.receive({ type: 'render', request: 1, revision: 2, intent });
  form.receive({ type: 'render', request: 2, revision: 2, intent });
  await settled();
  assert.deepEqual([desk.asked.length, desk.orders.length], [1, 0], 'typing is waited for');
  await desk.clock.advance(250);
  assert.deepEqual(
    desk.orders.map(({ inputs, shownCents }) => [inputs, shownCents]),
    [[{ prompt: 'a hare' }, 4]],
  );
  form.receive({ type: 'render', request: 3, revision: 2, intent });
  await settled();
  assert.equal(desk.orders.length, 1);
});

test('another account needs another price: the earlier one can’t be used', async () => {
  const desk = new Desk();
  const form = await priced(desk);
  const { intent } = desk.last('quote')!;
  desk.session.become({}, 'second');
  form.receive({ type: 'render', request: 1, revision: 1, intent });
  await settled();
  assert.deepEqual(desk.orders, []);
  await desk.clock.advance(250);
  form.receive({ type: 'render', request: 2, revision: 1, intent: desk.last('quote')!.intent });
  await settled();
  assert.deepEqual(
    desk.orders.map(({ account }) => account),
    ['second'],
  );
});

test('a render without a stated price is passed on as such, and the host asks', async () => {
  const desk = new Desk();
  desk.price = () => Promise.resolve({ costCents: undefined });
  const form = await priced(desk);
  assert.deepEqual(desk.last('quote')?.quote, { status: 'notStated' });
  form.receive({ type: 'render', request: 1, revision: 1, intent: desk.last('quote')!.intent });
  await settled();
  assert.equal(desk.orders[0]?.shownCents, undefined);
});

test('a request whose handling fails still gets a response, and can be repeated', async () => {
  const desk = new Desk();
  desk.render = () => Promise.reject(new Error('the ledger cannot be opened'));
  const form = await priced(desk);
  const { intent } = desk.last('quote')!;
  form.receive({ type: 'render', request: 1, revision: 1, intent });
  await settled();
  assert.equal(desk.last('answer')?.problem, 'sentence: the ledger cannot be opened');
  assert.notEqual(desk.last('quote')!.intent, intent, 'the form may press again');
});

test('a failure comes with its remedy, which runs on request', async () => {
  const desk = new Desk();
  let done = 0;
  const remedy = { title: 'Change Limit', run: () => (done += 1) };
  desk.render = () => Promise.reject(new UserError('over the limit', { remedy }));
  const form = await priced(desk);
  form.receive({ type: 'remedy', request: 1 });
  form.receive({ type: 'render', request: 2, revision: 1, intent: desk.last('quote')!.intent });
  await settled();
  assert.equal(desk.last('answer')?.remedy, 'Change Limit');
  assert.equal(done, 0);
  form.receive({ type: 'remedy', request: 3 });
  await settled();
  assert.equal(done, 1);
  assert.deepEqual(desk.last('answer'), { type: 'answer', request: 3, problem: undefined, remedy: undefined });
});

test('when the user declines, no result appears', async () => {
  const desk = new Desk();
  desk.render = () => Promise.resolve(undefined);
  const form = await priced(desk);
  form.receive({ type: 'render', request: 1, revision: 1, intent: desk.last('quote')!.intent });
  await settled();
  assert.deepEqual(desk.last('results')?.results, []);
});

test('a rejection by the service is shown on the field it names', async () => {
  const desk = new Desk();
  const fields = [
    { field: 'steps', message: 'at most 10' },
    { field: 'elsewhere', message: 'x' },
  ];
  const form = await priced(desk);
  const { intent } = desk.last('quote')!;
  form.receive({ type: 'render', request: 1, revision: 1, intent });
  await settled();
  desk.show({ id: intent, group: 'active', state: 'sent' });
  assert.equal(desk.last('problems'), undefined);
  desk.show({ id: intent, group: 'finished', state: 'refused', problem: { code: 'invalidInput', fields } });
  assert.deepEqual(desk.last('problems'), { type: 'problems', revision: 1, focus: true, problems: [fields[0]] });
});

test('a price rejected for a field is shown there without taking the focus', async () => {
  const desk = new Desk();
  const fields = [{ field: 'steps', message: 'at most 10' }];
  desk.price = () => Promise.reject(new ServiceError('invalidInput', 'bad', { fields }));
  await priced(desk);
  assert.equal(desk.last('quote')?.quote.status, 'failed');
  assert.equal(desk.last('problems')?.focus, false);
});

test('a render is followed to its file, newest first, sixteen at most', async () => {
  const desk = new Desk();
  const form = await priced(desk);
  for (let count = 1; count <= 17; count += 1) {
    const { intent } = desk.last('quote')!;
    form.receive({ type: 'render', request: count, revision: 1, intent });
    await settled();
    desk.show({ id: intent, group: 'active', state: 'accepted', status: 'queued' });
  }
  assert.equal(desk.last('results')?.results.length, 16);
  const newest = desk.last('results')!.results[0]!;
  assert.deepEqual([newest.stage, newest.status], ['active', englishFormStrings.stageQueued]);
  desk.show({
    id: newest.id,
    group: 'finished',
    state: 'saved',
    costCents: 5,
    shownCents: 4,
    file: 'file:///p/a%20fox.png',
  });
  const saved = desk.last('results')!.results[0]!;
  assert.deepEqual([saved.stage, saved.costCents, saved.shownCents, saved.file?.name], ['done', 5, 4, 'a fox.png']);
});

test('a result without a folder says once that it isn’t saved, and a folder that fails says why', async () => {
  const desk = new Desk();
  const form = await priced(desk);
  const { intent } = desk.last('quote')!;
  form.receive({ type: 'render', request: 1, revision: 1, intent });
  await settled();
  const waiting = {
    id: intent,
    group: 'paidNotSaved',
    state: 'succeeded',
    status: 'succeeded',
    generationId: 'g',
  } as const;
  desk.show({ ...waiting, problem: { code: 'noFolder' } });
  const kept = desk.last('results')!.results[0]!;
  assert.deepEqual(
    [kept.stage, kept.status, kept.isUnplaced, kept.problem],
    ['done', 'Not saved yet', true, undefined],
  );
  assert.ok(kept.actions.includes('saveAs') && !kept.actions.includes('downloadAgain'));
  const record = { spooled: { name: intent } } as RenderRecord;
  desk.show({ ...waiting, record, problem: { code: 'folderGone' } });
  const failed = desk.last('results')!.results[0]!;
  assert.deepEqual([failed.status, failed.isUnplaced], ['Not saved yet', undefined]);
  assert.match(failed.problem ?? '', /Choose where to save it/);
  assert.ok(failed.actions.includes('saveAs') && failed.actions.includes('downloadAgain'));
});

test('a paid result is called kept only if it is on this computer', async () => {
  const desk = new Desk();
  const form = await priced(desk);
  const { intent } = desk.last('quote')!;
  form.receive({ type: 'render', request: 1, revision: 1, intent });
  await settled();
  const waiting = { id: intent, group: 'paidNotSaved', state: 'succeeded', status: 'succeeded' } as const;
  const told = (entry: Partial<LibraryEntry>) => {
    desk.show({ ...waiting, ...entry });
    const { status, problem } = desk.last('results')!.results[0]!;
    return [status, problem];
  };
  const kept = 'The result is paid for and kept. Choose where to save it.';
  assert.deepEqual(told({ problem: { code: 'cutFile' } }), ['Not saved yet', 'Paid, but not downloaded yet. cutFile']);
  assert.deepEqual(told({ problem: { code: 'folderGone' }, textOutput: 'A fox.' }), [
    'Not saved yet',
    `${kept} folderGone`,
  ]);
});

test('a result that waits for a decision isn’t called saved, and leads to the comparison', async () => {
  const desk = new Desk();
  const form = await priced(desk);
  const { intent } = desk.last('quote')!;
  form.receive({ type: 'render', request: 1, revision: 1, intent });
  await settled();
  const replaces = { uri: 'file:///p/a%20hero.png', sha256: '' };
  const record = { staged: true, target: { folder: '', fileName: 'hero', replaces } } as unknown as RenderRecord;
  desk.show({ id: intent, group: 'finished', state: 'saved', file: 'file:///storage/staged/x.png', record });
  const result = desk.last('results')!.results[0]!;
  assert.deepEqual([result.stage, result.isStaged, result.file], ['done', true, undefined]);
  assert.equal(result.status, 'The new image for “a hero.png” is ready to review.');
  assert.deepEqual(result.actions, ['reviewStaged', 'openResult', 'renderAgain']);
});

test('only results of this form can be acted on', async () => {
  const desk = new Desk();
  const form = await priced(desk);
  form.receive({ type: 'render', request: 1, revision: 1, intent: desk.last('quote')!.intent });
  await settled();
  form.receive({ type: 'action', request: 2, action: 'openResult', id: 'intent-1' });
  form.receive({ type: 'action', request: 3, action: 'openResult', id: 'of another form' });
  form.receive({ type: 'action', request: 4, action: 'deleteGeneration', id: 'intent-1' });
  await settled();
  assert.deepEqual(desk.acts, ['openResult intent-1']);
  const answers = desk.told.flatMap((message) => (message.type === 'answer' ? [message.request] : []));
  assert.deepEqual(answers.sort(), [1, 2, 3, 4]);
});

test('an unknown message changes nothing', async () => {
  const desk = new Desk();
  const form = await priced(desk);
  const before = desk.told.length;
  form.receive({ type: 'render', request: 1, revision: 1, intent: desk.last('quote')!.intent, costCents: 0 });
  form.receive('render');
  form.receive(undefined);
  await settled();
  assert.deepEqual([desk.told.length, desk.orders.length], [before, 0]);
});

test('typed values are restored in the next window, and after closing', async () => {
  const desk = new Desk();
  const form = await priced(desk);
  await desk.clock.advance(1000);
  form.dispose();
  await opened(desk);
  assert.deepEqual(desk.last('draft')?.values, [
    ['prompt', 'a fox'],
    ['steps', ''],
  ]);
});

test('a document of megabytes is priced, and restored from the draft and from the webview’s kept state', async () => {
  const desk = new Desk();
  const form = await opened(desk);
  const prompt = 'a long day '.repeat(300_000);
  const values: FieldValues = [['prompt', prompt]];
  form.receive({ type: 'edit', revision: 1, values });
  await desk.clock.advance(1000);
  assert.deepEqual([desk.last('quote')?.revision, desk.last('quote')?.quote.status], [1, 'priced']);
  form.dispose();
  const shown = () => new Map(desk.last('draft')?.values).get('prompt');
  (await opened(desk)).dispose();
  assert.equal(shown(), prompt);
  desk.workspace.kept.clear();
  await opened(desk, readKeptForm({ modelId: model.id, values, at: 1 }));
  assert.equal(shown(), prompt);
});

test('the webview’s kept state is restored if it’s newer than the draft, and not if it’s older', async () => {
  const desk = new Desk();
  (await priced(desk)).dispose();
  const kept: KeptForm = { modelId: model.id, values: [['prompt', 'a fox in snow']], at: 0 };
  const drafted = desk.clock.now();
  (await opened(desk, { ...kept, at: drafted - 1 })).dispose();
  assert.deepEqual(desk.last('draft')?.values[0], ['prompt', 'a fox']);
  await opened(desk, { ...kept, at: desk.clock.now() + 1 });
  assert.deepEqual(desk.last('draft')?.values, [
    ['prompt', 'a fox in snow'],
    ['steps', ''],
  ]);
});

test('the values rendered in one project don’t appear in the form of another', async () => {
  const desk = new Desk();
  const form = await priced(desk);
  form.receive({ type: 'render', request: 1, revision: 1, intent: desk.last('quote')!.intent });
  await settled();
  desk.workspace.kept.clear();
  await opened(desk);
  assert.deepEqual(desk.last('draft')?.values, [
    ['prompt', ''],
    ['steps', ''],
  ]);
});

test('inputs of an earlier render fill the form, even before the model is known', async () => {
  const desk = new Desk();
  const form = desk.converse();
  form.show({ prompt: 'from the tree', gone: 1 });
  form.receive({ type: 'ready' });
  await settled();
  assert.deepEqual(desk.last('draft')?.values, [
    ['prompt', 'from the tree'],
    ['steps', ''],
  ]);
  form.show({ prompt: 'again', steps: 7 });
  assert.deepEqual(desk.last('draft')?.values, [
    ['prompt', 'again'],
    ['steps', '7'],
  ]);
});

test('a model that can’t be read is reported, and read again on demand and when the service is back', async () => {
  const desk = new Desk();
  desk.session.model = () => Promise.reject(new ServiceError('noAnswer', 'offline'));
  const form = await opened(desk);
  assert.equal(desk.last('unavailable')?.problem, 'sentence: offline');
  form.receive({ type: 'reload', request: 1 });
  await settled();
  assert.equal(desk.last('answer')?.request, 1);
  desk.session.model = () => Promise.resolve(model);
  desk.session.become({ status: 'connected' });
  await settled();
  assert.equal(desk.last('model')?.model.title, 'C');
});

test('while the service is away, a form has the inputs that its model had last, until it can be read again', async () => {
  const desk = new Desk();
  await priced(desk);
  assert.equal(desk.kept, model);
  desk.told.length = 0;
  desk.session.model = () => Promise.reject(new ServiceError('noAnswer', 'offline'));
  const form = await opened(desk);
  assert.deepEqual([desk.last('model')?.model.title, desk.last('unavailable')], ['C', undefined]);
  desk.session.model = () => Promise.resolve({ ...model, title: 'C, as it is now' });
  desk.session.become({ status: 'connected' });
  await settled();
  assert.equal(desk.last('model')?.model.title, 'C, as it is now');
  form.dispose();
});

test('a form whose fields another service couldn’t send is read again once that is back, and keeps what was typed', async () => {
  const desk = new Desk();
  const form = await priced(desk);
  desk.kept = undefined;
  desk.session.model = () => Promise.reject(new ServiceError('noAnswer', 'offline'));
  desk.session.become({ status: 'offline' }, 'second');
  await settled();
  assert.equal(desk.last('unavailable')?.problem, 'sentence: offline');
  desk.told.length = 0;
  form.receive({ type: 'ready' });
  await settled();
  assert.deepEqual([desk.last('model'), desk.last('unavailable')?.problem], [undefined, 'sentence: offline']);
  desk.session.model = () => Promise.resolve(model);
  desk.session.become({ status: 'connected' });
  await settled();
  assert.equal(desk.last('model')?.model.title, 'C');
  assert.equal(new Map(desk.last('draft')?.values).get('prompt'), 'a fox');
});

test('a form that waits for an earlier service is read from the one in use, and the late failure isn’t shown', async () => {
  const desk = new Desk();
  const late = deferred<Model>();
  desk.session.model = () => late.promise;
  await opened(desk);
  desk.session.model = () => Promise.resolve(model);
  desk.session.become({}, 'second');
  await settled();
  assert.equal(desk.last('model')?.model.title, 'C');
  late.reject(new ServiceError('cancelled', 'for an earlier connection'));
  await settled();
  assert.equal(desk.last('unavailable'), undefined);
});

test('folder and name can be changed, and are remembered with the draft', async () => {
  const desk = new Desk();
  const form = await priced(desk);
  assert.deepEqual(desk.last('target')?.target, {
    folder: 'renders',
    hasFolder: true,
    fileName: '${slug}',
    preview: '${slug}:"a fox"',
  });
  desk.choose = { root: 'file:///project', folder: 'art', fileName: '${slug}' };
  form.receive({ type: 'chooseTarget', request: 1 });
  await settled();
  form.receive({ type: 'fileName', request: 2, fileName: 'fox' });
  await settled();
  assert.deepEqual([desk.last('target')?.target.folder, desk.last('target')?.target.preview], ['art', 'fox:"a fox"']);
  form.dispose();
  await opened(desk);
  assert.equal(desk.last('target')?.target.fileName, 'fox');
});

test('the name shown is the next free one, also after a result was saved, until the form is closed', async () => {
  const desk = new Desk();
  const form = await priced(desk);
  assert.equal(desk.last('target')?.target.preview, '${slug}:"a fox"');
  desk.saved = 1;
  desk.namesChanged.fire();
  assert.equal(desk.last('target')?.target.preview, '${slug}:"a fox"-2');
  form.dispose();
  desk.told.length = 0;
  desk.namesChanged.fire();
  assert.equal(desk.told.length, 0);
});

test('a link to the result is offered where the user was last typing, and inserted only on request', async () => {
  const desk = new Desk();
  const form = await priced(desk);
  assert.equal(desk.last('target')?.target.link, undefined);
  desk.place = { uri: 'file:///project/guide.md', name: 'guide.md', line: 4, character: 0, text: '' };
  desk.placeChanged.fire();
  assert.deepEqual(desk.last('target')?.target.link, { document: 'guide.md', line: 4, insert: false });
  form.receive({ type: 'render', request: 1, revision: 1, intent: desk.last('quote')!.intent });
  await desk.clock.advance(250);
  form.receive({ type: 'insertLink', request: 2, insert: true });
  assert.equal(desk.last('target')?.target.link?.insert, true);
  form.receive({ type: 'render', request: 3, revision: 1, intent: desk.last('quote')!.intent });
  await settled();
  assert.deepEqual(desk.places, [undefined, desk.place]);
});

test('the place of the link follows the cursor, and is sent only when it changes', async () => {
  const desk = new Desk();
  await priced(desk);
  desk.place = { uri: 'file:///project/guide.md', name: 'guide.md', line: 4, character: 0, text: '' };
  desk.placeChanged.fire();
  desk.told.length = 0;
  desk.place = { ...desk.place, character: 7 };
  desk.placeChanged.fire();
  assert.equal(desk.told.length, 0);
  desk.place = { ...desk.place, line: 5 };
  desk.placeChanged.fire();
  assert.equal(desk.last('target')?.target.link?.line, 5);
  desk.place = undefined;
  desk.placeChanged.fire();
  assert.equal(desk.last('target')?.target.link, undefined);
});

test('no link is offered to what isn’t an image, or to a folder that can’t be linked to', async () => {
  const desk = new Desk();
  desk.place = { uri: 'file:///project/guide.md', name: 'guide.md', line: 4, character: 0, text: '' };
  desk.session.model = () => Promise.resolve({ ...model, kind: 'text' });
  const form = await priced(desk);
  assert.equal(desk.last('target')?.target.link, undefined);
  form.dispose();
  desk.session.model = () => Promise.resolve(model);
  const images = await priced(desk);
  assert.ok(desk.last('target')?.target.link);
  desk.choose = { root: 'file:///elsewhere', folder: '', fileName: 'fox' };
  images.receive({ type: 'chooseTarget', request: 1 });
  await settled();
  assert.equal(desk.last('target')?.target.link, undefined);
});

test('a name that would be a path is rejected with a message', async () => {
  const desk = new Desk();
  const form = await priced(desk);
  form.receive({ type: 'fileName', request: 1, fileName: '../../etc/passwd' });
  await settled();
  assert.equal(desk.last('answer')?.problem, 'A file name can’t contain /.');
  form.receive({ type: 'fileName', request: 2, fileName: '${home}' });
  await settled();
  assert.equal(desk.last('answer')?.problem, '${home} isn’t a file name variable.');
  assert.equal(desk.last('target')?.target.fileName, '${slug}');
});

test('time alone sends the form nothing', async () => {
  const desk = new Desk();
  const form = await priced(desk);
  const { intent } = desk.last('quote')!;
  form.receive({ type: 'render', request: 1, revision: 1, intent });
  await settled();
  const entry = { id: intent, group: 'active', state: 'accepted', startedAt: desk.clock.now() } as const;
  desk.show(entry);
  const before = desk.told.length;
  await desk.clock.advance(3000);
  desk.show(entry);
  assert.equal(desk.told.length, before);
});

test('a closed form sends nothing more and leaves no timer', async () => {
  const desk = new Desk();
  const form = await priced(desk);
  form.receive({ type: 'edit', revision: 2, values: [['prompt', 'b']] });
  form.dispose();
  const before = desk.told.length;
  desk.session.become({ balance: { cents: 1, at: 0 } });
  await desk.clock.advance(5000);
  assert.deepEqual([desk.told.length, desk.clock.waiting], [before, 0]);
});

test('a recorded render is shown as waiting to be sent; one that can’t be offers its actions', async () => {
  const desk = new Desk();
  const form = await priced(desk);
  const { intent } = desk.last('quote')!;
  desk.render = () => {
    desk.show({ id: intent, group: 'active', state: 'planned', startedAt: desk.clock.now() });
    return Promise.resolve({ key: intent, state: 'planned' } as RenderRecord);
  };
  form.receive({ type: 'render', request: 1, revision: 1, intent });
  await settled();
  const result = () => desk.last('results')!.results[0]!;
  assert.deepEqual([result().stage, result().status], ['active', englishFormStrings.stageInTurn]);
  desk.show({ id: intent, group: 'notSent', state: 'planned', startedAt: desk.clock.now() });
  assert.deepEqual([result().stage, result().actions], ['ended', ['sendPlanned', 'discardPlanned']]);
});

test('rejected inputs come back with the message on their field, and the focus there', async () => {
  const desk = new Desk();
  const form = await opened(desk);
  const problems = [{ field: 'steps', message: 'at most 10' }];
  form.show({ prompt: 'a fox', steps: 99 }, problems);
  const told = { type: 'problems', revision: desk.last('draft')!.revision, focus: true, problems };
  assert.deepEqual(desk.last('problems'), told);
  desk.told.length = 0;
  form.receive({ type: 'ready' });
  assert.deepEqual(desk.last('problems'), told, 'also told to a webview that starts anew');
});

test('a form opened for rejected inputs focuses that field once its model is loaded', async () => {
  const desk = new Desk();
  const form = desk.converse();
  form.show({ prompt: 'a fox', steps: 99 }, [{ field: 'steps', message: 'at most 10' }]);
  form.receive({ type: 'ready' });
  await settled();
  assert.deepEqual(new Map(desk.last('draft')!.values).get('steps'), '99');
  assert.equal(desk.last('problems')?.revision, desk.last('draft')!.revision);
});

test('the form shows how long the service asked to wait, and then gets the price automatically', async () => {
  const desk = new Desk();
  desk.price = () => Promise.reject(new ServiceError('tooManyRequests', 'slow down', { status: 429 }));
  await priced(desk);
  desk.session.become({ quietUntil: desk.clock.now() + 12_000 });
  assert.equal(desk.last('account')?.waitMs, 12_000);
  desk.price = () => Promise.resolve({ costCents: 4 });
  await desk.clock.advance(12_000);
  assert.equal(desk.last('quote')?.quote.status, 'failed');
  desk.session.become({ quietUntil: undefined });
  await desk.clock.advance(250);
  assert.equal(desk.last('account')?.waitMs, undefined);
  assert.deepEqual(desk.last('quote')?.quote, { status: 'priced', costCents: 4 });
});

test('an image that is dropped on the form opens what it was made from, or says why not, and starts nothing', async () => {
  const desk = new Desk();
  const form = await priced(desk);
  form.receive({ type: 'openRecipe', request: 1, uri: 'file:///project/fox.png' });
  form.receive({ type: 'openRecipe', request: 2, uri: 'file:///project/notes.txt' });
  await settled();
  assert.deepEqual(desk.recipes, ['file:///project/fox.png']);
  assert.deepEqual(
    desk.told.flatMap((message) => (message.type === 'answer' ? [[message.request, message.problem]] : [])),
    [
      [1, undefined],
      [2, 'sentence: no recipe'],
    ],
  );
  assert.deepEqual(desk.orders, []);
});

/** Of an image of one pixel, hexadecimal. */
const pngHeader = '89504e470d0a1a0a0000000d494844520000000100000001080600000000000000';

test('an image is sent to the form as news of its field alone, so that what is typed in the meantime stays', async () => {
  const desk = new Desk();
  const image: Field = {
    ...{ name: 'image', label: 'Image', kind: 'image', statedType: 'image', required: false },
    image: { types: ['image/png'], maxBytes: 1000 },
  };
  desk.model = { ...model, fields: [...model.fields, image] };
  const form = await opened(desk);
  const base64 = Buffer.from(pngHeader, 'hex').toString('base64');
  form.receive({ type: 'giveImage', request: 1, field: 'image', name: 'fox.png', base64 });
  await settled();
  const draft = desk.last('draft')!;
  assert.deepEqual([draft.revision, draft.field], [1, 'image']);
  // Typed before the draft arrived, and then both.
  form.receive({ type: 'edit', revision: 1, values: [['prompt', 'a']], typing: true });
  form.receive({ type: 'edit', revision: 2, values: [['prompt', 'a'], ...draft.values.slice(2)] });
  await desk.clock.advance(250);
  assert.deepEqual([desk.asked.length, Object.keys(desk.asked[0] as JsonObject)], [1, ['prompt', 'image']]);
  form.receive({ type: 'ready' });
  assert.equal(desk.last('draft')?.field, undefined);
});

test('a list gets each image after those it has or in place of one, and one from elsewhere where there is room', async () => {
  const desk = new Desk();
  const facts = { label: 'Images', kind: 'image', statedType: 'image[]', required: false } as const;
  const limits = { types: ['image/png'], maxBytes: 1000 };
  const one: Field = { ...facts, name: 'image', image: limits };
  const several: Field = { ...facts, name: 'images', image: { ...limits, isList: true }, maximum: 3 };
  desk.model = { ...model, fields: [...model.fields, one, several] };
  const form = await opened(desk);
  const give = async (name: string, index?: number) => {
    const base64 = Buffer.from(`${pngHeader}${Buffer.from(name).toString('hex')}`, 'hex').toString('base64');
    form.receive({
      type: 'giveImage',
      request: 1,
      field: 'images',
      name,
      base64,
      ...(index !== undefined && { index }),
    });
    await settled();
  };
  const filesIn = (field: string) =>
    imageItems(new Map(desk.last('draft')!.values).get(field)!).map((item) => (item as GivenImage).file);
  for (const name of ['a.png', 'b.png']) await give(name);
  assert.deepEqual(filesIn('images'), ['a.png', 'b.png']);
  await give('c.png', 0);
  assert.deepEqual(filesIn('images'), ['c.png', 'b.png']);
  for (const name of ['d.png', 'e.png', 'f.png']) {
    form.fill({ file: name, sha256: name.charCodeAt(0).toString(16).repeat(32), type: 'image/png', bytes: 1 });
    await settled();
  }
  assert.deepEqual([filesIn('image'), filesIn('images')], [['f.png'], ['c.png', 'b.png', 'e.png']]);
});

const fox = { file: 'fox.png', sha256: 'f'.repeat(64), type: 'image/png', bytes: 1 };

/** A form that opens with an image from before. */
async function withImage(desk: Desk): Promise<FormConversation> {
  const image: Field = {
    ...{ name: 'image', label: 'Image', kind: 'image', statedType: 'image', required: false },
    image: { types: ['image/png'], maxBytes: 1000 },
  };
  desk.model = { ...model, fields: [...model.fields, image] };
  const values: FieldValues = [
    ['prompt', 'a fox'],
    ['image', { images: [fox] }],
  ];
  const form = await opened(desk, { modelId: model.id, values, at: 1 });
  await desk.clock.advance(1000);
  return form;
}

test('an image from before isn’t sent for a price until the user does something in the form', async () => {
  for (const act of [
    { type: 'askAgain', request: 1 },
    {
      type: 'edit',
      revision: 1,
      values: [
        ['prompt', 'a fox!'],
        ['image', { images: [fox] }],
      ],
    },
    { type: 'insertLink', request: 1, insert: false },
  ] as const) {
    const desk = new Desk();
    const form = await withImage(desk);
    form.receive({ type: 'ready' });
    desk.session.become({ status: 'connected' });
    await desk.clock.advance(1000);
    assert.deepEqual([desk.asked, desk.last('quote')?.quote], [[], { status: 'held' }], act.type);
    form.receive(act);
    await desk.clock.advance(1000);
    assert.equal(desk.asked.length, 1, act.type);
    assert.deepEqual(desk.last('quote')?.quote, { status: 'priced', costCents: 4 });
    form.dispose();
  }
});

test('an image that a command gives to a form in use isn’t sent for a price either', async () => {
  const desk = new Desk();
  const form = await withImage(desk);
  form.receive({ type: 'askAgain', request: 1 });
  await desk.clock.advance(1000);
  assert.equal(desk.asked.length, 1);
  form.fill({ ...fox, file: 'owl.png', sha256: 'e'.repeat(64) });
  await desk.clock.advance(1000);
  assert.deepEqual([desk.asked.length, desk.last('quote')?.quote], [1, { status: 'held' }]);
  form.show({ prompt: 'an owl', image: fox });
  await desk.clock.advance(1000);
  assert.deepEqual([desk.asked.length, desk.last('quote')?.quote], [1, { status: 'held' }]);
});

test('an image from elsewhere never becomes a mask', async () => {
  const desk = new Desk();
  const image = { types: ['image/png'], maxBytes: 1000 };
  const facts = { kind: 'image', statedType: 'image', required: false } as const;
  const mask: Field = { ...facts, name: 'mask', label: 'Mask', image: { ...image, mask: 'white' } };
  desk.model = { ...model, fields: [mask, { ...facts, name: 'image', label: 'Image', image }] };
  const form = await opened(desk);
  for (const name of ['a', 'b']) {
    form.fill({ file: `${name}.png`, sha256: name.repeat(64), type: 'image/png', bytes: 1 });
    await settled();
    const values = new Map(desk.last('draft')!.values);
    const [given] = imageItems(values.get('image') ?? '');
    assert.deepEqual([values.get('mask'), (given as GivenImage).file], ['', `${name}.png`]);
  }
});

test('a cheaper option fills the form, and starts nothing', async () => {
  const desk = new Desk();
  const form = await priced(desk);
  desk.fit = { prompt: 'a fox', steps: 5 };
  form.receive({ type: 'whatFits', request: 1 });
  await settled();
  assert.deepEqual(desk.fitted, [['a/b/c', { prompt: 'a fox' }, standard]]);
  assert.deepEqual(new Map(desk.last('draft')!.values).get('steps'), '5');
  assert.deepEqual(desk.orders, []);
  desk.fit = undefined;
  desk.told.length = 0;
  form.receive({ type: 'whatFits', request: 2 });
  await settled();
  assert.equal(desk.last('draft'), undefined);
});

test('a prompt that an earlier one or the inputs of a render replace can be had back, also once the form is shown again', async () => {
  const desk = new Desk();
  desk.prompts = ['a hare'];
  const form = await priced(desk);
  const before = () => {
    desk.told.length = 0;
    form.receive({ type: 'ready' });
    return new Map(desk.last('draft')?.before).get('prompt');
  };
  form.receive({ type: 'pickPrompt', request: 1 });
  await settled();
  assert.equal(before(), 'a fox');
  form.show({ prompt: 'a deer' });
  assert.equal(before(), 'a hare');
  form.receive({ type: 'edit', revision: 4, values: [['prompt', 'a fox']] });
  assert.equal(before(), undefined);
  form.show({ prompt: 'a deer' });
  form.forget('a fox');
  assert.equal(before(), undefined);
  form.receive({ type: 'edit', revision: 7, values: [['prompt', 'a fox']] });
  form.dispose();
  const again = desk.converse();
  again.show({ prompt: 'a deer' });
  again.receive({ type: 'ready' });
  await settled();
  assert.equal(new Map(desk.last('draft')?.before).get('prompt'), 'a fox');
});

/** A missing file that a document names. */
const hero: LinkTarget = {
  target: { root: 'file:///project', folder: 'images', fileName: 'hero', ending: 'png' },
  path: 'images/hero.png',
  document: 'README.md',
};

test('the next result of a form opened for a link is saved to the file in the link, and the form says so', async () => {
  const desk = new Desk();
  const form = await priced(desk);
  form.forLink(hero);
  assert.deepEqual(desk.last('target')!.target.named, { path: 'images/hero.png', document: 'README.md' });
  form.receive({ type: 'render', request: 1, revision: 1, intent: desk.last('quote')!.intent });
  await settled();
  assert.deepEqual(desk.orders[0]?.target, hero.target);
});

test('once that file has a render, from this form or elsewhere, results go to the usual place', async () => {
  const desk = new Desk();
  const form = await priced(desk);
  form.forLink(hero);
  form.leave({ ...hero.target, ending: 'jpg' });
  assert.equal(desk.last('target')!.target.named?.path, 'images/hero.png');
  form.leave({ ending: 'png', fileName: 'hero', folder: 'images', root: 'file:///project' });
  assert.equal(desk.last('target')!.target.named, undefined);
  form.receive({ type: 'render', request: 1, revision: 1, intent: desk.last('quote')!.intent });
  await settled();
  assert.deepEqual(desk.orders[0]?.target, standard);
});

test('the user can save the result as usual; cheaper options and declining the price don’t change the target', async () => {
  const desk = new Desk();
  const form = await priced(desk);
  form.forLink(hero);
  desk.fit = { prompt: 'a fox', steps: 5 };
  form.receive({ type: 'whatFits', request: 1 });
  await settled();
  assert.deepEqual(desk.fitted, [['a/b/c', { prompt: 'a fox' }, hero.target]]);
  await desk.clock.advance(250);
  desk.render = () => Promise.resolve(undefined);
  const { intent, revision } = desk.last('quote')!;
  form.receive({ type: 'render', request: 2, revision, intent });
  await settled();
  assert.deepEqual(desk.orders[0]?.target, hero.target);
  assert.equal(desk.last('target')!.target.named?.path, 'images/hero.png');
  form.receive({ type: 'saveAsUsual', request: 3 });
  assert.equal(desk.last('target')!.target.named, undefined);
  assert.deepEqual(form.request.target, standard);
});

test('prices are compared for many results, which a single link has no room for', async () => {
  const desk = new Desk();
  const form = await priced(desk);
  form.forLink(hero);
  assert.deepEqual(form.request.target, standard);
});

test('during an outage, a render in progress waits for the service, and goes on when that is back', async () => {
  const desk = new Desk();
  const form = await priced(desk);
  form.receive({ type: 'render', request: 1, revision: 1, intent: desk.last('quote')!.intent });
  await settled();
  const { intent: id } = desk.orders[0]!;
  desk.show({ id, group: 'active', state: 'accepted', status: 'queued' });
  const status = () => desk.last('results')?.results[0]?.status;
  assert.equal(status(), 'Queued…');
  desk.session.become({ status: 'offline' });
  assert.equal(status(), 'Waiting for the service…');
  assert.equal(desk.last('account')?.offline, true);
  desk.session.become({ status: 'connected' });
  assert.equal(status(), 'Queued…');
  assert.equal(desk.last('account')?.offline, false);
});

const seeded: Model = {
  ...model,
  fields: [...model.fields, { name: 'seed', label: 'Seed', kind: 'seed', statedType: 'seed', required: false }],
};

/** A form that is priced for four images. */
async function pricedForFour(desk: Desk): Promise<FormConversation> {
  desk.model = seeded;
  const form = await priced(desk);
  form.receive({ type: 'variants', count: 4 });
  await settled();
  return form;
}

test('four images have one sum, one press orders them with different seeds, and the form shows all of them', async () => {
  const desk = new Desk();
  const form = await pricedForFour(desk);
  const several = { choices: [1, 2, 4, 8], count: 4, canVary: false, varied: [] };
  assert.deepEqual(desk.last('variants')?.variants, several);
  const { quote, count, intent } = desk.last('quote')!;
  assert.deepEqual([quote, count], [{ status: 'priced', costCents: 16 }, 4]);
  for (const request of [1, 2]) form.receive({ type: 'render', request, revision: 1, intent });
  await settled();
  assert.equal(desk.orders.length, 0);
  assert.equal(desk.sets.length, 1);
  const [orders = []] = desk.sets;
  assert.equal(new Set(orders.map(({ inputs }) => inputs['seed'])).size, 4);
  assert.deepEqual(
    orders.map(({ shownCents, target }) => [shownCents, target]),
    orders.map(() => [4, standard]),
  );
  assert.ok(orders.every(({ intent }) => form.resultIds.includes(intent)));
  assert.equal(desk.last('answer')?.problem, undefined);
});

test('of four images the form shows those that were ordered, and it can order again', async () => {
  const desk = new Desk();
  const form = await pricedForFour(desk);
  const { intent } = desk.last('quote')!;
  desk.placed = [];
  form.receive({ type: 'render', request: 1, revision: 1, intent });
  await settled();
  await desk.clock.advance(250);
  await settled();
  const again = desk.last('quote')!;
  assert.deepEqual(again.quote, { status: 'priced', costCents: 16 });
  assert.notEqual(again.intent, intent);
});

test('one image is ordered for a link, without a seed, or where no price is stated', async () => {
  const plain = new Desk();
  const form = await priced(plain);
  form.receive({ type: 'variants', count: 4 });
  assert.deepEqual(plain.last('variants')?.variants, { choices: [1], count: 1, canVary: false, varied: [] });

  const desk = new Desk();
  desk.place = { uri: 'file:///project/readme.md', line: 3, name: 'readme.md' } as LinkPlace;
  const linked = await pricedForFour(desk);
  linked.receive({ type: 'insertLink', request: 1, insert: true });
  await settled();
  assert.deepEqual(desk.last('variants')?.variants, { choices: [1], count: 1, canVary: false, varied: [] });
  assert.deepEqual([desk.last('quote')?.count, desk.last('quote')?.quote], [1, { status: 'priced', costCents: 4 }]);
  linked.receive({ type: 'insertLink', request: 2, insert: false });
  await settled();
  assert.equal(desk.last('variants')?.variants.count, 4);

  const unpriced = new Desk();
  unpriced.price = () => Promise.resolve({ costCents: undefined });
  await pricedForFour(unpriced);
  const problem = englishFormStrings.variantsNotStated;
  assert.deepEqual(unpriced.last('quote')?.quote, { status: 'failed', problem });
});

test('an earlier prompt is picked from a list of those that the form knows, and priced; nothing else changes', async () => {
  const desk = new Desk();
  desk.prompts = ['a hare', 'a deer'];
  const form = await priced(desk);
  assert.deepEqual(desk.last('prompts')?.prompts, ['a hare', 'a deer']);
  form.receive({
    type: 'edit',
    revision: 2,
    values: [
      ['prompt', 'a fox'],
      ['steps', '3'],
    ],
  });
  form.receive({ type: 'pickPrompt', request: 1 });
  await settled();
  await desk.clock.advance(250);
  assert.deepEqual(desk.last('draft')?.values, [
    ['prompt', 'a deer'],
    ['steps', '3'],
  ]);
  assert.deepEqual(desk.asked.at(-1), { prompt: 'a deer', steps: 3 });
});

const muted = styleOf('docs', { before: 'Muted blues.', after: 'No text.' }, { steps: 30, guidance: 4 });

/** A form with the prompt “a fox”, priced with a style. */
async function styledForm(desk: Desk): Promise<FormConversation> {
  desk.shelf.become([muted]);
  const form = await priced(desk);
  form.receive({ type: 'style', id: muted.id });
  await desk.clock.advance(250);
  return form;
}

test('with a style, its words and inputs are priced, sent, and shown; the form keeps what the user wrote', async () => {
  const desk = new Desk();
  const form = await styledForm(desk);
  const sent = { prompt: 'Muted blues. a fox No text.', steps: 30 };
  assert.deepEqual(desk.asked.at(-1), sent);
  const { style } = desk.last('style')!;
  assert.deepEqual(style, {
    options: [{ id: 'renders.jsonc#docs', label: 'docs' }],
    version: 1,
    chosen: {
      id: 'renders.jsonc#docs',
      label: 'docs',
      before: 'Muted blues.',
      after: 'No text.',
      fixed: [['steps', '30']],
      leftOut: ['guidance'],
    },
  });
  form.receive({ type: 'render', request: 1, revision: 1, intent: desk.last('quote')!.intent, style: 1 });
  await settled();
  assert.deepEqual(desk.orders[0]?.inputs, sent);
  assert.equal(desk.orders[0].target.fileName, 'a-fox');
  assert.deepEqual(desk.said, [{ prompt: 'a fox' }]);
  assert.deepEqual(form.request.inputs, sent);
  assert.deepEqual(desk.last('draft')?.values, [
    ['prompt', ''],
    ['steps', ''],
  ]);
});

test('the style chosen last is remembered for other forms, and this form keeps its own, also none', async () => {
  const desk = new Desk();
  const form = await styledForm(desk);
  assert.equal(desk.shelf.last, muted.id);
  form.dispose();
  desk.shelf.last = undefined;
  const again = await opened(desk);
  assert.equal(desk.last('style')?.style.chosen?.id, muted.id);
  again.receive({ type: 'style' });
  again.dispose();
  desk.shelf.last = muted.id;
  await opened(desk);
  assert.equal(desk.last('style')?.style.chosen, undefined);
  const fresh = new Desk();
  fresh.shelf.last = muted.id;
  fresh.shelf.become([muted]);
  await opened(fresh);
  assert.equal(fresh.last('style')?.style.chosen?.id, muted.id);
});

test('a press on a price is for the style that the form showed, and a changed style asks for another price', async () => {
  const desk = new Desk();
  const form = await styledForm(desk);
  const { intent } = desk.last('quote')!;
  desk.shelf.become([{ ...muted, after: 'No letters.' }]);
  form.receive({ type: 'render', request: 1, revision: 1, intent, style: 1 });
  await settled();
  assert.deepEqual([desk.orders, desk.last('answer')?.problem], [[], englishFormStrings.priceMoved]);
  await desk.clock.advance(250);
  assert.deepEqual(desk.asked.at(-1), { prompt: 'Muted blues. a fox No letters.', steps: 30 });
  assert.equal(desk.last('style')?.style.version, 2);
  assert.notEqual(desk.last('quote')?.intent, intent);
});

test('a style that the project no longer has adds nothing, and applies again once it’s back', async () => {
  const desk = new Desk();
  const form = await styledForm(desk);
  desk.shelf.become([]);
  assert.deepEqual(form.request.inputs, { prompt: 'a fox' });
  assert.deepEqual(desk.last('style')?.style, { options: [], version: 2 });
  desk.shelf.become([muted]);
  assert.deepEqual(form.request.inputs, { prompt: 'Muted blues. a fox No text.', steps: 30 });
});

test('a form that was hidden after the project’s last style was gone orders without one', async () => {
  const desk = new Desk();
  const form = await styledForm(desk);
  desk.shelf.become([]);
  desk.told.length = 0;
  form.receive({ type: 'ready' });
  await desk.clock.advance(250);
  const version = desk.last('style')?.style.version;
  form.receive({ type: 'render', request: 1, revision: 1, intent: desk.last('quote')!.intent, style: version });
  await settled();
  assert.deepEqual(
    desk.orders.map(({ inputs }) => inputs),
    [{ prompt: 'a fox' }],
  );
});

test('of the images of one press, those not kept are removed, and no others; declining leaves all', async () => {
  const desk = new Desk();
  const form = await pricedForFour(desk);
  const { intent = '' } = desk.last('quote') ?? {};
  form.receive({ type: 'render', request: 1, revision: 1, intent });
  await settled();
  const ids = desk.sets.flat().map((order) => order.intent);
  const [one = '', two = '', three = '', four = ''] = ids;
  const saved = (id: string) => desk.show({ id, group: 'finished', state: 'saved', file: `file:///project/${id}.png` });
  for (const id of [one, two, three]) saved(id);
  desk.show({ id: four, group: 'finished', state: 'refunded' });
  saved('other');
  assert.deepEqual(
    desk.last('results')?.results.map(({ id, variant }) => [id, variant?.number]),
    ids.map((id, index) => [id, index + 1]).reverse(),
  );

  const keep = { type: 'keepVariants', kept: [two], others: [one, two, three, four, 'other'] } as const;
  desk.agrees = false;
  form.receive({ ...keep, request: 2 });
  await settled();
  assert.equal(desk.last('results')?.results.length, 4);
  desk.agrees = true;
  form.receive({ ...keep, request: 3 });
  await settled();
  assert.deepEqual(desk.removed, [
    [one, three, 1],
    [one, three, 1],
  ]);
  assert.deepEqual(
    desk.last('results')?.results.map(({ id }) => id),
    [four, two],
  );
});

test('a result offers four more images like it for four times its price, and a double click orders them once', async () => {
  const desk = new Desk();
  const form = await pricedForFour(desk);
  form.receive({ type: 'render', request: 1, revision: 1, intent: desk.last('quote')?.intent ?? '' });
  await settled();
  const [id = ''] = desk.sets.flat().map((order) => order.intent);
  const result = { id, group: 'finished', modelId: model.id, costCents: 4, mediaType: 'image/png' } as const;
  const moreOf = (inputs: JsonObject) => {
    desk.show({ ...result, state: 'saved', file: 'file:///project/fox.png', inputs });
    return desk.last('results')?.results.find((one) => one.id === id)?.more;
  };
  assert.deepEqual(moreOf({ prompt: 'a fox', seed: 7 }), { count: 4, cents: 16 });
  assert.equal(moreOf({ prompt: 'a fox' }), undefined, 'without a seed, they might all be the same');
  const turn = deferred<undefined>();
  desk.turn = turn.promise;
  const press = (id: string) => form.receive({ type: 'renderMore', request: 2, id, cents: 16 });
  for (const one of [id, id, 'of another form']) press(one);
  // Its prices take long.
  await desk.clock.advance(10_000);
  press(id);
  turn.resolve(undefined);
  await settled();
  press(id);
  assert.deepEqual(desk.more, [[id, 4, 4]]);
  const variants = desk.last('results')?.results.filter((one) => one.variant);
  assert.equal(variants?.length, 4);
  assert.ok(variants.every((one) => one.id !== id));
});

test('a render to be reminded of says so, and offers no second reminder', async () => {
  const desk = new Desk();
  const form = await pricedForFour(desk);
  form.receive({ type: 'render', request: 1, revision: 1, intent: desk.last('quote')?.intent ?? '' });
  await settled();
  const [id = ''] = desk.sets.flat().map((order) => order.intent);
  desk.show({ id, group: 'finished', state: 'refused', modelId: model.id, problem: { code: 'dailyCap' } });
  const shown = () => desk.last('results')?.results.find((one) => one.id === id);
  assert.ok(shown()?.actions.includes('startTomorrow'));
  desk.postponed.add(id);
  desk.postponedChanged.fire();
  assert.ok(!shown()?.actions.includes('startTomorrow'));
  assert.match(shown()?.problem ?? '', /You’ll be reminded tomorrow\.$/);
});

test('an empty form has the prompts of earlier images, else those that the service suggests', async () => {
  const desk = new Desk();
  const fields = model.fields.map((field) => (field.name === 'prompt' ? { ...field, examples: ['an\nowl'] } : field));
  desk.model = { ...model, fields };
  await opened(desk);
  assert.deepEqual(desk.last('prompts')?.examples, [{ prompt: 'an owl' }]);
  desk.earlier = [{ id: 'earlier', group: 'finished', modelId: model.id, inputs: { prompt: 'a hare' } }];
  await opened(desk);
  assert.deepEqual(desk.last('prompts')?.examples, [{ prompt: 'a hare', image: 'thumbnail:earlier' }]);
});

test('no style’s words are sent twice: inputs of a render open without one, and earlier prompts come without theirs', async () => {
  const desk = new Desk();
  desk.prompts = ['Muted blues. a fox No text.', 'a hare'];
  const form = await styledForm(desk);
  assert.deepEqual(desk.last('prompts')?.prompts, ['a fox', 'a hare']);
  form.show({ prompt: 'Muted blues. a fox No text.', steps: 30 });
  await desk.clock.advance(250);
  assert.equal(desk.last('style')?.style.chosen, undefined);
  assert.deepEqual(desk.asked.at(-1), { prompt: 'Muted blues. a fox No text.', steps: 30 });
  assert.deepEqual(desk.last('prompts')?.prompts, desk.prompts);
  assert.equal(desk.shelf.last, muted.id);
  form.show({ prompt: 'a deer' }, [], muted.id);
  await desk.clock.advance(250);
  assert.deepEqual(desk.asked.at(-1), { prompt: 'Muted blues. a deer No text.', steps: 30 });
});

test('what was sent with a style is forgotten by what was sent', async () => {
  const desk = new Desk();
  const form = await styledForm(desk);
  form.receive({ type: 'render', request: 1, revision: 1, intent: desk.last('quote')!.intent, style: 1 });
  await settled();
  form.dispose();
  const drafts = new Drafts(desk.workspace, desk.everywhere);
  assert.ok(drafts.rendered(model.id) && drafts.read(model.id));
  await drafts.forget(model.id, 'Muted blues. a fox No text.', desk.clock.now());
  assert.deepEqual([drafts.rendered(model.id), drafts.read(model.id)?.values], [undefined, []]);
});

for (const [count, order] of [
  [1, 'it is'],
  [2, 'several are'],
] as const)
  test(`what was sent with a style is forgotten by what was sent, also if other words are typed while ${order} ordered`, async () => {
    const seeded: Field = { name: 'seed', label: 'Seed', kind: 'seed', statedType: 'integer', required: false };
    const desk = new Desk();
    desk.model = { ...model, fields: [...model.fields, seeded] };
    const turn = deferred<undefined>();
    const { render } = desk;
    desk.turn = turn.promise;
    desk.render = (order) => turn.promise.then(() => render(order));
    const form = await styledForm(desk);
    form.receive({ type: 'variants', count });
    await settled();
    form.receive({ type: 'render', request: 1, revision: 1, intent: desk.last('quote')!.intent, style: 1 });
    form.receive({ type: 'edit', revision: 2, values: [['prompt', 'a hare']] });
    turn.resolve(undefined);
    await settled();
    const drafts = new Drafts(desk.workspace, desk.everywhere);
    assert.equal(new Map(drafts.rendered(model.id)).get('prompt'), 'a fox');
    await drafts.forget(model.id, 'Muted blues. a fox No text.', desk.clock.now());
    assert.equal(drafts.rendered(model.id), undefined);
    assert.equal(new Map(drafts.read(model.id)?.values).get('prompt'), 'a hare');
  });

test('an open form that has a forgotten prompt is emptied, and what is stored of it no longer has that text', async () => {
  const desk = new Desk();
  const form = await priced(desk);
  const stored = () => JSON.stringify([...desk.workspace.kept, ...desk.everywhere.kept]);
  const forget = (text: string) => {
    form.forget(text);
    return new Drafts(desk.workspace, desk.everywhere).forget(model.id, text, desk.clock.now());
  };
  form.receive({ type: 'render', request: 1, revision: 1, intent: desk.last('quote')!.intent });
  await settled();
  assert.match(stored(), /a fox/);
  await forget('a hare');
  assert.equal(desk.last('draft')?.revision, 0);
  await forget('a fox');
  assert.deepEqual(desk.last('draft')?.values, initialValues(model.fields));
  await desk.clock.advance(1000);
  form.dispose();
  assert.doesNotMatch(stored(), /a fox/);
});

test('a prompt that is forgotten before its form’s fields are read, or while the form’s tab isn’t restored, stays away', async () => {
  const desk = new Desk();
  (await priced(desk)).dispose();
  const kept: KeptForm = { modelId: model.id, values: [['prompt', 'a fox']], at: desk.clock.now() };
  const waiting = desk.converse(kept);
  waiting.show({ prompt: 'a fox' });
  await desk.clock.advance(10);
  waiting.forget('a fox');
  await new Drafts(desk.workspace, desk.everywhere).forget(model.id, 'a fox', desk.clock.now());
  waiting.receive({ type: 'ready' });
  await settled();
  assert.deepEqual(desk.last('draft')?.values, initialValues(model.fields));
  waiting.dispose();
  await opened(desk, kept);
  assert.deepEqual(desk.last('draft')?.values, initialValues(model.fields));
});

const ratio: Field = {
  name: 'aspect_ratio',
  label: 'Aspect ratio',
  kind: 'choice',
  statedType: 'enum',
  required: false,
  default: '1:1',
  choices: ['1:1', '16:9', '9:16'].map((value) => ({ value, label: value })),
};
const night: Field = { name: 'night', label: 'Night', kind: 'boolean', statedType: 'boolean', required: false };
const varied = [
  { field: 'aspect_ratio', values: ['1:1', '16:9'] },
  { field: 'night', values: [true, false] },
];

async function variedForm(desk: Desk): Promise<FormConversation> {
  desk.model = { ...seeded, fields: [...seeded.fields, ratio, night] };
  const form = await priced(desk);
  form.receive({ type: 'vary', varied });
  await desk.clock.advance(250);
  await settled();
  return form;
}

test('every combination of chosen options has its own price, one sum, and is ordered by one press, with one seed', async () => {
  const desk = new Desk();
  const form = await variedForm(desk);
  assert.deepEqual(desk.last('variants')?.variants, { choices: [1, 2, 4, 8], count: 4, canVary: true, varied });
  const { quote, count, intent } = desk.last('quote')!;
  assert.deepEqual([quote, count], [{ status: 'priced', costCents: 16 }, 4]);
  for (const request of [1, 2]) form.receive({ type: 'render', request, revision: 1, intent });
  await settled();
  const [orders = []] = desk.sets;
  assert.deepEqual(
    orders.map(({ inputs }) => [inputs['aspect_ratio'], inputs['night']]),
    [
      ['1:1', true],
      ['1:1', false],
      ['16:9', true],
      ['16:9', false],
    ],
  );
  assert.deepEqual([new Set(orders.map(({ inputs }) => inputs['seed'])).size, desk.sets.length], [1, 1]);
});

test('a sum isn’t ordered after other options were chosen, and a count of images varies nothing', async () => {
  const desk = new Desk();
  const form = await variedForm(desk);
  const { intent } = desk.last('quote')!;
  form.receive({ type: 'vary', varied: [{ field: 'aspect_ratio', values: ['1:1', '16:9', '9:16'] }] });
  form.receive({ type: 'render', request: 1, revision: 1, intent });
  await settled();
  assert.deepEqual(desk.sets, []);
  await desk.clock.advance(250);
  await settled();
  assert.deepEqual([desk.last('quote')?.count, desk.last('quote')?.quote], [3, { status: 'priced', costCents: 12 }]);
  form.receive({ type: 'variants', count: 2 });
  assert.deepEqual(desk.last('variants')?.variants.varied, []);
});

test('what a style sets isn’t varied, nor are options that the model doesn’t have, and other inputs end it', async () => {
  const desk = new Desk();
  const form = await variedForm(desk);
  desk.shelf.become([styleOf('docs', {}, { night: true })]);
  form.receive({ type: 'style', id: 'renders.jsonc#docs' });
  assert.deepEqual(desk.last('variants')?.variants.varied, [varied[0]]);
  form.receive({ type: 'vary', varied: [{ field: 'aspect_ratio', values: ['1:1', '5:4', '1:1'] }, varied[1]!] });
  assert.deepEqual(desk.last('variants')?.variants.varied, []);
  form.receive({ type: 'vary', varied });
  assert.equal(desk.last('variants')?.variants.count, 2);
  form.show({ prompt: 'a deer' });
  assert.deepEqual(desk.last('variants')?.variants.varied, []);
});
