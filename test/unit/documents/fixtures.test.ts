import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { rendersTo } from '../../../src/documents/destination';
import { imageLinks } from '../../../src/documents/imageLinks';
import { located } from '../../../src/documents/linkPath';
import { promptOfLink, shapeOf } from '../../../src/documents/prompt';
import { syntaxOf } from '../../../src/documents/syntax';
import { SeenFolder } from './seenFolder';

/** For a folder of documents: where each link leads, or why nowhere. For missing images, also the prompt and size. */
async function shown(name: string): Promise<Record<string, string[]>> {
  const root = join(process.cwd(), 'test', 'fixtures', 'documents', name);
  const seen = SeenFolder.at(root);
  const result: Record<string, string[]> = {};
  for (const file of seen.files) {
    const syntax = syntaxOf('plaintext', file);
    if (!syntax) continue;
    const lines: string[] = [];
    const links = imageLinks(readFileSync(join(root, file), 'utf8'), syntax);
    const found = await located(links, file, seen.around(file));
    for (const [at, link] of links.entries()) {
      const destination = rendersTo(link, file);
      if (destination.kind === 'none') {
        lines.push(`${destination.reason}: ${link.path.slice(0, 40)}`);
        continue;
      }
      const { isThere, path } = found[at]!;
      const shape = shapeOf(link);
      const size = shape ? ` (${shape.width} x ${shape.height})` : '';
      lines.push(isThere ? `there: ${path}` : `missing: ${path}: ${promptOfLink(link) ?? '?'}${size}`);
    }
    result[file] = lines;
  }
  return result;
}

test('a project’s README shows these images', async () => {
  assert.deepEqual(await shown('readme'), {
    'README.md': [
      'there: images/logo.png',
      'remote: https://img.shields.io/badge/build-passi',
      'remote: https://img.shields.io/badge/licence-MIT',
      'there: images/terminal.png',
      'missing: images/day.png: Twelve hours of tide above a sleeping fishing village, drawn in ink',
      'missing: images/month view.png: A month of spring and neap tides as a row of waves',
      'there: images/choose harbour.png',
      'missing: images/warning-dark.png: A flooded quay at night & a lantern (640 x 360)',
      'missing: images/warning-light.png: A flooded quay at night & a lantern (640 x 360)',
      'missing: images/tide gauge.png: A tide gauge, half under water. A tide gauge in Ostend',
      'there: docs/architecture.png',
    ],
    'docs/manual.md': [
      'missing: docs/images/cover.png: ?',
      'there: docs/architecture.png',
      'missing: images/day.png: ?',
      'missing: images/unnamed.png: ?',
      'missing: docs/keeper.jpg: The keeper of a lighthouse reading a tide table by candle light (800 x 450)',
      'outside: ../../elsewhere/picture.png',
    ],
  });
});

test('a documentation site shows these images', async () => {
  assert.deepEqual(await shown('docs'), {
    'admin/install.adoc': [
      'missing: admin/images/cabinet.png: A steel cabinet on a quay, full of cables. The cabinet of the gauge, its door open (400 x 300)',
      'there: admin/images/button.png',
      'missing: admin/images/wiring diagram.png: Wiring of the gauge, hand drawn (800 x 600)',
      'template: {partner}/logo.png',
    ],
    'guide/first-report.mdx': [
      'there: images/chart.png',
      'missing: img/steps.png: Three wooden steps that lead down into clear water',
      'missing: guide/notebook.png: A notebook on a pier, a pencil beside it. In the rain',
    ],
    'index.md': [
      'there: images/cover.png',
      'missing: images/crest.svg: The crest of the harbour office: an anchor under three waves',
    ],
    'reference/harbours.rst': [
      'there: images/anchor.png',
      'missing: images/ostend.png: The harbour of Ostend with the mail boat leaving, engraving (600 x 400)',
      'missing: images/zeebrugge.png: Cranes of Zeebrugge in fog',
      'there: images/cover.png',
    ],
  });
});

