import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  checkField,
  checkSentInput,
  chosenValue,
  checkInputs,
  type Choice,
  type Field,
  type FieldIssue,
  type FieldKind,
  type FieldValue,
  initialValues,
  inputsOf,
  promptOf,
  valuesFrom,
} from '../../../src/catalog/fields';
import type { Json, JsonObject } from '../../../src/base/json';

function field(kind: FieldKind, facts: Partial<Field> = {}): Field {
  return { name: 'x', label: 'X', kind, statedType: kind, required: false, ...facts };
}

const ratios: readonly Choice[] = [
  { value: '1:1', label: 'Square' },
  { value: '21:9', label: 'Wide' },
];

const image = { file: 'a.png', sha256: 'ab'.repeat(32), type: 'image/png', bytes: 1000 };
const picture = (facts: Partial<Field> = {}) =>
  field('image', { image: { types: ['image/png', 'image/webp'], maxBytes: 1000 }, ...facts });
const parts = (facts: Partial<Field> = {}) =>
  field('choices', { choices: ['a', 'b', 'c'].map((value) => ({ value, label: value })), ...facts });
const several = (facts: Partial<Field> = {}) =>
  field('image', { image: { isList: true, types: ['image/png', 'image/webp'], maxBytes: 1000 }, ...facts });
const other = { ...image, file: 'b.png', sha256: 'cd'.repeat(32) };
const noImage = { code: 'notAnImage' } as const;

