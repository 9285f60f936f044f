import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { systemClock } from '../../../src/base/clock';
import { Yielder } from '../../../src/base/concurrency';
import { ServiceError } from '../../../src/catalog/errors';
import { readModel, readModels } from '../../../src/catalog/modelSchema';
import { readProblem } from '../../../src/catalog/problems';
import { readAccount, readGeneration, readGenerations, readQuote } from '../../../src/catalog/records';
import { type Field, type Generation, imagePlaces, maskedField } from '../../../src/catalog/fields';
import { growsInProportionInTurns } from '../growth';
import { slowTurns } from '../slowTurns';

const turns = new Yielder(systemClock);

function isUnreadable(error: unknown): boolean {
  return error instanceof ServiceError && error.kind === 'unreadable';
}

/** Drops everything that isn't stated. */
function stated(value: object): unknown {
  return JSON.parse(JSON.stringify(value));
}

// GET /me

for (const json of [
  { balanceCents: 1250 },
  { balance_cents: 1250 },
  { balance: 1250, currency: 'cents' },
  { balance: { cents: 1250, currency: 'EUR' } },
  { account: { balanceCents: 1250 } },
  { key: { name: 'mine' }, balanceCents: 1250 },
  { data: { user: { balanceCents: 1250 } } },
]) {
  test(`the balance is found in ${JSON.stringify(json)}`, () =>
    assert.deepEqual(readAccount(json), { balanceCents: 1250 }));
}

for (const json of [
  null,
  [],
  'x',
  12,
  {},
  { balanceCents: '1250' },
  { balanceCents: 12.5 },
  { balanceCents: null },
  { balanceCents: 1e21 },
  { balance: {} },
]) {
  test(`no balance is read from ${JSON.stringify(json)}`, () => assert.throws(() => readAccount(json), isUnreadable));
}

// POST /quote

for (const json of [
  4,
  { costCents: 4 },
  { cost_cents: 4 },
  { priceCents: 4, currency: 'EUR' },
  { price: 4 },
  { cents: 4 },
  { total: 4 },
  { quote: { costCents: 4 } },
  { data: { quote: { price: 4 } } },
  { price: { cents: 4 } },
  { price: { amount: 4, currency: 'euro cents' } },
  { modelId: 'a/b/c', costCents: 4, balanceCents: 900, expiresInSeconds: 60 },
  { quoteId: 9, renderCents: 4, balanceCents: 900 },
  { unitPriceCents: 1, count: 4, totalCents: 4 },
]) {
  test(`the price is found in ${JSON.stringify(json)}`, () => assert.deepEqual(readQuote(json), { costCents: 4 }));
}

test('a free render costs 0, which isn’t the same as no price', () => {
  assert.deepEqual(readQuote({ costCents: 0 }), { costCents: 0 });
});

for (const json of [
  {},
  { costCents: null },
  { costCents: '4' },
  { costCents: 0.04 },
  { costCents: -4 },
  { costCents: 1e21 },
  { costCents: '4', price: 9 },
  { price: 0.04 },
  { price: 4, currency: 'USD' },
  { price: 4, unit: 'EUR' },
  { price: {} },
  { balanceCents: 900 },
  { expiresInSeconds: 60 },
  { firstCents: 1, secondCents: 2 },
  { ok: true },
]) {
  test(`no price is stated in ${JSON.stringify(json)}, and it is never 0`, () =>
    assert.deepEqual(readQuote(json), { costCents: undefined }));
}

for (const json of [null, [], 'four', true]) {
  test(`${JSON.stringify(json)} is no quote`, () => assert.throws(() => readQuote(json), isUnreadable));
}

// Lists

const row = { id: 'a/b/c', name: 'c' };
const rowsIn: readonly [json: unknown, incomplete: boolean][] = [
  [[row], false],
  [{ models: [row] }, false],
  [{ data: [row] }, false],
  [{ items: [row] }, false],
  [{ results: [row] }, false],
  [{ whatever: [row] }, false],
  [{ data: { models: [row] } }, false],
  [{ data: { items: [row], total: 1 } }, false],
  [{ models: { 'a/b/c': { name: 'c' } } }, false],
  [{ models: [{ model: row }] }, false],
  [{ models: ['a/b/c'] }, false],
  [{ models: [{ provider: 'a', family: 'b', name: 'c' }] }, false],
  [{ models: [{ name: 'a/b/c' }] }, false],
  [{ models: [row, row] }, false],
  [{ models: [row], next: null, has_more: false }, false],
  [{ models: [row], next: '/models?page=2' }, true],
  [{ models: [row], nextCursor: 'abc' }, true],
  [{ models: [row], has_more: true }, true],
  [{ models: [row], hasMore: true }, true],
  [{ models: [row], total: 12 }, true],
  [{ models: [row], pagination: { page: 1, pages: 3 } }, true],
  [{ data: [row], meta: { next_page: 2 } }, true],
  [{ data: [row], links: { next: { href: '/x' } } }, true],
  [{ data: [row], links: { self: '/x', next: null } }, false],
];

