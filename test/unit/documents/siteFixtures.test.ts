import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { rendersTo } from '../../../src/documents/destination';
import { imageLinks } from '../../../src/documents/imageLinks';
import { imageText } from '../../../src/documents/insertion';
import { linkPath, located, newNaming } from '../../../src/documents/linkPath';
import { fileSyntax, syntaxOf } from '../../../src/documents/syntax';
import { SeenFolder } from './seenFolder';

/** A folder's `truth.json`. */
interface Truth {
  /** For each document, what is true of its images, in their order. */
  readonly shows: Readonly<Record<string, readonly string[]>>;
  /** For documents, the paths by which they are to name images. */
  readonly writes?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const root = join(process.cwd(), 'test', 'fixtures', 'sites');

/** What is found for each image of a document: `there`, `missing`, `elsewhere`, without a place, or why nothing. */
async function shown(folder: SeenFolder, site: string, document: string): Promise<string[]> {
  const text = readFileSync(join(root, site, document), 'utf8');
  const links = imageLinks(text, fileSyntax(document)!);
  const found = await located(links, document, folder.around(document));
  return links.map((link, at) => {
    const one = found[at];
    const destination = rendersTo(link, document);
    if (!one) return destination.kind === 'none' ? destination.reason : 'nothing';
    if (one.isThere) return `there: ${one.path}`;
    if (one.doubt?.why === 'elsewhere') return `elsewhere: ${one.doubt.path}`;
    return one.doubt
      ? `no ${one.doubt.why}: ${link.path.slice(link.path.lastIndexOf('/') + 1)}`
      : `missing: ${one.path}`;
  });
}

suite('Of a project, nothing is offered that exists, and what is missing goes where its site serves it:', () => {
  for (const site of readdirSync(root).sort()) {
    const { shows } = JSON.parse(readFileSync(join(root, site, 'truth.json'), 'utf8')) as Truth;
    test(site, async () => {
      const folder = SeenFolder.at(join(root, site));
      for (const [document, truth] of Object.entries(shows))
        assert.deepEqual(await shown(folder, site, document), truth, document);
    });
  }
});

/** The path by which a document names a file, and the file that a link with it is read as. */
async function named(folder: SeenFolder, site: string, document: string, file: string) {
  const text = readFileSync(join(root, site, document), 'utf8');
  const syntax = syntaxOf('', document)!;
  const path = await linkPath(newNaming(syntax, text), document, file, folder.around(document));
  const link = imageText(syntax, { path, alt: 'A red fox in snow' });
  const shownLink = syntax === 'css' || syntax === 'scss' ? `a { background: ${link} }` : link;
  const whole = syntax === 'asciidoc' ? `${text}\n\n${shownLink}\n` : shownLink;
  const last = imageLinks(whole, syntax).at(-1)!;
  const around = folder.around(document, new Set(), (one) => one === file);
  const [read] = await located([last], document, around);
  return { path, read: read?.path };
}

suite('Of a project, a new link is written as its site requires, and is read as the same file:', () => {
  for (const site of readdirSync(root).sort()) {
    const { shows, writes = {} } = JSON.parse(readFileSync(join(root, site, 'truth.json'), 'utf8')) as Truth;
    test(site, async () => {
      const folder = SeenFolder.at(join(root, site));
      for (const [document, truth] of Object.entries(writes))
        for (const [file, path] of Object.entries(truth))
          assert.equal((await named(folder, site, document, file)).path, path, `${file} in ${document}`);
      const images = folder.files.filter((file) => /\.(?:png|jpg)$/.test(file));
      // Also those that don't exist yet.
      const files = images.flatMap((file) => [file, file.replace(/[^/]+$/, 'new fox.png')]);
      for (const document of Object.keys(shows))
        for (const file of [...files, 'new.png', `${document.replace(/[^/]+$/, '')}new.png`]) {
          const { path, read } = await named(folder, site, document, file);
          assert.equal(read, file, `${path} in ${document}`);
        }
    });
  }
});