const checks: readonly [what: string, field: Field, value: FieldValue, issue: FieldIssue | undefined][] = [
  ['an empty optional text', field('text'), '', undefined],
  ['an empty required text', field('text', { required: true }), '', { code: 'required' }],
  ['a blank required text', field('longText', { required: true }), ' \n', { code: 'required' }],
  ['a text as long as allowed', field('text', { maxLength: 3 }), 'a😀b', undefined],
  ['a text too long', field('text', { maxLength: 3 }), 'abcd', { code: 'tooLong', length: 4, maxLength: 3 }],
  ['a word for a number', field('number'), 'ten', { code: 'notANumber' }],
  ['a hexadecimal number', field('number'), '0x10', { code: 'notANumber' }],
  ['a number that is not finite', field('number'), '1e999', { code: 'notANumber' }],
  ['NaN', field('number'), NaN, { code: 'notANumber' }],
  ['yes for a number', field('number'), true, { code: 'notANumber' }],
  ['a number half typed', field('number'), '1.', undefined],
  ['a number without its zero', field('number'), '-.5', undefined],
  ['a required number left out', field('number', { required: true }), ' ', { code: 'required' }],
  ['zero for a required number', field('number', { required: true }), 0, undefined],
  ['a fraction for an integer', field('integer'), '1.5', { code: 'notAnInteger' }],
  ['an integer that cannot be told from its neighbour', field('integer'), '9007199254740993', { code: 'notAnInteger' }],
  ['a seed', field('seed'), '4294967295', undefined],
  ['a fraction for a seed', field('seed'), 0.5, { code: 'notAnInteger' }],
  ['a number below its minimum', field('number', { minimum: 0 }), '-1', { code: 'tooSmall', minimum: 0 }],
  ['a number above its maximum', field('number', { maximum: 10 }), '10.01', { code: 'tooLarge', maximum: 10 }],
  ['a bound itself', field('number', { minimum: 1, maximum: 1 }), '1', undefined],
  ['a number between steps', field('number', { step: 0.1 }), '0.25', { code: 'notAStep', step: 0.1 }],
  ['three tenths in steps of a tenth', field('number', { step: 0.1 }), '0.3', undefined],
  ['a step counted from the minimum', field('integer', { minimum: 1, step: 2 }), '3', undefined],
  ['a step counted from zero', field('integer', { minimum: 1, step: 2 }), '4', undefined],
  ['a choice', field('choice', { choices: ratios }), '21:9', undefined],
  ['none of the choices', field('choice', { choices: ratios }), '4:3', { code: 'notAChoice', values: ['1:1', '21:9'] }],
  ['no choice where one is required', field('choice', { choices: ratios, required: true }), '', { code: 'required' }],
  [
    'an empty choice that is on the list',
    field('choice', { choices: [{ value: '', label: 'None' }], required: true }),
    '',
    undefined,
  ],
  ['a number chosen as a browser gives it', field('choice', { choices: [{ value: 2, label: '2' }] }), '2', undefined],
  ['a yes', field('boolean', { required: true }), false, undefined],
  ['a yes/no left out', field('boolean', { required: true }), '', { code: 'required' }],
  ['a word for a yes/no', field('boolean'), 'maybe', { code: 'notYesOrNo' }],
  ['any text for a type we do not know', field('json'), '{', undefined],
  ['JSON', field('json'), { json: '{"a":[1]}' }, undefined],
  [
    'a number in JSON that would become its neighbor',
    field('json'),
    { json: '[9007199254740993]' },
    { code: 'tooManyDigits' },
  ],
  ['a number in JSON without end', field('json'), { json: '{"a":1e999}' }, { code: 'tooManyDigits' }],
  ['large numbers in JSON that stay', field('json'), { json: '[1e300, 100000000000000000000, 0.1]' }, undefined],
  ['digits in a text of JSON', field('json'), { json: '"\\"9007199254740993"' }, undefined],
  ['JSON half typed', field('json'), { json: '{"a":' }, { code: 'invalidJson' }],
  ['an image as large as allowed', picture(), { images: [image] }, undefined],
  [
    'an image too large',
    picture(),
    { images: [{ ...image, bytes: 1001 }] },
    { code: 'imageTooLarge', bytes: 1001, maxBytes: 1000 },
  ],
  [
    'an image of a format not taken',
    picture(),
    { images: [{ ...image, type: 'image/gif' }] },
    { code: 'imageType', type: 'image/gif', types: ['image/png', 'image/webp'] },
  ],
  ['the address of an image', picture(), 'https://images.example/a.png', undefined],
  ['a word for an image', picture(), 'a.png', { code: 'notAnImage' }],
  ['an image left out', picture(), '', undefined],
  ['a required image left out', picture({ required: true }), '', { code: 'required' }],
  ['an image for a text', field('text'), { images: [image] }, noImage],
  ['two images for one', picture(), { images: [image, other] }, { code: 'tooMany', maximum: 1 }],
  ['several images by their URLs', several(), 'https://a.example/a.png\nhttps://a.example/b.png', undefined],
  ['several given images and a URL', several(), { images: [image, 'https://a.example/a.png', other] }, undefined],
  ['as many images as allowed', several({ maximum: 2 }), { images: [image, other] }, undefined],
  ['too many images', several({ maximum: 1 }), { images: [image, other] }, { code: 'tooMany', maximum: 1 }],
  ['too few images', several({ minimum: 2 }), { images: [image] }, { code: 'tooFew', minimum: 2 }],
  [
    'the same image twice, under another name',
    several(),
    { images: [image, other, { ...image, file: 'c.png' }] },
    { code: 'sameImage', number: 3, first: 1 },
  ],
  [
    'one of several too large',
    several(),
    { images: [image, { ...other, bytes: 1001 }] },
    { code: 'imageTooLarge', bytes: 1001, maxBytes: 1000 },
  ],
  ['several images with spaces between', several(), ' https://a.example/a.png  data:image/png;base64,AA== ', undefined],
  ['a path among several images', several(), 'https://a.example/a.png\na.png', noImage],
  ['a list that is a word', several(), 'a.png', noImage],
  ['a list that isn’t one of texts', several(), { json: '[1]' }, noImage],
  ['several images left out', several(), '', undefined],
  ['several required images left out', several({ required: true }), '', { code: 'required' }],
  ['several of the choices', parts(), { json: '["a","c"]' }, undefined],
  ['a color by name, which some services take', field('color'), 'rebeccapurple', undefined],
  ['none of several choices', parts({ required: true }), { json: '[]' }, { code: 'required' }],
  ['too few choices', parts({ minimum: 2 }), { json: '["a"]' }, { code: 'tooFew', minimum: 2 }],
  ['too many choices', parts({ maximum: 1 }), { json: '["a","b"]' }, { code: 'tooMany', maximum: 1 }],
  ['another value among choices', parts(), { json: '["a","x"]' }, { code: 'notAChoice', values: ['a', 'b', 'c'] }],
  ['a word for several choices', parts(), 'a', { code: 'notAChoice', values: ['a', 'b', 'c'] }],
  ['empty JSON where a value is required', field('json', { required: true }), { json: ' ' }, { code: 'required' }],
];

