import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { suite, test } from 'node:test';
import type { GivenImage } from '../../../src/base/givenImage';
import type { JsonObject } from '../../../src/base/json';
import { systemClock } from '../../../src/base/clock';
import { readFields } from '../../../src/catalog/fieldSchema';
import { recordedInputs } from '../../../src/files/recordedImages';
import type { FileMetadata } from '../../../src/files/provenance';
import { type Images, withImages } from '../../../src/renderFiles/givenFiles';
import { checkModels } from '../../../src/renderFiles/modelCheck';
import { recipeToAdopt, type State, stateProblems, statesOf } from '../../../src/renderFiles/states';
import { changedNames, english, stateSentence } from '../../../src/renderFiles/words';
import { inCmyk, photo as jpegPhoto, png, turned } from '../files/pictures';
import { imagesOf, read, told } from './reading';

const modelId = 'a/b/print';

/** Different images for different names. */
const photo = (name: string) => Buffer.concat([png(), Buffer.from(name)]);

function givenAs(file: string, bytes: Buffer): GivenImage {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { file, sha256, type: 'image/png', bytes: bytes.length };
}

/** What all renders of a file were made from. */
function madeFrom(inputs: JsonObject, isPromptRecorded = true): FileMetadata {
  const provenance = { modelId, ...recordedInputs(inputs, isPromptRecorded) };
  return { record: { provenance, where: 'inside' }, change: 'none' };
}

/** The states of the entries with these inputs, in `site/renders.jsonc`. */
async function states(inputs: JsonObject, made: FileMetadata, images: Images): Promise<readonly State[]> {
  const content = { model: modelId, renders: [{ file: 'print.png', inputs }] };
  const { renders } = await read(content, 'site/renders.jsonc');
  const pictures = { ...images, names: () => Promise.resolve(['print.png']), metadata: () => Promise.resolve(made) };
  return (await statesOf(renders, pictures, systemClock)).map(({ state }) => state);
}

suite('the state of an entry with an image', () => {
  const inputs = { image: '../photos/a.png', palette: 'dusk' };
  const images = imagesOf({ 'photos/a.png': photo('a'), 'site/b.png': photo('a'), 'photos/c.png': photo('c') });

  for (const isPromptRecorded of [true, false])
    test(`is current by the image’s content, ${isPromptRecorded ? 'with' : 'without'} its texts`, async () => {
      const sent = { image: givenAs('elsewhere/photo.png', photo('a')), palette: 'dusk', prompt: 'a print' };
      const made = madeFrom(sent, isPromptRecorded);
      const of = async (image: string) => (await states({ ...inputs, prompt: 'a print', image }, made, images))[0]!;
      assert.equal((await of('../photos/a.png')).state, 'current');
      assert.equal((await of('b.png')).state, 'current', 'the same image elsewhere');
      const other = await of('../photos/c.png');
      assert.ok(other.state === 'stale');
      assert.equal(changedNames(other, english), 'image');
    });

  test('is stale when the image at its path is another now', async () => {
    const made = madeFrom({ ...inputs, image: givenAs('photos/a.png', photo('before')) });
    const { renders } = await read({ model: modelId, renders: [{ file: 'print.png' }] });
    const [state] = await states(inputs, made, images);
    assert.equal(
      stateSentence({ render: renders[0]!, state: state! }, english),
      'site/print.png is out of date: image changed.',
    );
  });

  test('is that of a text where the metadata has a text, such as an address', async () => {
    const address = 'https://example.com/a.png';
    assert.equal((await states({ image: address }, madeFrom({ image: address }), images))[0]!.state, 'current');
    assert.equal((await states(inputs, madeFrom({ ...inputs, image: address }), images))[0]!.state, 'stale');
    const text = { ...inputs, image: '../photos/a.png' };
    assert.equal((await states(text, madeFrom(text), images))[0]!.state, 'current');
  });

  test('is current with the image itself in the file', async () => {
    const image = `data:image/png;base64,${photo('a').toString('base64')}`;
    const made = madeFrom({ image: givenAs('photos/a.png', photo('a')) });
    assert.equal((await states({ image }, made, images))[0]!.state, 'current');
  });

  test('is current once it’s adopted, until the image changes', async () => {
    const { renders } = await read({ model: modelId, renders: [{ file: 'print.png', inputs }] }, 'site/renders.jsonc');
    const render = await withImages(renders[0]!, (input) => input === 'image', images);
    const recipe = recipeToAdopt(render, { tool: 'test', isPromptRecorded: true });
    assert.deepEqual(recipe.inputs.image, givenAs('photos/a.png', photo('a')));
    const made: FileMetadata = { record: { provenance: recipe, where: 'inside' }, change: 'none' };
    assert.equal((await states(inputs, made, images))[0]!.state, 'current');
    assert.equal((await states(inputs, made, imagesOf({ 'photos/a.png': photo('new') })))[0]!.state, 'stale');
  });

  for (const isPromptRecorded of [true, false])
    test(`of a list is current by their content in their order, ${isPromptRecorded ? 'with' : 'without'} its texts`, async () => {
      const [a, c] = [givenAs('photos/a.png', photo('a')), givenAs('elsewhere/c.png', photo('c'))];
      const made = madeFrom({ images: [a, c], prompt: 'a print' }, isPromptRecorded);
      const of = async (...names: string[]) => (await states({ images: names, prompt: 'a print' }, made, images))[0]!;
      assert.equal((await of('../photos/a.png', '../photos/c.png')).state, 'current');
      assert.equal((await of('b.png', '../photos/c.png')).state, 'current', 'the same image elsewhere');
      for (const names of [
        ['../photos/c.png', '../photos/a.png'],
        ['../photos/a.png'],
        ['../photos/a.png', '../photos/c.png', 'b.png'],
        ['../photos/a.png', '../photos/a.png'],
      ]) {
        const other = await of(...names);
        assert.ok(other.state === 'stale', names.join());
        assert.equal(changedNames(other, english), 'images');
      }
    });

  for (const isPromptRecorded of [true, false])
    test(`without its image is an error, also if the model isn’t known${isPromptRecorded ? '' : ', nor its texts'}`, async () => {
      const text = JSON.stringify({
        model: modelId,
        inputs: { image: 'photos/gone.png' },
        renders: [{ file: 'print.png' }, { file: 'other.png', inputs: { image: '/photos/a.png' } }],
      });
      const file = await read(text);
      const made = madeFrom({ image: givenAs('photos/gone.png', photo('a')) }, isPromptRecorded);
      const names = () => Promise.resolve(['print.png', 'other.png']);
      const pictures = { ...images, names, metadata: () => Promise.resolve(made) };
      const check = await stateProblems(file, await statesOf(file.renders, pictures, systemClock), pictures);
      assert.deepEqual(check.states, []);
      assert.deepEqual(told(text, check), [
        '"photos/gone.png": “photos/gone.png” doesn’t exist. Enter the path from this render file’s folder.',
        '"/photos/a.png": “/photos/a.png” is outside the workspace folder. Choose a place inside it.',
      ]);
    });
});

