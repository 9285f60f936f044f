// What documents of real projects offer to render: `node out/test/bench/offers.js <folder>…`, one row for each folder,
// and one for all. The aims: at most 1 false offer in 1,000 references, and at least 70 % of the images offered that
// were deleted. With `--each`, also every offer, and every image that isn't offered though it was deleted.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { longestDocument } from '../../src/features/links/model/linkReader';
import { namesOf } from '../../src/documents/destination';
import { isGenerated } from '../../src/documents/ignored';
import type { ImageLink } from '../../src/documents/link';
import { imageLinks } from '../../src/documents/imageLinks';
import { located, type Located } from '../../src/documents/linkPath';
import { isWorthRendering, promptOfLink } from '../../src/documents/prompt';
import { fileSyntax } from '../../src/documents/syntax';
import { SeenFolder } from '../unit/documents/seenFolder';

/** One in as many images is deleted at a time, until each was. */
const share = 10;

/** A document with its images. */
interface Read {
  readonly path: string;
  readonly links: readonly ImageLink[];
}

/** What was counted in a folder. */
interface Counted {
  references: number;
  offers: number;
  falseOffers: number;
  unplaced: number;
  /** Images whose description is worth rendering; each was deleted once. */
  deleted: number;
  /** Of those, the ones offered then. */
  refound: number;
  /** Million UTF-16 code units. */
  mega: number;
  /** To find and locate all links, ms of processor time. */
  ms: number;
}

const isEach = process.argv.includes('--each');
const folders = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
void measureAll();

async function measureAll(): Promise<void> {
  const all = nothing();
  for (const folder of folders) {
    const counted = await measure(folder.replace(/\/$/, ''));
    console.log(row(basename(folder), counted));
    for (const key of Object.keys(all) as (keyof Counted)[]) all[key] += counted[key];
  }
  console.log(row('all', all));
}

function nothing(): Counted {
  return { references: 0, offers: 0, falseOffers: 0, unplaced: 0, deleted: 0, refound: 0, mega: 0, ms: 0 };
}

async function measure(root: string): Promise<Counted> {
  const seen = SeenFolder.at(root);
  const documents: Read[] = [];
  /** The documents that show an image whose description is worth rendering. */
  const showing = new Map<string, string[]>();
  const counted = nothing();
  for (const path of seen.files) {
    const syntax = fileSyntax(path);
    if (!syntax || path.split('/').some(isGenerated)) continue;
    const text = readFileSync(join(root, path), 'utf8');
    if (text.length > longestDocument) continue;
    const since = process.cpuUsage();
    const links = imageLinks(text, syntax);
    const found = await located(links, path, seen.around(path));
    counted.ms += process.cpuUsage(since).user / 1000;
    counted.mega += text.length / 1e6;
    documents.push({ path, links });
    for (const [at, link] of links.entries()) {
      const one = found[at];
      if (!one) continue;
      const others = elsewhere(link, seen);
      counted.references++;
      if (one.doubt?.why === 'place') counted.unplaced++;
      if (isOffered(one)) {
        counted.offers++;
        if (others.length > 0) counted.falseOffers++;
        if (isEach) console.log(`offered in ${path}: ${link.path} as ${one.path} ${others.join(', ')}`);
      }
      const shown = one.isThere ? one.path : others.length === 1 ? others[0] : undefined;
      if (shown !== undefined && promptOfLink(link) !== undefined && isWorthRendering(link))
        showing.set(shown, [...(showing.get(shown) ?? []), path]);
    }
  }
  const images = [...showing.keys()].sort();
  counted.deleted = images.length;
  for (let part = 0; part < share; part++) {
    const deleted = new Set(images.filter((_, at) => at % share === part));
    const offered = new Set<string>();
    const named = new Set([...deleted].flatMap((image) => showing.get(image) ?? []));
    for (const { path, links } of documents.filter((one) => named.has(one.path)))
      for (const one of await located(links, path, seen.around(path, deleted)))
        if (one && isOffered(one)) offered.add(one.path);
    const lost = [...deleted].filter((image) => !offered.has(image));
    counted.refound += deleted.size - lost.length;
    if (isEach)
      for (const image of lost) console.log(`deleted but not offered: ${image}, in ${showing.get(image)?.join(', ')}`);
  }
  return counted;
}

function row(name: string, { references, offers, falseOffers, unplaced, deleted, refound, mega, ms }: Counted): string {
  return [
    name.padEnd(30),
    `${references} references`,
    `${offers} offers, ${falseOffers} of them false: ${rate(1000, falseOffers, references, 2)} in 1,000`,
    `${unplaced} without a place`,
    `${refound} of ${deleted} deleted images offered: ${rate(100, refound, deleted, 0)} %`,
    `${(ms / mega).toFixed(1)} ms/MB of ${mega.toFixed(1)} MB`,
  ].join(' · ');
}

function rate(per: number, part: number, whole: number, digits: number): string {
  return whole === 0 ? '–' : ((per * part) / whole).toFixed(digits);
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