for (const [json, incomplete] of rowsIn) {
  test(`one model is found in ${JSON.stringify(json)}${incomplete ? ', and there is more' : ''}`, async () => {
    const listing = await readModels(json, turns);
    assert.deepEqual(
      listing.items.map(({ id, provider, family, name }) => [id, provider, family, name]),
      [['a/b/c', 'a', 'b', 'c']],
    );
    assert.equal(listing.incomplete, incomplete);
    assert.equal(listing.unreadable, 0);
  });
}

for (const json of [null, 7, 'x', {}, { ok: true }, { models: 7 }, { a: [], b: [] }]) {
  test(`${JSON.stringify(json)} is no list`, async () => {
    await assert.rejects(readModels(json, turns), isUnreadable);
    await assert.rejects(readGenerations(json, turns), isUnreadable);
  });
}

test('an empty list is a list', async () => {
  assert.deepEqual(await readModels({ models: [] }, turns), { items: [], incomplete: false, unreadable: 0 });
});

test('rows that cannot be read are counted and keep nothing else from being read', async () => {
  const rows = [
    null,
    7,
    {},
    { id: '' },
    { id: '..' },
    { id: 'x'.repeat(5000) },
    { id: 'a\u0000b' },
    { id: '\ud800' },
    row,
  ];
  const listing = await readModels(rows, turns);
  assert.equal(listing.items.length, 1);
  assert.equal(listing.unreadable, 8);
});

// Models

for (const [id, provider, family, name] of [
  ['a/b/c', 'a', 'b', 'c'],
  ['a/b', 'a', '', 'b'],
  ['a', '', '', 'a'],
  ['a/b/c/d', 'a', 'b/c', 'd'],
] as const) {
  test(`the id ${id} is grouped under ${provider || 'no provider'}, ${family || 'no family'}`, async () => {
    const [model] = (await readModels([id], turns)).items;
    assert.deepEqual([model?.provider, model?.family, model?.name], [provider, family, name]);
  });
}

for (const [json, kind] of [
  [{ type: 'image' }, 'image'],
  [{ type: 'text-to-image' }, 'image'],
  [{ task: 'image-to-text' }, 'text'],
  [{ task: 'text2image' }, 'image'],
  [{ category: 'Text generation' }, 'text'],
  [{ kind: 'llm' }, 'text'],
  [{ modality: 'text->image' }, 'image'],
  [{ type: 'text-to-video' }, 'other'],
  [{ output: { type: 'image/png' } }, 'image'],
  [{ outputs: ['image'] }, 'image'],
  [{ type: 'model', output: 'text' }, 'text'],
  [{ type: 'model', tags: ['fast', 'photo'] }, 'image'],
  [{ type: 'audio' }, 'other'],
  [{ type: 7 }, undefined],
  [{}, undefined],
] as const) {
  test(`${JSON.stringify(json)} makes ${kind}`, async () => {
    const { items } = await readModels([{ id: 'painter/text/image', ...json }], turns);
    assert.equal(items[0]?.kind, kind);
  });
}

test('other work runs while a very long list is read', async () => {
  const { turns: slow, pauses } = slowTurns();
  const rows = Array.from({ length: 1000 }, (_, index) => ({ id: `a/b/${index}` }));
  assert.equal((await readModels(rows, slow)).items.length, 1000);
  assert.ok(pauses() > 20, `${pauses()} pauses`);
});

test('a model keeps the title and description the service gives it', async () => {
  const [model] = (await readModels([{ id: 'a/b/c', displayName: 'See <b>', description: 'D' }], turns)).items;
  assert.equal(model?.title, 'See <b>');
  assert.equal(model.description, 'D');
});

// Fields

const prompt = { name: 'prompt', label: 'Prompt', kind: 'longText', statedType: 'text', required: true };

for (const detail of [
  { fields: [{ name: 'prompt', type: 'text', required: true }] },
  { fields: [{ key: 'prompt', type: 'text', required: 'yes', default: 'none' }] },
  { fields: { prompt: { type: 'text', required: true, default: null } } },
  { inputs: [{ name: 'prompt', type: 'text', optional: false }] },
  { model: { id: 'a/b/c', fields: [{ name: 'prompt', type: 'text', required: true }] } },
  { model: { id: 'a/b/c' }, fields: [{ name: 'prompt', type: 'text', required: true }] },
  { data: { inputFields: [{ name: 'prompt', type: { name: 'x', type: 'text' }, required: true }] } },
  { parameters: 12, input_fields: [{ name: 'prompt', type: 'text', required: true }] },
  { input: { fields: [{ name: 'prompt', type: 'text', required: true }] } },
  { schema: { type: 'object', properties: { prompt: { type: 'text' } }, required: ['prompt'] } },
]) {
  test(`the prompt is found in ${JSON.stringify(detail)}`, () => {
    assert.deepEqual(stated(readModel(detail, 'a/b/c').fields), [prompt]);
  });
}