for (const [what, of, value, issue] of checks) {
  test(`${what} ${issue ? `is invalid: ${issue.code}` : 'is valid'}`, () =>
    assert.deepEqual(checkField(of, value), issue));
}

const hostile = [
  field('text', { name: '__proto__', required: true }),
  field('integer', { name: 'constructor' }),
  field('choice', { name: 'ratio', choices: ratios, default: '1:1' }),
];

test('a field may be called __proto__: its value arrives at the service as typed', () => {
  const inputs = inputsOf(hostile, [
    ['__proto__', 'a cat'],
    ['constructor', '7'],
  ]);
  assert.equal(JSON.stringify(inputs), '{"__proto__":"a cat","constructor":7}');
  assert.equal(Object.getPrototypeOf(inputs), Object.prototype);
  assert.deepEqual(valuesFrom(hostile, inputs), [
    ['__proto__', 'a cat'],
    ['constructor', '7'],
    ['ratio', ''],
  ]);
});

test('a field named like a method of objects isn’t found if it wasn’t given', () => {
  assert.deepEqual(valuesFrom(hostile, {}), [
    ['__proto__', ''],
    ['constructor', ''],
    ['ratio', ''],
  ]);
});

test('every field with a problem is named, in the order of the form', () => {
  assert.deepEqual(
    checkInputs(hostile, [
      ['ratio', '9:16'],
      ['constructor', 'x'],
    ]),
    [
      ['__proto__', { code: 'required' }],
      ['constructor', { code: 'notANumber' }],
      ['ratio', { code: 'notAChoice', values: ['1:1', '21:9'] }],
    ],
  );
});

test('fields left out of the form are left out of the request, and values have the type of their field', () => {
  const fields = [
    field('longText', { name: 'prompt', required: true }),
    field('text', { name: 'negative' }),
    field('number', { name: 'strength' }),
    field('integer', { name: 'steps' }),
    field('boolean', { name: 'tile' }),
    field('choice', { name: 'count', choices: [{ value: 4, label: 'four' }] }),
    field('json', { name: 'style' }),
    field('json', { name: 'mask' }),
    field('seed', { name: 'seed' }),
  ];
  const inputs = inputsOf(fields, [
    ['prompt', '  a fox \n'],
    ['negative', ''],
    ['strength', ' 0.5 '],
    ['steps', 20],
    ['tile', false],
    ['count', '4'],
    ['style', '{not json, just a text'],
    ['mask', { json: '[1, {"a": null}]' }],
    ['seed', ''],
    ['unknown', 'dropped'],
  ]);
  assert.deepEqual(inputs, {
    prompt: '  a fox \n',
    strength: 0.5,
    steps: 20,
    tile: false,
    count: 4,
    style: '{not json, just a text',
    mask: [1, { a: null }],
  });
});

test('a new form has the defaults of options and Booleans selected, and shows the others as hints', () => {
  const fields = [
    field('text', { name: 'a', default: 'hint' }),
    field('text', { name: 'b', default: 'kept', required: true }),
    field('choice', { name: 'c', choices: ratios, default: '21:9' }),
    field('choice', { name: 'd', choices: ratios, default: 'not on the list' }),
    field('boolean', { name: 'e', default: true }),
    field('boolean', { name: 'f', default: 'wrong type' }),
    field('number', { name: 'g', default: 3, required: true }),
    field('json', { name: 'h', default: { deep: [1] }, required: true }),
  ];
  assert.deepEqual(initialValues(fields), [
    ['a', ''],
    ['b', 'kept'],
    ['c', '21:9'],
    ['d', ''],
    ['e', true],
    ['f', ''],
    ['g', '3'],
    ['h', { json: '{\n  "deep": [\n    1\n  ]\n}' }],
  ]);
});

