import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { rendersTo } from '../../../src/documents/destination';
import { imageLinks } from '../../../src/documents/imageLinks';
import { located } from '../../../src/documents/located';
import { syntaxOf } from '../../../src/documents/syntax';
import { SeenFolder } from './seenFolder';

/** A folder's `truth.json`. */
interface Truth {
  /** For each document, what is true of its images, in their order. */
  readonly shows: Readonly<Record<string, readonly string[]>>;
}

const root = join(process.cwd(), 'test', 'fixtures', 'sites');

/** What is found for each image of a document: `there`, `missing`, `elsewhere`, without a place, or why nothing. */
async function shown(folder: SeenFolder, site: string, document: string): Promise<string[]> {
  const text = readFileSync(join(root, site, document), 'utf8');
  const links = imageLinks(text, syntaxOf('', document)!);
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