const kinds: readonly [spec: unknown, kind: string][] = [
  ['text', 'text'],
  ['string', 'text'],
  [{ type: ['string', 'null'] }, 'text'],
  [{ type: 'string', multiline: true }, 'longText'],
  [{ type: 'textarea' }, 'longText'],
  ['long_text', 'longText'],
  ['long text', 'longText'],
  ['longText', 'longText'],
  ['multi-line', 'longText'],
  ['Integer', 'integer'],
  ['INTEGER', 'integer'],
  ['integer', 'integer'],
  [{ type: 'int32' }, 'integer'],
  ['number', 'number'],
  [{ type: 'float' }, 'number'],
  ['boolean', 'boolean'],
  ['seed', 'seed'],
  [['1:1', '2:1'], 'choice'],
  [{ type: ['1:1', '2:1'] }, 'choice'],
  [{ type: 'enumeration', values: ['1:1', '2:1'] }, 'choice'],
  [{ type: 'string', enum: ['1:1', '2:1'] }, 'choice'],
  [{ type: 'select', options: [{ value: '1:1', label: 'Square' }, '2:1'] }, 'choice'],
  [{ choices: { '1:1': 'Square', '2:1': 'Wide' } }, 'choice'],
  [{ type: { kind: 'enumeration', values: ['1:1', '2:1'] } }, 'choice'],
  [{ type: { enum: ['1:1', '2:1'] } }, 'choice'],
  [{ oneOf: [{ const: '1:1', title: 'Square' }, { const: '2:1' }] }, 'choice'],
  ['enumeration: 1:1, 2:1, and further values', 'choice'],
  [{ type: 'enum(1:1, 2:1)' }, 'choice'],
  ['1:1 | 2:1', 'choice'],
  [{ type: 'enumeration', values: [] }, 'json'],
  [{ type: 'array', items: { enum: ['a'] }, enum: ['a', 'b'] }, 'choices'],
  [{ type: 'array', items: { type: 'string', enum: ['a', 'b'] } }, 'choices'],
  [{ items: { oneOf: [{ const: 'a', title: 'A' }, { const: 'b' }] } }, 'choices'],
  [{ type: 'multiselect', options: [{ value: 'a', label: 'A' }, 'b'] }, 'choices'],
  [{ type: 'multi-choice', choices: { a: 'A', b: 'B' } }, 'choices'],
  [{ type: 'string[]', values: ['a', 'b'] }, 'choices'],
  [{ type: 'checkboxes', options: ['a', 'b'] }, 'choices'],
  [{ type: 'multiselect' }, 'json'],
  [{ type: 'color' }, 'color'],
  [{ type: 'Hex Color' }, 'color'],
  [{ type: 'string', format: 'color' }, 'color'],
  [{ type: 'text', widget: 'colour-picker' }, 'color'],
  ['image', 'image'],
  [{ type: 'image_url' }, 'image'],
  [{ type: 'imageUpload' }, 'image'],
  [{ type: 'file' }, 'image'],
  [{ type: 'binary' }, 'image'],
  [{ type: 'string', format: 'binary' }, 'image'],
  [{ type: 'string', format: 'byte' }, 'image'],
  [{ type: 'string', format: 'data-url' }, 'image'],
  [{ type: 'string', format: 'data-uri' }, 'image'],
  [{ type: 'string', format: 'uri', contentMediaType: 'image/png' }, 'image'],
  [{ type: 'string', contentMediaType: 'image/*' }, 'image'],
  [{ type: 'string', contentEncoding: 'base64' }, 'image'],
  [{ anyOf: [{ type: 'string', format: 'data-url' }, { type: 'null' }] }, 'image'],
  [{ type: 'string', format: 'uri' }, 'text'],
  [{ type: 'url' }, 'json'],
  [{ type: 'string', format: 'url', description: 'An image.' }, 'text'],
  [{ type: 'string', formats: ['png', 'webp'] }, 'text'],
  [{ type: 'file', accept: 'audio/*' }, 'json'],
  [{ type: 'array', items: { type: 'string', format: 'data-url' } }, 'images'],
  [{ type: 'array', items: { type: 'image' } }, 'images'],
  [{ type: 'list', items: 'image' }, 'images'],
  [{ type: 'array', items: { type: 'string' }, accept: 'image/png' }, 'images'],
  [{ items: { type: 'string', format: 'binary' } }, 'images'],
  [{ anyOf: [{ type: 'array', items: { type: 'string', format: 'binary' } }, { type: 'null' }] }, 'images'],
  ['image[]', 'images'],
  ['list of images', 'images'],
  ['array<image>', 'images'],
  ['image list', 'images'],
  ['images', 'images'],
  ['files', 'images'],
  [{ type: 'image', multiple: true }, 'images'],
  [{ type: 'image', max_images: 14 }, 'images'],
  [{ type: 'image', max_images: 1 }, 'image'],
  [{ type: 'array', items: { type: 'file', accept: 'audio/*' } }, 'json'],
  [{ type: 'array', items: { type: 'string', format: 'uri' } }, 'json'],
  [{ type: 'array', items: { type: 'string' } }, 'json'],
  [{ type: 'array', items: { type: 'object' } }, 'json'],
  ['array', 'json'],
  ['string[]', 'json'],
  [{ type: 'object' }, 'json'],
  [{ type: ['string', 'number'] }, 'json'],
  [{}, 'json'],
  [null, 'json'],
  [7, 'json'],
  ['string | number', 'json'],
];

