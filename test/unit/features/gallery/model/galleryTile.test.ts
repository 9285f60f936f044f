import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tileOf, type TileDeps } from '../../../../../src/features/gallery/model/galleryConversation';
import { isOfProject, type LibraryEntry } from '../../../../../src/renders/library';
import { isInside } from '../../../../../src/files/sameFile';
import type { RenderRecord } from '../../../../../src/renders/record';

const world: TileDeps = {
  nameOf: (modelId) => `Name of ${modelId}`,
  waiting: ({ record }) => record?.spooled && `spool:${record.spooled.name}`,
  standing: ({ state }) => state ?? '',
  story: () => 'what happened',
  price: ({ costCents }) => (costCents === undefined ? undefined : String(costCents)),
  spokenPrice: ({ costCents }) => (costCents === undefined ? undefined : `${costCents} cents`),
  address: (file) => `webview:${file}`,
  thumbnail: () => undefined,
  given: ({ sha256 }) => `given:${sha256}`,
};

function entry(part: Partial<LibraryEntry>, root?: string): LibraryEntry {
  const record = { agent: 'Codex\n1', target: { root, folder: 'renders', fileName: '' } } as unknown as RenderRecord;
  return {
    id: 'a',
    group: 'finished',
    state: 'saved',
    modelId: 'p/f/m',
    inputs: { prompt: 'a\nfox' },
    record,
    ...part,
  };
}

test('a saved image is shown from its file, with the gallery’s actions', () => {
  const file = 'file:///project/renders/a%20fox.png';
  const tile = tileOf(entry({ file, mediaType: 'image/png', costCents: 4, startedAt: 7 }), world);
  assert.deepEqual(tile, {
    id: 'a',
    kind: 'image',
    stage: 'saved',
    status: 'saved',
    story: undefined,
    prompt: 'a fox',
    modelId: 'p/f/m',
    model: 'Name of p/f/m',
    agent: 'Codex 1',
    price: '4',
    spokenPrice: '4 cents',
    againCents: 4,
    at: 7,
    fileName: 'a fox.png',
    file,
    image: `webview:${file}`,
    from: undefined,
    to: undefined,
    text: undefined,
    actions: [
      'openResult',
      'revealResult',
      'copyPath',
      'copyLink',
      'copyPrompt',
      'renderAgain',
      'openInForm',
      'editImage',
      'howMade',
    ],
    menu: [
      'openResult',
      'openToSide',
      'revealResult',
      'copyPath',
      'copyLink',
      'copyPrompt',
      'renderAgain',
      'openInForm',
      'editImage',
      'useAsInput',
      'addEntry',
      'compareResults',
      'howMade',
    ],
  });
});

test('a result shows the first images that it was made from, each from the copy that was sent', () => {
  const image = (name: string) => ({
    file: `photos/${name}.png`,
    sha256: name.repeat(64),
    type: 'image/png',
    bytes: 1,
  });
  const inputs = { prompt: 'a', image: image('a'), images: ['b', 'c', 'd'].map(image) };
  assert.deepEqual(
    tileOf(entry({ inputs }), world).from,
    ['a', 'b', 'c'].map((name) => ({ name: `${name}.png`, address: `given:${name.repeat(64)}` })),
  );
});

test('a price to render again at is what was charged, even if it came back, and never nothing', () => {
  const againAt = (part: Partial<LibraryEntry>) => tileOf(entry(part), world).againCents;
  assert.equal(againAt({ costCents: 5, shownCents: 4 }), 5);
  assert.equal(againAt({ state: 'refunded', costCents: 4 }), 4);
  assert.equal(againAt({ costCents: 0, shownCents: 4 }), undefined);
  assert.equal(againAt({}), undefined);
});

test('a result that isn’t a saved image has none', () => {
  assert.equal(tileOf(entry({ group: 'paidNotSaved', mediaType: 'image/png' }), world).image, undefined);
  assert.equal(tileOf(entry({ file: 'file:///project/a.md', mediaType: 'text/markdown' }), world).image, undefined);
});

test('a paid image is shown before it’s saved if it only waits for a folder', () => {
  const record = { target: {}, spooled: { name: 'kept' } } as unknown as RenderRecord;
  const waiting = entry({ group: 'paidNotSaved', mediaType: 'image/png', record });
  assert.equal(tileOf({ ...waiting, problem: { code: 'noFolder' } }, world).image, 'spool:kept');
  assert.equal(tileOf({ ...waiting, problem: { code: 'diskFull' } }, world).image, undefined);
});

test('each state of a render is distinct', () => {
  const stages = (['active', 'paidNotSaved', 'notSent', 'unknown'] as const).map(
    (group) => tileOf(entry({ group, state: undefined }), world).stage,
  );
  assert.deepEqual(stages, ['active', 'notSaved', 'notSent', 'unknown']);
  assert.equal(tileOf(entry({ state: 'refunded' }), world).stage, 'failed');
  assert.equal(tileOf(entry({ state: 'refunded' }), world).story, 'what happened');
});

test('only the beginning of a long text is sent', () => {
  assert.equal(tileOf(entry({ textOutput: 'x'.repeat(9000) }), world).text?.length, 400);
});

test('a project’s renders are those started for its folders, and those saved in them', () => {
  const folders = ['file:///project'];
  assert.ok(isOfProject({ target: { root: 'file:///project' } }, folders));
  assert.ok(isOfProject({ target: { root: 'file:///elsewhere' }, file: 'file:///project/a/b.png' }, folders));
  assert.ok(!isOfProject({ target: { root: 'file:///project2' } }, folders));
  assert.ok(!isOfProject({ target: {}, file: 'file:///project2/a.png' }, folders));
  assert.ok(!isOfProject(undefined, folders));
});

test('with no folder open they are all of this editor’s, and none that were started elsewhere', () => {
  assert.ok(isOfProject({ target: { root: 'file:///elsewhere' } }, []));
  assert.ok(!isOfProject(undefined, []));
});

test('a folder contains only what is below it, not paths with the same prefix', () => {
  assert.ok(isInside('file:///a/b.png', 'file:///a'));
  assert.ok(isInside('file:///b.png', 'file:///'));
  assert.ok(!isInside('file:///ab.png', 'file:///a'));
  assert.ok(!isInside(undefined, 'file:///a'));
});

test('a folder and a file in it are in the same place however their URIs are spelled', () => {
  assert.ok(isInside('file:///a%20(b)/c.png', 'file:///a%20%28b%29'));
  assert.ok(isInside('file:///C:/a/c.png', 'file:///c%3A/a'));
  assert.ok(isInside('file:///100%/c.png', 'file:///100%'));
  assert.ok(!isInside('file:///A/c.png', 'file:///a'));
});
