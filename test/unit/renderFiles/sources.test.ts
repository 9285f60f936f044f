import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { systemClock } from '../../../src/base/clock';
import type { GivenImage } from '../../../src/base/givenImage';
import type { JsonObject } from '../../../src/base/json';
import { readFields } from '../../../src/catalog/fieldSchema';
import type { FileMetadata } from '../../../src/files/provenance';
import { fixesOf } from '../../../src/renderFiles/fixes';
import { givenPlaces } from '../../../src/renderFiles/givenFiles';
import { checkModels, type KnownModel } from '../../../src/renderFiles/modelCheck';
import { entriesMoved, type Move } from '../../../src/renderFiles/movedEntries';
import { sourceNames, withSources } from '../../../src/renderFiles/sources';
import {
  isToDo,
  isWaiting,
  type ProjectImages,
  sourcesDue,
  stateProblems,
  statesOf,
} from '../../../src/renderFiles/states';
import { english, stateSentence } from '../../../src/renderFiles/words';
import { png } from '../files/pictures';
import { imagesOf, noImages, read, told } from './reading';

/** A model that takes images, and texts. */
const fields = readFields({
  fields: [
    { name: 'prompt', type: 'string' },
    { name: 'mood', type: 'string' },
    { name: 'image', type: 'image', maxBytes: 100_000, accept: 'image/png' },
    { name: 'subject', type: 'image', maxBytes: 100_000, accept: 'image/png' },
    { name: 'images', type: 'array', items: { type: 'image' } },
  ],
})!;

const known = (id: string): KnownModel => (id === 'a/b/verse' ? 'noImages' : { fields });
const unknown = (): KnownModel => undefined;

/** The files of a project by their paths, each with the inputs that it was made from. */
type Files = Readonly<Record<string, { readonly bytes: Buffer; readonly inputs?: JsonObject }>>;

function projectOf(files: Files): ProjectImages {
  const bytes = Object.fromEntries(Object.entries(files).map(([file, one]) => [file, one.bytes]));
  return {
    ...imagesOf(bytes),
    names: (folder) => Promise.resolve(folder === '' ? Object.keys(files) : []),
    metadata: (file) => {
      const { inputs } = files[file] ?? {};
      const made: FileMetadata | undefined = inputs && {
        record: { provenance: { modelId: 'a/b/c', inputs }, where: 'inside' },
        change: 'none',
      };
      return Promise.resolve(made);
    },
  };
}

interface Looked {
  readonly problems: readonly string[];
  readonly states: readonly string[];
  readonly toDo: readonly string[];
  readonly waiting: readonly string[];
}

/** What is said of a render file with these entries, and what can be rendered. */
async function looked(content: object, files: Files = {}, modelOf = known): Promise<Looked> {
  const text = JSON.stringify({ model: 'a/b/c', ...content });
  const project = projectOf(files);
  const file = await withSources(await read(text), modelOf, project, systemClock);
  const check = await checkModels(file, modelOf, project, systemClock);
  const found = await stateProblems(file, await statesOf(file.renders, project, systemClock), project);
  const states = found.states.filter(({ render }) => !check.unsound.has(render));
  return {
    problems: [file, check, found].flatMap((one) => told(text, one)),
    states: states.map((one) => stateSentence(one, english) ?? `${one.render.target} is current.`),
    toDo: states.filter(isToDo).map(({ render }) => render.target),
    waiting: states.filter(isWaiting).map(({ render }) => render.target),
  };
}

const fox = { file: 'fox.png', inputs: { prompt: 'a fox' } };
const den = { file: 'den.png', inputs: { prompt: 'its den', images: ['[fox]'] } };
const tale = { file: 'tale.png', inputs: { prompt: 'a tale', image: '[den.png]' } };

/** An image as metadata records it. */
async function givenAs(file: string, bytes: Buffer): Promise<GivenImage> {
  const given = await imagesOf({ [file]: bytes }).given(file);
  assert.ok('image' in given);
  return given.image;
}

/** The project once all three are rendered, one after the other. */
async function rendered(bytes = png(1)): Promise<Files> {
  return {
    'fox.png': { bytes, inputs: { prompt: 'a fox' } },
    'den.png': { bytes: png(2), inputs: { prompt: 'its den', images: [await givenAs('fox.png', png(1))] } },
    'tale.png': { bytes: png(3), inputs: { prompt: 'a tale', image: await givenAs('den.png', png(2)) } },
  };
}