/** What says by its name alone that it's a list of images, as an item of that name would, and what doesn't. */
const listNames: readonly (readonly [name: string, item: object, kind: string])[] = [
  ['image_urls', { type: 'string' }, 'images'],
  ['referenceImages', { type: 'string', format: 'uri' }, 'images'],
  ['image_input', { type: 'string', format: 'uri' }, 'images'],
  ['images', {}, 'images'],
  ['images', { type: 'string', enum: ['a', 'b'] }, 'choices'],
  ['images', { type: 'integer' }, 'json'],
  ['image_styles', { type: 'string' }, 'json'],
  ['callback_urls', { type: 'string', format: 'uri' }, 'json'],
];

function controlOf(field: Field | undefined) {
  return field && (field.image?.isList ? 'images' : field.kind);
}

for (const [name, items, kind] of listNames) {
  test(`a list called ${name} of ${JSON.stringify(items)} gets the control for ${kind}`, () => {
    const [field] = readModel({ fields: { [name]: { type: 'array', items } } }, 'a/b/c').fields;
    assert.equal(controlOf(field), kind);
  });
}

for (const [spec, kind] of kinds) {
  test(`${JSON.stringify(spec)} gets the control for ${kind}`, () => {
    const [field] = readModel({ fields: { shape: spec } }, 'a/b/c').fields;
    assert.equal(controlOf(field), kind);
    if (kind === 'choice')
      assert.deepEqual(
        field?.choices?.map(({ value }) => value),
        ['1:1', '2:1'],
      );
  });
}

for (const [name, kind] of [
  ['image', 'image'],
  ['init_image', 'image'],
  ['imageUrl', 'image'],
  ['reference_image_2', 'image'],
  ['image_callback_url', 'text'],
  ['webhook', 'text'],
] as const)
  test(`a URI named ${name} gets the control for ${kind}`, () => {
    const [field] = readModel({ fields: { [name]: { type: 'string', format: 'uri' } } }, 'a/b/c').fields;
    assert.equal(field?.kind, kind);
  });

test('how many images a list takes, and what each may be, is stated of the list or of its items', () => {
  const items = { type: 'image', accept: 'image/png', maxBytes: 5000 };
  for (const spec of [
    { type: 'array', items, minItems: 2, maxItems: 14 },
    { ...items, type: 'image[]', min: 2, max: 14 },
    { ...items, min_images: 2, max_images: 14 },
  ]) {
    const [field] = readModel({ fields: { shape: spec } }, 'a/b/c').fields;
    assert.deepEqual(
      [field?.image, field?.minimum, field?.maximum],
      [{ isList: true, types: ['image/png'], maxBytes: 5000 }, 2, 14],
      JSON.stringify(spec),
    );
  }
});

/** What marks the change in a mask, by what the service says about it. */
const masks: readonly (readonly [name: string, spec: object, mask: string | undefined])[] = [
  ['mask', { type: 'image', help: 'White areas are changed, black ones stay.' }, 'white'],
  ['mask', { type: 'image', help: 'White pixels are inpainted and black pixels are preserved.' }, 'white'],
  ['mask', { type: 'image', help: 'Black areas are kept.' }, 'white'],
  ['mask_image', { type: 'file', description: 'A black and white image: white is where to repaint.' }, 'white'],
  ['inpaint_mask', { type: 'image', help: 'Mask (white = inpaint, black = keep)' }, 'white'],
  ['maskImage', { type: 'image', help: 'Areas to edit are black.' }, 'black'],
  ['mask', { type: 'image', help: 'White areas won’t be changed.' }, 'black'],
  ['mask', { type: 'image', help: 'White is protected; black is regenerated.' }, 'black'],
  [
    'mask',
    { type: 'file', help: 'Fully transparent areas (where alpha is zero) indicate what should be edited.' },
    'transparent',
  ],
  ['mask', { type: 'image', help: 'Opaque pixels are kept.' }, 'transparent'],
  ['mask', { type: 'image', help: 'White areas will be replaced in the original image.' }, 'white'],
  ['mask', { type: 'image', help: 'Black areas show the original.' }, 'white'],
  ['mask', { type: 'image', help: 'A white and black image marking the areas to edit.' }, 'unstated'],
  ['mask', { type: 'image', help: 'White is changed. White is kept.' }, 'unstated'],
  ['mask', { type: 'image', help: 'A black and white PNG of the same size.' }, 'unstated'],
  ['mask', { type: 'string', format: 'uri' }, 'unstated'],
  ['area', { type: 'mask' }, 'unstated'],
  ['region', { type: 'image', label: 'Inpainting area' }, 'unstated'],
  ['image', { type: 'image', help: 'The image. White areas of the mask are changed.' }, undefined],
  ['masked_image', { type: 'image' }, undefined],
  ['masks', { type: 'array', items: { type: 'image' } }, undefined],
];

for (const [name, spec, mask] of masks) {
  test(`${name} of ${JSON.stringify(spec)} is ${mask ? `a mask that marks the change: ${mask}` : 'no mask'}`, () => {
    const [field] = readModel({ fields: { [name]: spec } }, 'a/b/c').fields;
    assert.deepEqual([field?.kind, field?.image?.mask], ['image', mask]);
  });
}

