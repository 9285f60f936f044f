import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '../../../../../src/base/clock';
import { silentLog } from '../../../../../src/base/log';
import { imageLinks } from '../../../../../src/documents/imageLinks';
import { LinkReader, longestDocument } from '../../../../../src/features/links/model/linkReader';
import { root } from '../../../../editor/root';
import { TestClock } from '../../../clock';

const program = join(root, 'dist', 'documents.js');

/** The result for a document that can't be searched. */
const nothing = { links: [], isWhole: false };

/** A log, and its lines. */
function recorded() {
  const lines: string[] = [];
  return { lines, log: { ...silentLog, warn: (line: string) => void lines.push(line) } };
}

test('a large document is read off the main thread, with the same result', async () => {
  const { log, lines } = recorded();
  const text = `![a heron](heron.png "at dawn") ${'word '.repeat(60_000)}\n\n![a wren](wren.png)\n`;
  assert.deepEqual(await new LinkReader(program, systemClock, log).read(text, 'markdown', 'guide.md'), {
    links: imageLinks(text, 'markdown'),
    isWhole: true,
  });
  assert.deepEqual(lines, []);
});

test('if there are very many images, only the first are checked, and the log says so', async () => {
  const { log, lines } = recorded();
  const { links, isWhole } = await new LinkReader(program, systemClock, log).read(
    '![a](b.png)\n'.repeat(2500),
    'markdown',
    'all.md',
  );
  assert.equal(links.length, 2000);
  assert.equal(isWhole, false);
  assert.deepEqual(lines, ['all.md links to too many images; only the first 2000 are checked']);
});

test('a document that is too large is skipped, and the log says so in one line, however often it changes', async () => {
  const { log, lines } = recorded();
  const reader = new LinkReader(program, systemClock, log);
  for (const more of [1, 2])
    assert.deepEqual(await reader.read('a'.repeat(longestDocument + more), 'html', 'big.html'), nothing);
  assert.deepEqual(lines, ['big.html is too large to search for images: more than 2000000 characters']);
});

test('a notebook with large outputs is searched, but not for links in them', async () => {
  const { log, lines } = recorded();
  const markdown = (source: unknown) => ({ cell_type: 'markdown', metadata: {}, source });
  const output = {
    output_type: 'display_data',
    data: { 'image/png': 'a'.repeat(3_000_000), 'text/plain': '![a](b.png)' },
  };
  const cells = [
    { cell_type: 'code', source: ['![a](b.png)'], outputs: [output] },
    { cell_type: 'unknown', source: '![a](b.png)' },
    markdown(['# "Birds"\n', '![a wren](wren.png)']),
    markdown('![a heron](heron.png)'),
    markdown([1, null]),
  ];
  const text = JSON.stringify({ nbformat: 4, cells });
  const { links, isWhole } = await new LinkReader(program, systemClock, log).read(text, 'notebook', 'a.ipynb');
  const found = links.map(({ path, cell, address }) => [path, cell, address.start]);
  assert.deepEqual(
    [found, isWhole],
    [
      [
        ['wren.png', 1, 20],
        ['heron.png', 2, 11],
      ],
      true,
    ],
  );
  assert.deepEqual(lines, []);
});

test('what isn’t a notebook has no images', () => {
  const cell = '{"cell_type":"markdown","source":"![a](b.png)"}';
  for (const text of [
    '',
    '{}',
    '[]',
    'null',
    '{"cells":{}}',
    '{"cells":[null,1]}',
    `{"cells":[${cell}`,
    `<<<<<<<\n{"cells":[${cell}]}`,
  ])
    assert.deepEqual(imageLinks(text, 'notebook'), [], text);
  assert.equal(imageLinks(`{"cells":[${cell}]}`, 'notebook').length, 1);
});

test('reading a document that takes too long to parse is given up, and the log says so', async () => {
  const { log, lines } = recorded();
  const clock = new TestClock();
  const endless = join(root, 'test', 'unit', 'features', 'links', 'model', 'endless.mjs');
  const reading = new LinkReader(endless, clock, log).read('a'.repeat(100_000), 'html', 'slow.html');
  await clock.advance(10_000);
  assert.deepEqual(await reading, nothing);
  assert.deepEqual(lines, ['Couldn’t search slow.html for images: reading it takes longer than 10000 ms']);
});

test('of many large documents only four are parsed at once: each may need much memory', async () => {
  const { log } = recorded();
  const slow = join(root, 'test', 'unit', 'features', 'links', 'model', 'onRequest.mjs');
  const reader = new LinkReader(slow, systemClock, log);
  const channel = new BroadcastChannel('parsing');
  const begun: string[] = [];
  let most = 0;
  let ended = 0;
  const all = Promise.all(
    Array.from({ length: 12 }, async (_, index) => {
      await reader.read(`${index}`.padEnd(100_000), 'html', `${index}.html`);
      ended++;
    }),
  );
  channel.onmessage = ({ data }: MessageEvent) => {
    begun.push(String(data));
    most = Math.max(most, begun.length - ended);
    // The others have begun as well by then, if they may.
    if (begun.length >= 4) for (const one of begun) channel.postMessage(`end ${one}`);
  };
  await all;
  channel.close();
  assert.equal(new Set(begun).size, 12);
  assert.ok(most <= 4, `${most} at once`);
});

test('without threads a large document is skipped, and the log says so', async () => {
  const { log, lines } = recorded();
  const links = await new LinkReader('/nowhere.js', systemClock, log).read('a'.repeat(100_000), 'html', 'page.html');
  assert.deepEqual(links, nothing);
  assert.match(lines.join('\n'), /^Couldn’t search page\.html for images: /);
});