suite('an entry that names another’s image', () => {
  test('waits for it while that is missing, and so does what is made from both', async () => {
    const { problems, states, toDo, waiting } = await looked({ renders: [tale, den, fox] });
    assert.deepEqual(problems, []);
    assert.deepEqual(states, [
      'tale.png is missing. First render what it’s made from: den.png.',
      'den.png is missing. First render what it’s made from: fox.',
      'fox.png is missing.',
    ]);
    assert.deepEqual([toDo, waiting], [['fox.png'], ['tale.png', 'den.png']]);
  });

  test('can be rendered as soon as that image is current', async () => {
    const { 'fox.png': made } = await rendered();
    const { toDo, waiting } = await looked({ renders: [fox, den, tale] }, { 'fox.png': made! });
    assert.deepEqual([toDo, waiting], [['den.png'], ['tale.png']]);
  });

  for (const [which, modelOf] of Object.entries({ known, unknown }))
    test(`is current by the bytes of that image, with a model that is ${which}`, async () => {
      const { problems, states } = await looked({ renders: [fox, den, tale] }, await rendered(), modelOf);
      assert.deepEqual(
        [problems, states],
        [[], ['fox.png is current.', 'den.png is current.', 'tale.png is current.']],
      );
    });

  test('is out of date with it, and says why, without a change of its own', async () => {
    const { problems, states, toDo } = await looked(
      { renders: [{ ...fox, inputs: { prompt: 'a red fox' } }, den, tale] },
      await rendered(),
    );
    assert.deepEqual(problems, []);
    assert.deepEqual(states, [
      'fox.png is out of date: prompt changed.',
      'den.png is out of date, since what it’s made from is. First render what it’s made from: fox.',
      'tale.png is out of date, since what it’s made from is. First render what it’s made from: den.png.',
    ]);
    assert.deepEqual(toDo, ['fox.png']);
  });

  test('is out of date once that image is another, whoever changed it, and so is what comes after', async () => {
    const { states, toDo } = await looked({ renders: [fox, den, tale] }, await rendered(png(9)));
    assert.deepEqual(states, [
      'fox.png is current.',
      'den.png is out of date: images changed.',
      'tale.png is out of date, since what it’s made from is. First render what it’s made from: den.png.',
    ]);
    assert.deepEqual(toDo, ['den.png']);
  });

  test('stays out of date while that image is gone, which is no error', async () => {
    const { 'den.png': made } = await rendered();
    const { problems, states } = await looked({ renders: [fox, den] }, { 'den.png': made! });
    assert.deepEqual(problems, []);
    assert.deepEqual(states, [
      'fox.png is missing.',
      'den.png is out of date: images changed. First render what it’s made from: fox.',
    ]);
  });

  test('gets the image with whichever file extension it has, unlike a path', async () => {
    const files = await rendered();
    const bare = { ...fox, file: 'fox' };
    const { states } = await looked({ renders: [bare, den, tale] }, files);
    assert.deepEqual(states, ['fox is current.', 'den.png is current.', 'tale.png is current.']);
    const { problems } = await looked({ renders: [{ file: 'map.png', inputs: { images: ['./[fox]'] } }, bare] }, files);
    assert.deepEqual(problems, ['"./[fox]": “./[fox]” doesn’t exist. Enter the path from this render file’s folder.']);
  });

  test('of an entry with variables names the image of one combination, also by its own variables', async () => {
    const foxes = { file: 'fox-{n}.png', for: { n: ['a', 'b'] }, inputs: { prompt: 'a fox' } };
    const dens = { file: 'den-{n}.png', for: { n: ['a', 'b'] }, inputs: { image: '[fox-{n}]' } };
    const made = { 'fox-a.png': { bytes: png(1), inputs: { prompt: 'a fox' } } };
    const { problems, toDo, waiting } = await looked({ renders: [foxes, dens] }, made);
    assert.deepEqual(problems, []);
    assert.deepEqual([toDo, waiting], [['fox-b.png', 'den-a.png'], ['den-b.png']]);
    const all = await looked({ renders: [foxes, { file: 'den.png', inputs: { image: '[fox-{n}]' } }] });
    assert.deepEqual(all.problems, [
      '"[fox-{n}]": No entry has the file “fox-{n}”. Files that you can name: fox-a, fox-b.',
    ]);
  });

  test('names it below the folder of the file, as entries do', async () => {
    const { problems, waiting } = await looked({
      folder: 'art',
      renders: [
        { ...fox, file: 'wood/fox.png' },
        { ...den, inputs: { image: '[wood/fox]' } },
      ],
    });
    assert.deepEqual([problems, waiting], [[], ['art/den.png']]);
  });

  test('doesn’t do so with a text, whatever it says', async () => {
    const inputs = { prompt: '[fox]', mood: '[fox]' };
    const content = { renders: [fox, { file: 'den.png', inputs }, { file: 'own.png', inputs: { mood: '[own]' } }] };
    const { problems, waiting } = await looked(content);
    assert.deepEqual([problems, waiting], [[], []]);
    const offline = await looked(
      { renders: [{ file: 'den.png', inputs: { mood: '[calm]', prompt: '[den]' } }] },
      {},
      unknown,
    );
    assert.deepEqual([offline.problems, offline.waiting], [[], []]);
  });

  test('does so without a model, too, in an input that isn’t called an image', async () => {
    const files = await rendered();
    const subject = { file: 'den.png', inputs: { subject: '[fox]' } };
    const made = { ...files, 'den.png': { bytes: png(2), inputs: { subject: await givenAs('fox.png', png(1)) } } };
    for (const modelOf of [known, unknown])
      assert.deepEqual((await looked({ renders: [fox, subject] }, made, modelOf)).states, [
        'fox.png is current.',
        'den.png is current.',
      ]);
  });

  test('has its image checked like any other', async () => {
    const large = {
      ...(await rendered()),
      'fox.png': { bytes: Buffer.concat([png(), Buffer.alloc(200_000)]), inputs: { prompt: 'a fox' } },
    };
    const { problems } = await looked({ renders: [fox, { file: 'den.png', inputs: { image: '[fox]' } }] }, large);
    assert.equal(problems.length, 1);
    assert.match(problems[0]!, /^"\[fox\]": .*100/);
  });
});

