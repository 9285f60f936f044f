import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { suite, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { imageSize } from 'image-size';
import manifest from '../../package.json';
import { readRenderFile } from '../../src/renderFiles/readRenderFile';
import { withSources } from '../../src/renderFiles/sources';
import type { ProjectImages } from '../../src/renderFiles/states';
import { systemClock } from '../../src/base/clock';

const readme = readFileSync('README.md', 'utf8');
const helpPages = readdirSync('media/help').map((name) => `media/help/${name}`);

/** The documents that the build makes of the README. */
async function built(): Promise<{ packagedReadme: (manifest?: object) => string; overview: () => string }> {
  return (await import(pathToFileURL(join(process.cwd(), 'esbuild.mjs')).href)) as Awaited<ReturnType<typeof built>>;
}

function targets(text: string, links: RegExp): string[] {
  return [...text.matchAll(links)].map(([, target]) => target!);
}

/** A project without a single image. */
const nothingRendered: ProjectImages = {
  given: () => Promise.resolve({ why: 'missing' }),
  names: () => Promise.resolve([]),
  metadata: () => Promise.resolve(undefined),
};

const imageLinks = /!\[[^\]]+\]\(([^)]+)\)/g;
const fileLinks = /\]\((?!https:|#)([^)]+)\)/g;

/** The files that ship, by the patterns of `.vscodeignore`. */
const shipped = readFileSync('.vscodeignore', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('!'))
  .map((line) => new RegExp(`^${line.slice(1).replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`));

suite('the README', () => {
  test('has at most 1,400 words of all kinds', () => {
    const words = readme.split(/\s+/).filter(Boolean);
    assert.ok(words.length <= 1400, `${words.length} words`);
  });

  test('says what it does, with an animation, then how to try it, how to connect, and what it can do', () => {
    assert.deepEqual(targets(readme, /^## (.+)$/gm), [
      'Try it now',
      'Connect your service',
      'What you can do',
      'What it promises about money',
      'Privacy and security',
      'Limits',
      'More',
    ]);
    const [first = ''] = targets(readme, imageLinks);
    assert.ok(readme.indexOf(first) < readme.indexOf('## '), 'the animation is above the first section');
    const animation = readFileSync(first);
    assert.ok(animation.length < 400_000, `${animation.length} bytes`);
    assert.ok(animation.toString('latin1').split('ANMF').length > 10, 'it has many frames');
  });

  test('has one image for each feature', () => {
    const [, features = ''] = readme.split(/^## What you can do$/m);
    const [own = ''] = features.split(/^## /m);
    for (const feature of own.split(/^### /m).slice(1)) assert.equal(targets(feature, imageLinks).length, 1, feature);
  });

  test('has images that open, and links to files that exist', () => {
    const images = targets(readme, imageLinks);
    assert.ok(images.length >= 10);
    for (const image of images) assert.ok(imageSize(readFileSync(image)).width > 0, image);
    assert.deepEqual(
      targets(readme, fileLinks).filter((file) => !existsSync(file)),
      [],
    );
  });

  test('names the two commands that run it from the source, in its last section', () => {
    const last = readme.slice(readme.lastIndexOf('\n## '));
    assert.match(last, /^npm start /m);
    assert.match(last, /^npm test /m);
    for (const script of ['start', 'test', 'package']) assert.ok(script in manifest.scripts, script);
  });
});

suite('the packaged README', () => {
  test('has no image that the extension’s page can’t show, but a drawing, and the way to the images', async () => {
    const text = (await built()).packagedReadme();
    assert.doesNotMatch(text, /!\[|<img/);
    assert.match(text, /^```text$[^`]*Render · €\d/m);
    assert.match(text, /\*\*Open Help…\*\*/);
    assert.doesNotMatch(text, /\n{3}/, 'no gap is left');
  });

  test('has links to websites only', async () => {
    assert.deepEqual(targets((await built()).packagedReadme(), fileLinks), []);
  });

  test('is the README itself once there is a repository, which the packager puts before links', async () => {
    assert.equal((await built()).packagedReadme({ repository: 'https://github.com/owner/name' }), readme);
  });

  test('says what the extension does before how to build it', async () => {
    const text = (await built()).packagedReadme();
    assert.ok(text.indexOf('## Try it now') < text.indexOf('npm'));
  });
});

suite('help', () => {
  test('every page and image that a page links to ships', async () => {
    const pages = [...helpPages.map((path) => ({ path, text: readFileSync(path, 'utf8') }))];
    const overview = { path: 'dist/overview.md', text: (await built()).overview() };
    for (const { path, text } of [...pages, overview])
      for (const target of targets(text, fileLinks)) {
        const file = normalize(join(dirname(path), target)).replaceAll('\\', '/');
        assert.ok(existsSync(file), `${path}: ${file}`);
        assert.ok(
          shipped.some((pattern) => pattern.test(file)),
          `${path}: ${file} ships`,
        );
      }
    for (const path of ['dist/overview.md', 'SECURITY.md', ...helpPages])
      assert.ok(
        shipped.some((pattern) => pattern.test(path)),
        `${path} ships`,
      );
  });

  test('the overview has its images in its own folder or below, where a preview loads them', async () => {
    const images = targets((await built()).overview(), imageLinks);
    assert.equal(images.length, targets(readme, imageLinks).length);
    for (const image of images) assert.doesNotMatch(image, /^\.|^\//);
  });

  test('the examples of render files have no problems', async () => {
    const text = readFileSync('media/help/render-files.md', 'utf8');
    const examples = targets(text, /^```jsonc\n([^]*?)^```$/gm);
    assert.ok(examples.length >= 3);
    for (const example of examples) {
      const file = await readRenderFile(example, 'docs/renders.jsonc', systemClock);
      const { problems, renders } = await withSources(file, () => undefined, nothingRendered, systemClock);
      assert.deepEqual(problems, []);
      assert.ok(renders.length > 0);
    }
  });
});

test('the security policy has at most 500 words', () => {
  assert.ok(readFileSync('SECURITY.md', 'utf8').split(/\s+/).filter(Boolean).length <= 500);
});

test('the changelog has at most 25 items of at most 25 words for each version', () => {
  for (const version of readFileSync('CHANGELOG.md', 'utf8').split(/^## /m).slice(1)) {
    const items = version.split(/^- /m).slice(1);
    assert.ok(items.length <= 25, `${items.length} items`);
    for (const item of items) assert.ok(item.trim().split(/\s+/).length <= 25, item);
  }
});

test('the notices have each packaged library with its version and license', () => {
  const notices = readFileSync('dist/THIRD-PARTY-NOTICES.txt', 'utf8');
  const libraries = [...notices.matchAll(/^(\S+) (\d\S*) \([\w.-]+\)$/gm)].map(([, name]) => name);
  for (const name of ['undici', 'preact', 'zod', 'jsonc-parser']) assert.ok(libraries.includes(name), name);
});

test('the notices name the parser inside undici, and say that the icons were changed', () => {
  const notices = readFileSync('dist/THIRD-PARTY-NOTICES.txt', 'utf8');
  assert.match(notices, /^Contains llhttp \(MIT\)\n\nCopyright Fedor Indutny, 2018\.\n\nPermission is hereby granted/m);
  assert.match(notices, /^Changed: single icons are taken out of the set/m);
});