suite('the image of an entry', () => {
  const fields = readFields({
    fields: [
      { name: 'image', type: 'image', required: true, maxBytes: 100_000, accept: 'image/png, image/jpeg' },
      { name: 'note', type: 'string' },
    ],
  })!;
  const files = {
    'site/a.png': photo('a'),
    'site/save.png': photo('save'),
    'site/open.png': photo('open'),
    'site/large.png': Buffer.concat([png(), Buffer.alloc(200_000)]),
    'site/a.gif': Buffer.from('GIF89a, say'),
    'site/text.png': Buffer.from('not an image'),
    'site/cut.png': png().subarray(0, 16),
    'site/turned.jpg': turned(jpegPhoto()),
    'site/print.jpg': inCmyk(jpegPhoto()),
  };
  const reads: string[] = [];
  const images: Images = { given: (file) => (reads.push(file), imagesOf(files).given(file)) };

  async function checked(entries: readonly object[], head: object = {}) {
    const text = JSON.stringify({ model: modelId, ...head, renders: entries });
    const file = await read(text, 'site/renders.jsonc');
    const check = await checkModels(file, () => ({ fields }), images, systemClock);
    const sound = file.renders.filter((render) => !check.unsound.has(render)).map(({ target }) => target);
    return { told: told(text, check), sound };
  }

  test('is a path from the folder of the render file, an address, or what `for` states', async () => {
    const { told: problems, sound } = await checked(
      [
        { file: 'a' },
        { file: 'styled', style: { inputs: { image: 'a.png' } } },
        { file: 'up', inputs: { image: '../site/a.png', note: 'missing.png' } },
        { file: 'web', inputs: { image: 'https://example.com/a.png' } },
        { file: 'icon-{name}', for: { name: ['save', 'open'] }, inputs: { image: '{name}.png' } },
      ],
      { folder: 'art', inputs: { image: 'a.png' } },
    );
    assert.deepEqual(problems, []);
    assert.equal(sound.length, 6);
  });

  test('that can’t be given is an error at its place, with what to do, and isn’t ordered', async () => {
    const { told: problems, sound } = await checked([
      ...['gone.png', '../../a.png', '/a.png', 'a\\b.png', 'text.png', 'a.gif', 'large.png', 'ftp://a/b.png']
        .concat('cut.png', 'turned.jpg', 'print.jpg')
        .map((image, index) => ({ file: `x${index}`, inputs: { image } })),
      { file: 'y-{name}', for: { name: ['save', 'lost', 'gone'] }, inputs: { image: '{name}.png' } },
      { file: 'object', inputs: { image: givenAs('site/a.png', photo('a')) } },
      { file: 'none' },
    ]);
    const next = 'Enter the path from this render file’s folder.';
    assert.deepEqual(problems, [
      `"gone.png": “gone.png” doesn’t exist. ${next}`,
      '"../../a.png": “../../a.png” is outside the workspace folder. Choose a place inside it.',
      '"/a.png": “/a.png” is outside the workspace folder. Choose a place inside it.',
      `"a\\\\b.png": “a\\b.png” doesn’t exist. ${next}`,
      '"text.png": “text.png” isn’t an image. Choose another file.',
      '"a.gif": GIF isn’t supported here. Use PNG, JPEG.',
      '"large.png": 200 kB is over the 100 kB limit. Choose a smaller image.',
      `"ftp://a/b.png": “ftp://a/b.png” doesn’t exist. ${next}`,
      '"cut.png": This image is damaged. Use another file.',
      '"turned.jpg": This photo is stored turned or mirrored, and services may see it that way. Save it upright in an image editor.',
      '"print.jpg": This image has colors for print (CMYK). Save it in RGB in an image editor.',
      `"{name}.png": “lost.png” doesn’t exist. ${next}`,
      `${JSON.stringify(givenAs('site/a.png', photo('a')))}: Choose an image, or enter a URL that starts with https://.`,
      'none: Enter a value for “image”.',
    ]);
    assert.deepEqual(sound, ['site/y-save']);
    assert.ok(
      reads.every((file) => !file.includes('..') && !file.startsWith('/')),
      'nothing outside is read',
    );
  });
});