test('a mask is for the image of the same number, or else the first one, of a single image if there is any', () => {
  const maskedIn = (...names: string[]) => {
    const list = { type: 'array', items: { type: 'image' } };
    const spec = (name: string): [string, object] => [name, name.endsWith('s') ? list : { type: 'image' }];
    const { fields } = readModel({ fields: Object.fromEntries(names.map(spec)) }, 'a/b/c');
    return maskedField(fields, fields.at(-1)!)?.name;
  };
  assert.equal(maskedIn('image', 'style_image', 'mask'), 'image');
  assert.equal(maskedIn('image_1', 'image_2', 'mask_2'), 'image_2');
  assert.equal(maskedIn('images', 'init_image', 'mask'), 'init_image');
  assert.equal(maskedIn('images', 'mask'), 'images');
  assert.equal(maskedIn('mask'), undefined);
});

test('an image that somebody gives could go into any field for images but a mask', () => {
  const fields = { image: { type: 'image' }, mask: { type: 'image' }, style_image: { type: 'image' } };
  const image = { file: 'a.png', sha256: 'a'.repeat(64), type: 'image/png', bytes: 100 };
  const places = imagePlaces(readModel({ fields }, 'a/b/c').fields, image);
  assert.deepEqual(
    places.map(({ name }) => name),
    ['image', 'style_image'],
  );
});

for (const [spec, limits] of [
  [{ type: 'image' }, { types: ['image/png', 'image/jpeg', 'image/webp'], maxBytes: 8_000_000 }],
  [
    { type: 'image', accept: '.png, .jpg' },
    { types: ['image/png', 'image/jpeg'], maxBytes: 8_000_000 },
  ],
  [
    { type: 'file', accept: ['image/gif', 'application/pdf'] },
    { types: ['image/gif'], maxBytes: 8_000_000 },
  ],
  [
    { type: 'image', maxBytes: 500_000, mimeTypes: ['image/png'] },
    { types: ['image/png'], maxBytes: 500_000 },
  ],
  [
    { type: 'image', max_size: '4 MB', formats: ['PNG'] },
    { types: ['image/png'], maxBytes: 4_000_000 },
  ],
  [
    { type: 'image', maxFileSize: '512KiB', formats: ['png'] },
    { types: ['image/png'], maxBytes: 524_288 },
  ],
  [
    { type: 'image', maxSize: 'large', formats: ['png'] },
    { types: ['image/png'], maxBytes: 8_000_000 },
  ],
  [
    { type: 'image', maxBytes: 1e12, formats: ['png'] },
    { types: ['image/png'], maxBytes: 32_000_000 },
  ],
  [
    { type: 'string', contentEncoding: 'base64', contentMediaType: 'image/png' },
    { types: ['image/png'], maxBytes: 8_000_000, base64: true },
  ],
  [
    { type: 'image', accept: 'image/png', min_width: 64, maxHeight: 2048 },
    { types: ['image/png'], maxBytes: 8_000_000, minWidth: 64, maxHeight: 2048 },
  ],
] as const) {
  test(`${JSON.stringify(spec)} takes images within its limits, and else within ours`, () => {
    const [field] = readModel({ fields: { photo: spec } }, 'a/b/c').fields;
    assert.deepEqual(field?.image, limits);
  });
}

test('a text is a color if its name says so and its default, pattern, or description is of a number sign', () => {
  const fields = {
    background_color: { type: 'string', default: '#ffffff' },
    tintColour: { type: 'string', description: 'In hex notation.' },
    color: { type: 'string', pattern: '^#[0-9a-f]{6}$' },
    line_color: { type: 'string', description: 'Such as red or green.' },
    color_of: { type: 'string', default: '#ffffff' },
    prompt: { type: 'string', default: '#fff' },
  };
  assert.deepEqual(
    readModel({ fields }, 'a/b/c').fields.map(({ kind }) => kind),
    ['color', 'color', 'color', 'text', 'text', 'longText'],
  );
});

test('a list of options has those of its items, and how many may be chosen', () => {
  const spec = { type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 1, maxItems: 2, default: ['b'] };
  const [field] = readModel({ fields: { parts: spec } }, 'a/b/c').fields;
  const { choices, minimum, maximum, default: standard } = field!;
  assert.deepEqual([choices?.map(({ value }) => value), minimum, maximum, standard], [['a', 'b', 'c'], 1, 2, ['b']]);
});

test('a file for sound gets no control for images, although it states no types', () => {
  const { fields } = readModel({ fields: { audio: 'file', init: 'file' } }, 'a/b/c');
  assert.deepEqual(
    fields.map(({ kind }) => kind),
    ['json', 'image'],
  );
});

test('an integer called seed gets the dice', () => {
  for (const [name, kind] of [
    ['seed', 'seed'],
    ['noise_seed', 'seed'],
    ['randomSeed', 'seed'],
    ['seeds', 'integer'],
    ['linseed', 'integer'],
  ] as const)
    assert.equal(readModel({ fields: { [name]: 'integer' } }, 'a/b/c').fields[0]?.kind, kind, name);
});