suite('a name that can’t be a source', () => {
  for (const [which, modelOf] of Object.entries({ known, unknown }))
    test(`is marked if no entry has it, with those that can be named, and a model that is ${which}`, async () => {
      const { problems, states } = await looked(
        { renders: [fox, { ...den, inputs: { images: ['[fix]'] } }] },
        {},
        modelOf,
      );
      assert.deepEqual(problems, ['"[fix]": No entry has the file “fix”. Files that you can name: fox.']);
      assert.deepEqual(states, ['fox.png is missing.'], 'what has it can’t be rendered');
    });

  test('is marked if there’s no other entry, or several with other file extensions', async () => {
    assert.deepEqual((await looked({ renders: [{ ...den, inputs: { image: '[../fox]' } }] })).problems, [
      '"[../fox]": No other entry has the file “../fox”. Add one, or enter the path of an image.',
    ]);
    const photo = { ...fox, file: 'fox.jpg' };
    assert.deepEqual((await looked({ renders: [fox, photo, den] })).problems, [
      '"[fox]": Several entries have the file “fox”. Name one of these: fox.png, fox.jpg.',
    ]);
    const exact = await looked({ renders: [fox, photo, { ...den, inputs: { image: '[fox.jpg]' } }] });
    assert.deepEqual([exact.problems, exact.waiting], [[], ['den.png']]);
  });

  test('is marked if its entry has errors, as is whatever comes after', async () => {
    const { problems, states } = await looked({ renders: [{ ...fox, style: 'none' }, den, tale] });
    assert.deepEqual(problems, [
      '"none": This file has no style “none”.',
      '"[fox]": The entry of “fox” has errors. Fix it first.',
      '"[den.png]": The entry of “den.png” has errors. Fix it first.',
    ]);
    assert.deepEqual(states, []);
  });

  test('is marked if its model makes no images', async () => {
    const { problems } = await looked({ renders: [{ ...fox, model: 'a/b/verse' }, den] });
    assert.deepEqual(problems, [
      '"[fox]": The model of “fox” doesn’t generate images. Name another entry.',
      'a/b/verse: “a/b/verse” doesn’t generate images. Choose another model.',
    ]);
  });

  test('is marked in a circle, by itself or of several, where each names the next', async () => {
    const own = await looked({ renders: [{ ...fox, inputs: { image: '[fox]' } }] });
    assert.deepEqual(own.problems, ['"[fox]": These images need each other: fox → fox. Remove one of the names.']);
    const round = { ...fox, inputs: { image: '[tale]' } };
    const { problems, states } = await looked({
      renders: [round, den, tale, { file: 'map.png', inputs: { image: '[den]' } }],
    });
    assert.deepEqual(problems, [
      '"[tale]": These images need each other: fox → tale → den → fox. Remove one of the names.',
      '"[den.png]": These images need each other: tale → den → fox → tale. Remove one of the names.',
      '"[fox]": These images need each other: den → fox → tale → den. Remove one of the names.',
      '"[den]": The entry of “den” has errors. Fix it first.',
    ]);
    assert.deepEqual(states, []);
  });

  test('becomes the closest one that can be named', async () => {
    const text = JSON.stringify({ model: 'a/b/c', renders: [fox, { ...den, inputs: { images: ['[dem]', '[fo]'] } }] });
    const file = await withSources(await read(text), known, projectOf({}), systemClock);
    const models = { fields: () => Promise.resolve([]), ids: () => Promise.resolve([]) };
    const fixes = await Promise.all(file.problems.map((problem) => fixesOf(problem, text, file, models)));
    assert.deepEqual(
      fixes.map((all) => all.map((fix) => [text.slice(fix.start, fix.end), fix.text])),
      [[['"[dem]"', '"[fox]"']], [['"[fo]"', '"[fox]"']]],
    );
  });

  test('is found in a file of thousands of entries that all need each other', async () => {
    const renders = Array.from({ length: 2000 }, (_, index) => ({
      file: `f${index}`,
      inputs: { images: [`[f${(index + 1) % 2000}]`, '[f0]'] },
    }));
    const { problems, states } = await looked({ renders });
    assert.deepEqual([problems.length, states], [1000, []]);
  });
});

