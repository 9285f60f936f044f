// What documents of real projects offer to render: `node out/test/bench/offers.js <folder>…`, one row for each folder.
// With `--each`, also every offer, and every image that isn't offered though it was deleted.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { longestDocument } from '../../src/app/documents/linkReader';
import { namesOf } from '../../src/documents/destination';
import { isGenerated } from '../../src/documents/generatedFolders';
import type { ImageLink } from '../../src/documents/imageLink';
import { imageLinks } from '../../src/documents/imageLinks';
import { located, type Located } from '../../src/documents/located';
import { isWorthRendering, promptOf } from '../../src/documents/prompt';
import { syntaxOf } from '../../src/documents/syntax';
import { SeenFolder } from '../unit/documents/seenFolder';

/** One in as many images is deleted at a time, until each was. */
const share = 10;

/** A document with its images. */
interface Read {
  readonly path: string;
  readonly links: readonly ImageLink[];
}

const isEach = process.argv.includes('--each');
const folders = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
void folders.reduce((before, folder) => before.then(() => measure(folder.replace(/\/$/, ''))), Promise.resolve());

async function measure(root: string): Promise<void> {
  const seen = SeenFolder.at(root);
  const documents: Read[] = [];
  /** The documents that show an image whose description is worth rendering. */
  const showing = new Map<string, string[]>();
  let [references, offers, falseOffers, unplaced, bytes, ms] = [0, 0, 0, 0, 0, 0];
  for (const path of seen.files) {
    const syntax = syntaxOf('', path);
    if (!syntax || path.split('/').some(isGenerated)) continue;
    const text = readFileSync(join(root, path), 'utf8');
    if (text.length > longestDocument) continue;
    const since = performance.now();
    const links = imageLinks(text, syntax);
    const found = await located(links, path, seen.around(path));
    ms += performance.now() - since;
    bytes += text.length;
    documents.push({ path, links });
    for (const [at, link] of links.entries()) {
      const one = found[at];
      if (!one) continue;
      const others = elsewhere(link, seen);
      references++;
      if (one.doubt?.why === 'place') unplaced++;
      if (isOffered(one)) {
        offers++;
        if (others.length > 0) falseOffers++;
        if (isEach) console.log(`offered in ${path}: ${link.path} as ${one.path} ${others.join(', ')}`);
      }
      const shown = one.isThere ? one.path : others.length === 1 ? others[0] : undefined;
      if (shown !== undefined && promptOf(link) !== undefined && isWorthRendering(link))
        showing.set(shown, [...(showing.get(shown) ?? []), path]);
    }
  }
  const images = [...showing.keys()].sort();
  let refound = 0;
  for (let part = 0; part < share; part++) {
    const deleted = new Set(images.filter((_, at) => at % share === part));
    const offered = new Set<string>();
    const named = new Set([...deleted].flatMap((image) => showing.get(image) ?? []));
    for (const { path, links } of documents.filter((one) => named.has(one.path)))
      for (const one of await located(links, path, seen.around(path, deleted)))
        if (one && isOffered(one)) offered.add(one.path);
    const lost = [...deleted].filter((image) => !offered.has(image));
    refound += deleted.size - lost.length;
    if (isEach)
      for (const image of lost) console.log(`deleted but not offered: ${image}, in ${showing.get(image)?.join(', ')}`);
  }
  const row = [
    basename(root).padEnd(30),
    `${references} references`,
    `${offers} offers, ${falseOffers} of them false`,
    `${unplaced} without a place`,
    `${refound} of ${images.length} deleted images offered`,
    `${(ms / (bytes / 1e6)).toFixed(0)} ms/MB of ${(bytes / 1e6).toFixed(1)} MB`,
  ];
  console.log(row.join(' · '));
}

function isOffered({ isThere, doubt }: Located): boolean {
  return !isThere && doubt === undefined;
}

/** The images that a link may mean: their paths end as it is written. */
function elsewhere(link: ImageLink, seen: SeenFolder): string[] {
  return namesOf(link).flatMap((name) => {
    const ending = `/${name}`.toLowerCase();
    return seen
      .named(name.slice(name.lastIndexOf('/') + 1))
      .filter((path) => `/${path}`.toLowerCase().endsWith(ending));
  });
}