for (const [spec, facts] of [
  [
    { type: 'number', min: 0, max: 1, step: 0.1 },
    { minimum: 0, maximum: 1, step: 0.1 },
  ],
  [
    { type: 'integer', minimum: 1, maximum: 8, multipleOf: 2 },
    { minimum: 1, maximum: 8, step: 2 },
  ],
  [
    { type: 'number', min: '0.5', max: '2' },
    { minimum: 0.5, maximum: 2 },
  ],
  [
    { type: 'number', range: [1, 10] },
    { minimum: 1, maximum: 10 },
  ],
  [
    { type: 'number', range: { min: 1, max: 10 } },
    { minimum: 1, maximum: 10 },
  ],
  [{ type: { type: 'number', min: 3 } }, { minimum: 3 }],
  [{ type: 'number', min: 5, max: 1, step: 0 }, {}],
  [{ type: 'number', min: 'low', step: -1 }, {}],
  [{ type: 'text', maxLength: 500 }, { maxLength: 500 }],
  [{ type: 'text', max: 80, min: 1 }, { maxLength: 80 }],
] as const) {
  test(`the bounds of ${JSON.stringify(spec)} are ${JSON.stringify(facts)}`, () => {
    const [field] = readModel({ fields: { x: spec } }, 'a/b/c').fields;
    const { minimum, maximum, step, maxLength } = field ?? {};
    assert.deepEqual(stated({ minimum, maximum, step, maxLength }), facts);
  });
}

test('the examples of a text are those that the service states, and there are none otherwise', () => {
  const examples = (spec: object) => readModel({ fields: { x: spec } }, 'a/b/c').fields[0]?.examples;
  assert.deepEqual(examples({ type: 'string', examples: ['a fox', ' ', 4, 'a hare'] }), ['a fox', 'a hare']);
  assert.equal(examples({ type: 'string', examples: 'a fox' }), undefined);
  assert.equal(examples({ type: 'integer', examples: ['a fox'] }), undefined);
});

test('labels and help are the service’s own, else made from the name', () => {
  const { fields } = readModel(
    {
      fields: [
        { name: 'aspect_ratio', description: 'H' },
        { name: 'cfgScale' },
        { name: 'x', title: 'T' },
        { name: '__' },
      ],
    },
    'a/b/c',
  );
  assert.deepEqual(
    fields.map(({ label }) => label),
    ['Aspect ratio', 'Cfg scale', 'T', '__'],
  );
  assert.equal(fields[0]?.help, 'H');
});

test('hostile names are data: every field is shown under its own', () => {
  const names = ['__proto__', 'constructor', 'toString', '', '<b>', '../x', '\u202e', 'a\nb'];
  const json: unknown = JSON.parse(
    `{"fields":{${names.map((name) => `${JSON.stringify(name)}:{"type":"text","required":true}`).join()}}}`,
  );
  const { fields } = readModel(json, 'a/b/c');
  assert.deepEqual(
    fields.map(({ name }) => name),
    names.filter((name) => name !== ''),
  );
  assert.ok(fields.every(({ required, kind }) => required && kind === 'text'));
});

test('of two fields with the same name, the first is kept', () => {
  const { fields } = readModel(
    { fields: [{ name: 'x', type: 'integer' }, { name: 'y' }, { name: 'x', type: 'text' }] },
    'a/b/c',
  );
  assert.deepEqual(
    fields.map(({ name, kind }) => [name, kind]),
    [
      ['x', 'integer'],
      ['y', 'json'],
    ],
  );
});

test('a choice of five thousand is read completely', () => {
  const values = Array.from({ length: 5000 }, (_, index) => `v${index}`);
  assert.equal(readModel({ fields: { x: values } }, 'a/b/c').fields[0]?.choices?.length, 5000);
});

test('details of another model, or without fields, are unreadable', () => {
  assert.throws(() => readModel({ id: 'other/model/id', fields: [] }, 'a/b/c'), isUnreadable);
  for (const json of [null, [], {}, { id: 'a/b/c' }, { fields: 7 }])
    assert.throws(() => readModel(json, 'a/b/c'), isUnreadable);
});

// Generations

const queued = { id: 'g1', status: 'queued' };

for (const json of [
  queued,
  { generation: queued },
  { data: queued },
  { data: { generation: queued } },
  { generationId: 'g1', state: 'Queued' },
]) {
  test(`the generation is found in ${JSON.stringify(json)}`, () =>
    assert.deepEqual(stated(readGeneration(json)), queued));
}

for (const json of [
  { error: { code: 'NO' }, id: 'req-9' },
  { error: 'no', id: 'req-9' },
  { errors: [{ message: 'no' }], data: { id: 'req-9' } },
  { success: false, id: 'req-9', status: 'error' },
])
  test(`the ID in ${JSON.stringify(json)} is none of a render that was just started`, () =>
    assert.throws(() => readGeneration(json, 'queued'), isUnreadable));