test('in a chain of thousands of entries, all wait but the first', async () => {
  const renders = Array.from({ length: 2000 }, (_, index) => ({
    file: `f${index}`,
    inputs: index > 0 ? { image: `[f${index - 1}]` } : {},
  }));
  const { toDo, waiting } = await looked({ renders: renders.toReversed() });
  assert.deepEqual([toDo, waiting.length], [['f0'], 1999]);
});

test('the images to render first are all that an image needs, the nearest first', async () => {
  const text = JSON.stringify({ model: 'a/b/c', renders: [fox, den, tale, { file: 'map.png', inputs: {} }] });
  const project = projectOf({});
  const { renders } = await withSources(await read(text), known, project, systemClock);
  const all = await statesOf(renders, project, systemClock);
  const first = sourcesDue(
    all.filter(({ render }) => render.target === 'tale.png'),
    all,
  );
  assert.deepEqual(
    first.map(({ render }) => render.target),
    ['den.png', 'fox.png'],
  );
});

test('names have a file extension only where they need one, and none is the entry’s own', async () => {
  const renders = ['fox.png', 'fox.jpg', 'den.png', 'sea', 'odd[1].png', 'wood/owl.png'].map((file) => ({ file }));
  const file = await read({ model: 'a/b/c', folder: 'art', renders });
  assert.deepEqual(sourceNames(file, 2), ['fox.png', 'fox.jpg', 'sea', 'wood/owl']);
});

test('a name leads to the image that it stands for', async () => {
  const text = JSON.stringify({ model: 'a/b/c', renders: [fox, den] });
  const file = await withSources(await read(text), known, projectOf(await rendered()), systemClock);
  assert.deepEqual(
    givenPlaces(file).map(({ text: name, paths }) => [name, paths]),
    [['[fox]', ['fox.png']]],
  );
});

/** The texts of inputs after these moves. */
async function inputsAfter(renders: readonly object[], moves: readonly Move[]): Promise<unknown[]> {
  const text = JSON.stringify({ model: 'a/b/c', folder: 'art', renders });
  const file = await withSources(await read(text), known, { ...projectOf({}), ...noImages }, systemClock);
  const changed = [...entriesMoved(file, moves)]
    .reverse()
    .reduce((rest, { start, end, text: fresh }) => rest.slice(0, start) + fresh + rest.slice(end), text);
  return (JSON.parse(changed) as { renders: { file: string; inputs: JsonObject }[] }).renders.map(
    ({ file, inputs }) => [file, inputs.image],
  );
}

test('a name follows the image that it stands for, with a file extension only if it had one', async () => {
  const renders = [
    { file: 'fox.png', inputs: {} },
    { file: 'den.png', inputs: { image: '[fox]' } },
    { file: 'map.png', inputs: { image: '[fox.png]' } },
    { file: 'owl.png', inputs: { image: '[den]' } },
  ];
  assert.deepEqual(await inputsAfter(renders, [{ from: 'art/fox.png', to: 'art/wood/red fox.png' }]), [
    ['wood/red fox.png', undefined],
    ['den.png', '[wood/red fox]'],
    ['map.png', '[wood/red fox.png]'],
    ['owl.png', '[den]'],
  ]);
});