test('a small site shows these images', async () => {
  assert.deepEqual(await shown('site'), {
    'content/news.mdx': [
      'missing: public/img/blue-door.png: Children painting the bakery door blue',
      'there: public/img/paper.png',
    ],
    'index.html': [
      'there: public/img/paper.png',
      'missing: public/img/closed.png: A bakery with its shutters down (800 x 600)',
      'missing: public/img/oven.png: Loaves rising in a wood-fired oven',
    ],
    'src/App.tsx': [
      'missing: src/assets/hero.png: A baker carrying loaves across a salt marsh at sunrise (1600 x 900)',
      'there: src/assets/logo.png',
      'missing: public/img/last-loaves.png: The last two loaves on a shelf',
      'there: public/img/rye.png',
      'remote: https://cdn.example.org/badge.png',
    ],
    'src/components/Bread.vue': [
      'there: src/assets/wheat.png',
      'missing: src/components/crumbs.png: Crumbs on a wooden board (300 x 200)',
      'there: src/assets/logo.png',
    ],
    'src/components/Hours.svelte': [
      'there: src/assets/clock.png',
      'missing: public/img/night-shift.png: A lit bakery window in an empty street at night',
      'template: /img/{day}.png',
    ],
    'src/pages/About.jsx': [
      'missing: src/assets/team.png: Four bakers in flour-covered aprons laughing',
      'missing: public/img/mill.png: An old windmill behind reeds. Our mill',
    ],
    'src/styles/site.css': [
      'there: public/img/paper.png',
      'missing: src/assets/hero.png: ?',
      'missing: src/assets/hero@2x.png: ?',
      'missing: src/assets/seal.png: ?',
      'data: data:image/svg+xml;base64,PHN2Zy8+',
    ],
    'src/styles/theme.scss': ['template: ', 'missing: src/assets/grain.webp: ?'],
  });
});

test('an article shows these images', async () => {
  assert.deepEqual(await shown('article'), {
    'chapters/method.tex': [
      'missing: figures/gauge.png: A tide gauge of the 19th century, woodcut',
      'there: figures/estuary.png',
      'template: \\figdir/macro.png',
    ],
    'main.tex': [
      'there: figures/estuary.png',
      'missing: figures/sampling-boat.png: The sampling boat “Zeemeeuw” at anchor',
      'missing: figures/jars.jpg: Six glass jars with water from clear to brown, in a row',
      'ending: plot.pdf',
    ],
  });
});

test('notes, slides, and pages for several builders show these images', async () => {
  assert.deepEqual(await shown('notes'), {
    'book.md': [
      'missing: images/foghorn.png: A foghorn on a cliff in thick fog (640 x 360)',
      'missing: images/bow.png: A ship’s bow in the fog',
      'missing: day-buoy.png: A buoy',
      'missing: night-buoy.png: A buoy',
    ],
    'bundle/index.md': [
      'missing: bundle/lamp.png: The lens of a lighthouse, seen from below',
      'missing: bundle/stairs.png: A spiral staircase of iron (600 x 800)',
      'missing: bundle/keeper.png: A keeper who polishes brass',
      'missing: bundle/rail.png: A worn wooden handrail. Going down (500 x 300)',
    ],
    'page.astro': [
      'missing: assets/quay.png: An old quay at low tide (800 x 400)',
      'missing: crane.png: A crane that lifts a boat',
    ],
    'paper.typ': ['missing: images/tide.png: High tide at the quay, at night'],
    'slides.md': ['missing: images/whale.png: A blue whale under a small boat'],
    'vault.md': [
      'missing: images/dawn.png: Dawn over a salt marsh, a heron in the reeds',
      'there: images/lighthouse.png',
      'missing: heron.png: A heron that waits in shallow water (400 x 300)',
      'missing: seal.png: A seal asleep on a sandbank',
      'missing: images/sand.png: A map drawn in sand (640 x 480)',
      'missing: images/ladder.png: A rope ladder (120 x 240)',
    ],
  });
});