test('an error beside a render’s status is why it failed, and an empty one is none', () => {
  const failed = { id: 'g1', status: 'failed', error: { message: 'no' } };
  assert.deepEqual(stated(readGeneration(failed, 'queued')), { id: 'g1', status: 'failed', reason: 'no' });
  assert.deepEqual(stated(readGeneration({ id: 'g1', error: null, errors: [] }, 'queued')), queued);
  assert.equal(readGeneration({ id: 'g1', status: 'stuck', error: 'no' }).status, 'stuck');
});

test('everything a generation states is read', () => {
  const expected: Partial<Generation> = {
    id: 'g1',
    status: 'succeeded',
    costCents: 4,
    contentUrl: 'https://elsewhere.example/x',
    textOutput: 'T',
    modelId: 'a/b/c',
    inputs: JSON.parse('{"__proto__":"x"}') as Record<string, string>,
    createdAt: Date.UTC(2026, 0, 2),
    reason: 'why',
  };
  for (const createdAt of ['2026-01-02T00:00:00Z', Date.UTC(2026, 0, 2), Date.UTC(2026, 0, 2) / 1000]) {
    const json = {
      ...expected,
      createdAt,
      reason: undefined,
      error: { code: 'X', message: 'why' },
      extra: { kept: false },
    };
    assert.deepEqual(stated(readGeneration(json)), stated(expected));
  }
});

for (const stated of [
  { failureMessage: 'why' },
  { failure: { reasons: ['why'] } },
  { failure: { code: 'X', reasons: [{ message: 'why' }] } },
  { error: { code: 'X', message: 'why' } },
  { errors: [{ code: 'X', message: 'why' }] },
  { error: { code: 'why' } },
])
  test(`the reason of a failure is found in ${JSON.stringify(stated)}`, () =>
    assert.equal(readGeneration({ id: 'g1', status: 'failed', ...stated }).reason, 'why'));

test('a time without a zone is in UTC, wherever the machine is', (t) => {
  const { TZ } = process.env;
  t.after(() => (TZ === undefined ? delete process.env['TZ'] : (process.env['TZ'] = TZ)));
  for (const zone of ['America/New_York', 'Asia/Kolkata']) {
    process.env['TZ'] = zone;
    for (const createdAt of ['2026-01-02T10:00:00.250000', '2026-01-02 10:00:00.25', '2026-01-02T10:00:00.25Z'])
      assert.equal(
        readGeneration({ id: 'g1', status: 'queued', createdAt }).createdAt,
        Date.UTC(2026, 0, 2, 10, 0, 0, 250),
      );
    assert.equal(
      readGeneration({ id: 'g1', status: 'queued', createdAt: '2026-01-02T10:00+02:00' }).createdAt,
      Date.UTC(2026, 0, 2, 8),
    );
  }
});

for (const [costCents, read] of [
  [4, 4],
  [0, 0],
  [-1, undefined],
  [1.5, undefined],
  ['12', undefined],
  [1e21, undefined],
  [null, undefined],
  [[4], undefined],
] as const) {
  test(`costCents ${JSON.stringify(costCents)} ${read === undefined ? 'is not stated' : 'is read'}`, () => {
    assert.equal(readGeneration({ id: 'g1', status: 'succeeded', costCents }).costCents, read);
  });
}

test('an unknown status is kept as is, a missing one is empty', () => {
  assert.equal(readGeneration({ id: 'g1', status: 'Warming Up' }).status, 'Warming Up');
  assert.equal(readGeneration({ id: 'g1', status: 'SUCCEEDED' }).status, 'succeeded');
  assert.equal(readGeneration({ id: 'g1', status: 7 }).status, '');
  assert.equal(readGeneration({ id: 'g1' }, 'queued').status, 'queued');
});

test('invalid times aren’t stated', () => {
  for (const createdAt of ['soon', -1, 0, 1e30, {}, NaN])
    assert.equal(readGeneration({ id: 'g1', createdAt }).createdAt, undefined);
});

// Errors

const fieldErrors: readonly [json: unknown, fields: readonly (readonly [string, string])[]][] = [
  [{ details: { prompt: 'is required' } }, [['prompt', 'is required']]],
  [{ details: { prompt: ['is', 'required'] } }, [['prompt', 'is required']]],
  [{ details: { prompt: { message: 'is required' } } }, [['prompt', 'is required']]],
  [{ details: [{ field: 'prompt', message: 'is required' }] }, [['prompt', 'is required']]],
  [{ details: [{ path: 'inputs.prompt', issue: 'is required' }] }, [['prompt', 'is required']]],
  [
    {
      details: [
        { name: 'prompt', message: 'is required' },
        { name: 'seed', message: 'too large' },
      ],
    },
    [
      ['prompt', 'is required'],
      ['seed', 'too large'],
    ],
  ],
  [{ details: [{ path: ['inputs', 'prompt'], message: 'is required' }] }, [['prompt', 'is required']]],
  [{ details: { field: 'prompt', message: 'is required' } }, [['prompt', 'is required']]],
  [{ details: { fields: { prompt: 'is required' } } }, [['prompt', 'is required']]],
  [{ details: { inputs: { prompt: 'is required' } } }, [['prompt', 'is required']]],
  [{ detail: [{ loc: ['body', 'inputs', 'prompt'], msg: 'is required' }] }, [['prompt', 'is required']]],
  [{ errors: [{ pointer: '/inputs/prompt', message: 'is required' }] }, [['prompt', 'is required']]],
  [{ details: 'prompt: is required' }, [['prompt', 'is required']]],
  [{ details: 'The field "prompt" is required' }, [['prompt', 'The field "prompt" is required']]],
  [{ details: 'Field prompt is required' }, [['prompt', 'Field prompt is required']]],
  [{ field: 'prompt', message: 'is required' }, [['prompt', 'is required']]],
  [{ details: 'Something is wrong' }, []],
  [{ details: 7 }, []],
  [{}, []],
  [null, []],
];