test('inputs sent before come back the same through the form', () => {
  const fields = [
    field('text', { name: 'text' }),
    field('number', { name: 'number' }),
    field('boolean', { name: 'boolean' }),
    field('choice', { name: 'choice', choices: ratios }),
    field('json', { name: 'json' }),
  ];
  const inputs = fc.record(
    {
      text: fc.string({ minLength: 1 }),
      number: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
      boolean: fc.boolean(),
      choice: fc.constantFrom('1:1', '21:9'),
      json: fc.jsonValue().filter((value) => value !== '' && value !== null && !JSON.stringify(value).includes('-0')),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(inputs, (sent) => {
      const text = JSON.stringify(sent);
      const again = inputsOf(fields, valuesFrom(fields, JSON.parse(text) as JsonObject));
      assert.deepEqual(again, JSON.parse(text));
    }),
  );
});

test('inputs that are sent as they are have images where a field takes them, never a path', () => {
  const base64 = picture({ image: { types: ['image/png'], maxBytes: 1000, base64: true } });
  const given: readonly (readonly [field: Field, input: Json | undefined, code: string | undefined])[] = [
    [picture(), 'https://images.example/a.png', undefined],
    [picture(), image, undefined],
    [picture(), 'photos/a.png', 'notAnImage'],
    [picture(), ['https://images.example/a.png'], 'notAnImage'],
    [picture({ required: true }), undefined, undefined],
    [base64, 'iVBORw0KGgo'.repeat(8), undefined],
    [base64, 'photos/a.png', 'notAnImage'],
    [base64, 'photos/a', 'notAnImage'],
    [several(), ['https://images.example/a.png'], undefined],
    [several(), ['https://images.example/a.png', 'photos/a.png'], 'notAnImage'],
    [several(), 'photos/a.png', 'notAnImage'],
    [several(), [image, 'https://images.example/a.png'], undefined],
    [several(), { image: 'photos/a.png' }, 'notAnImage'],
    [several(), [['https://images.example/a.png']], 'notAnImage'],
    [several({ required: true }), [], undefined],
    [field('json'), ['photos/a.png'], 'isPath'],
    [field('text'), 'photos/a.png', undefined],
  ];
  for (const [of, input, code] of given)
    assert.equal(checkSentInput(of, input)?.code, code, `${of.kind}: ${JSON.stringify(input)}`);
});

const paths = [
  ...[
    './a.png',
    '../a',
    '.\\a',
    '~/a',
    'images/fox.png',
    'my images/red fox.jpg',
    'images\\fox.webp',
    'fox.png',
    ' a.png ',
  ],
  ...[
    'C:\\Users\\me\\fox',
    'c:/fox.png',
    '\\\\server\\fox',
    'file:///home/me/fox.png',
    'FILE:///fox',
    '/home/me/fox.gif',
  ],
];
const words = [
  ...[
    'black/white',
    'a fox',
    'and/or',
    'image/png',
    '16:9',
    'a 1/2 of it...',
    '1.5',
    'draw fox.png',
    'https://a.example/a.png',
  ],
  ...[
    'data:image/png;base64,AA==',
    '/9j/4AAQSkZJRg==',
    's3://bucket/a.png',
    'team/model.safetensors',
    'a/b/c',
    '',
    '.',
  ],
  `${'word '.repeat(300)}/a.png`,
];

test('a path in a field that isn’t understood is refused wherever it stands, and words with a slash aren’t', () => {
  const ways: readonly ((text: string) => Json)[] = [
    (text) => text,
    (text) => [text],
    (text) => ['a', [{ b: [text] }]],
    (text) => ({ __proto__: null, a: { b: text } }),
    (text) => JSON.stringify([text]),
  ];
  for (const way of ways) {
    for (const path of paths) {
      assert.deepEqual(checkSentInput(field('json'), way(path)), { code: 'isPath', path }, path);
      assert.deepEqual(checkField(field('json'), { json: JSON.stringify(way(path)) }), { code: 'isPath', path }, path);
    }
    for (const word of words) {
      assert.equal(checkSentInput(field('json'), way(word)), undefined, word);
      assert.equal(checkField(field('json'), { json: JSON.stringify(way(word)) }), undefined, word);
    }
  }
  for (const path of paths) assert.deepEqual(checkField(field('json'), path), { code: 'isPath', path });
});

test('a path that the service itself states for a field can be sent', () => {
  const stated = field('json', { default: ['styles/plain.png'], objects: [{ style: 'styles/bold.png' }] });
  assert.equal(checkSentInput(stated, ['styles/plain.png']), undefined);
  assert.equal(checkSentInput(stated, { style: 'styles/bold.png' }), undefined);
  assert.deepEqual(checkSentInput(stated, ['styles/plain.png', 'styles/mine.png']), {
    code: 'isPath',
    path: 'styles/mine.png',
  });
});

test('a value that is nested very deeply is checked for paths too', () => {
  const json = `${'['.repeat(50_000)}"a.png"${']'.repeat(50_000)}`;
  assert.deepEqual(checkField(field('json'), { json }), { code: 'isPath', path: 'a.png' });
});

test('chosen options are sent in the order of the model, and none are left out unless its default would apply', () => {
  const sent = (of: Field, ...chosen: string[]) => inputsOf([of], [['x', chosenValue(of, new Set(chosen))]]);
  assert.deepEqual(sent(parts(), 'c', 'a'), { x: ['a', 'c'] });
  assert.deepEqual(sent(parts()), {});
  assert.deepEqual(sent(parts({ default: ['b'] })), { x: [] });
  assert.deepEqual(inputsOf([parts({ default: ['b'] })], initialValues([parts({ default: ['b'] })])), { x: ['b'] });
  assert.deepEqual(inputsOf([parts()], valuesFrom([parts()], { x: ['c', 'gone'] })), { x: ['c'] });
});

test('a list of images is sent as it was given, and left out if there is none', () => {
  const fields = [several({ name: 'a' }), several({ name: 'b' }), several({ name: 'c' })];
  const inputs = { a: ['https://images.example/a.png', 'https://images.example/b.png'], c: [other, image] };
  assert.deepEqual(inputsOf(fields, valuesFrom(fields, inputs)), inputs);
});

test('a list of more images than a page can show stays as JSON, and is checked in proportion to its length', () => {
  const urls = (count: number) => Array.from({ length: count }, (_, n) => `https://images.example/${n}.png`);
  const [, many] = valuesFrom([several()], { x: urls(100_000) })[0]!;
  assert.ok(typeof many === 'object' && 'json' in many);
  assert.equal(checkField(several(), many)?.code, 'notAnImage');
  const [, few] = valuesFrom([several()], { x: urls(200) })[0]!;
  assert.equal(checkField(several(), few), undefined);
  assert.equal(checkField(several(), urls(100_000).join('\n')), undefined);
});

test('an image is an input by its hash, and an address as typed', () => {
  const fields = [picture({ name: 'a' }), picture({ name: 'b' })];
  const values: readonly [string, FieldValue][] = [
    ['a', { images: [image] }],
    ['b', ' https://images.example/b.png '],
  ];
  const inputs = inputsOf(fields, values);
  assert.deepEqual(inputs, { a: image, b: 'https://images.example/b.png' });
  assert.deepEqual(valuesFrom(fields, inputs), [
    ['a', { images: [image] }],
    ['b', 'https://images.example/b.png'],
  ]);
});

const summary = { id: 'a/b/c', provider: 'a', family: 'b', name: 'c', title: 'C', kind: 'image' } as const;

test('the prompt is the field of that name, else the first long text, else the first text', () => {
  const fields = [field('text', { name: 'title' }), field('longText', { name: 'story' })];
  assert.equal(promptOf({ ...summary, fields }, { title: 'T', story: 'S', prompt: 'P' }), 'P');
  assert.equal(promptOf({ ...summary, fields }, { title: 'T', story: 'S' }), 'S');
  assert.equal(promptOf({ ...summary, fields }, { title: 'T', story: ' ' }), 'T');
  assert.equal(promptOf(undefined, { steps: 3, message: 'M' }), 'M');
  assert.equal(promptOf(summary, { steps: 3 }), '');
});