for (const [json, fields] of fieldErrors) {
  for (const wrapped of json && !('error' in Object(json)) ? [json, { error: { code: 'INVALID', ...json } }] : [json]) {
    test(`${JSON.stringify(wrapped)} names ${fields.map(([field]) => field).join() || 'no field'}`, () => {
      assert.deepEqual(
        readProblem(wrapped).fields.map(({ field, message }) => [field, message]),
        fields,
      );
    });
  }
}

test('an error’s code and message are found bare and wrapped', () => {
  for (const json of [{ code: 'X', message: 'M' }, { error: { code: 'X', message: 'M' } }, { code: 'X', error: 'M' }]) {
    const { code, message } = readProblem(json);
    assert.deepEqual([code, message], ['X', 'M']);
  }
});

// Hostile input

test('whatever the service answers, reading it fails with unreadable or not at all', async () => {
  const keys = [
    'models',
    'data',
    'items',
    'id',
    'status',
    'fields',
    'type',
    'values',
    'default',
    'details',
    'error',
    'inputs',
    'costCents',
    'price',
    '__proto__',
    'constructor',
  ];
  const { any } = fc.letrec<{ any: unknown }>((tie) => ({
    any: fc.oneof(
      { depthSize: 'medium' },
      fc.jsonValue(),
      fc.constantFrom('text', 'enumeration', 'a/b/c', '', 'integer', 'queued'),
      fc.array(tie('any'), { maxLength: 4 }),
      fc
        .array(fc.tuple(fc.constantFrom(...keys), tie('any')), { maxLength: 5 })
        .map((entries) => Object.fromEntries(entries) as unknown),
    ),
  }));
  const readers: readonly ((json: unknown) => unknown)[] = [
    readAccount,
    readQuote,
    (json) => readModels(json, turns),
    (json) => readGenerations(json, turns),
    (json) => readGeneration(json),
    (json) => readModel(json, 'a/b/c'),
  ];
  await fc.assert(
    fc.asyncProperty(any, async (json) => {
      readProblem(json);
      for (const read of readers) {
        try {
          await read(json);
        } catch (error) {
          if (!isUnreadable(error)) throw error;
        }
      }
    }),
    { numRuns: 2000 },
  );
});

test('ten thousand levels of nesting crash nothing, and the result can be serialized again', async () => {
  const deep: unknown = JSON.parse(`${'{"data":'.repeat(10_000)}{}${'}'.repeat(10_000)}`);
  for (const read of [readAccount, readGeneration]) assert.throws(() => read(deep), isUnreadable);
  for (const read of [readModels, readGenerations]) await assert.rejects(read(deep, turns), isUnreadable);
  assert.deepEqual(readQuote(deep), { costCents: undefined });
  assert.deepEqual(readProblem(deep).fields, []);
  const generation = readGeneration({ id: 'g1', inputs: deep });
  assert.equal(generation.inputs, undefined);
  const model = readModel({ fields: { x: { type: 'object', default: deep } }, description: 'D' }, 'a/b/c');
  assert.equal(typeof JSON.stringify(model), 'string');
});

test('of a very long page, the first rows are read, and the list is incomplete', async () => {
  const ids = Array.from({ length: 100_001 }, (_, index) => `a/b/${index}`);
  const { items, incomplete } = await readModels(ids, turns);
  assert.deepEqual([items.length, incomplete], [100_000, true]);
  assert.equal((await readModels(ids.slice(1), turns)).incomplete, false);
});

test('inputs with too many values are left out, and the render is still read', () => {
  const generation = (length: number) =>
    readGeneration({ id: 'g1', status: 'succeeded', costCents: 4, inputs: { points: Array(length).fill(1) } });
  assert.ok(generation(40_000).inputs);
  assert.deepEqual([generation(60_000).inputs, generation(60_000).costCents], [undefined, 4]);
});

test('reading ten thousand models takes about ten times as long as a thousand', async () => {
  const models = Array.from({ length: 10_000 }, (_, index) => ({
    id: `provider${index % 20}/family${index % 200}/model-${index}`,
    name: `Model ${index}`,
    description: 'A model that makes pictures of things, in the style of other things, at a price.',
    type: 'text-to-image',
    output: { type: 'image' },
    tags: ['fast', 'new'],
  }));
  const some = models.slice(0, 1000);
  assert.equal((await readModels({ models }, turns)).items.length, 10_000);
  const inProportion = await growsInProportionInTurns(
    () => readModels({ models: some }, turns),
    () => readModels({ models }, turns),
  );
  assert.ok(inProportion);
});
