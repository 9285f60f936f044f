import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { imageLinks } from '../../../src/documents/imageLinks';
import { promptOfLink } from '../../../src/documents/prompt';
import { rendersTo } from '../../../src/documents/destination';
import type { Syntax } from '../../../src/documents/syntax';
import { growsInProportion } from '../growth';
import { places, runs } from './hostileParts';

/** Everything done with a document's links: finding where they lead and what to render for them, and removing them. */
function use(text: string, syntax: Syntax): void {
  // As many as are processed in one document.
  for (const link of imageLinks(text, syntax).slice(0, 2000)) {
    rendersTo(link, 'docs/guide/page.md');
    promptOfLink(link);
  }
}

/** Documents of many small parts. */
const manyParts: Readonly<Partial<Record<Syntax, readonly ((count: number) => string)[]>>> = {
  html: [
    (count) => `<picture>${'<source srcset="a.png">'.repeat(count)}<img ${'a="b" '.repeat(count)}src="c.png">`,
    (count) => `<img ${'src="a.png" '.repeat(count)}>`,
    (count) => `<my-card ${'icon="a.png" '.repeat(count)}>`,
  ],
  latex: [
    (count) => `\\graphicspath{${'{a/}'.repeat(count)}}${'\\includegraphics{b}\n'.repeat(count)}`,
    (count) => `\\begin{figure}${'\\includegraphics{b}\n'.repeat(count)}\\caption{${'c '.repeat(count)}}\\end{figure}`,
  ],
  markdown: [(count) => `${'![a][b]\n'.repeat(count)}${'\n[b]: a.png'.repeat(count)}`],
  asciidoc: [(count) => `${':imagesdir: a\n'.repeat(count)}${'image::b.png[]\n'.repeat(count)}`],
  restructuredtext: [(count) => `${'.. |a| image:: b.png\n'.repeat(count)}${'|a| '.repeat(count)}`],
};

const long = 50_000;

suite('Ten times the parts take nowhere near a hundred times as long', () => {
  for (const [syntax, shapes] of Object.entries(manyParts) as [Syntax, readonly ((count: number) => string)[]][]) {
    test(`in ${syntax}`, () => {
      for (const [index, shape] of shapes.entries()) {
        const [few, many] = [shape(800), shape(8000)];
        assert.ok(
          growsInProportion(
            () => use(few, syntax),
            () => use(many, syntax),
          ),
          `${index}`,
        );
      }
    });
  }
});

suite('A part of a link that is ten times longer takes nowhere near a hundred times as long to read', () => {
  let inputs = 0;
  for (const [syntax, shapes] of Object.entries(places) as [Syntax, readonly ((run: string) => string)[]][]) {
    test(`in ${syntax}`, (t) => {
      const slow: string[] = [];
      for (const [index, shape] of shapes.entries())
        for (const run of runs) {
          inputs += 1;
          const text = (length: number) => shape(run.repeat(Math.ceil(length / run.length)));
          const reads = (length: number) => {
            const whole = text(length);
            return () => use(whole, syntax);
          };
          if (!growsInProportion(reads(long / 10), reads(long))) slow.push(`${index}: ${JSON.stringify(run)}`);
        }
      t.diagnostic(`${inputs} inputs`);
      assert.deepEqual(slow, []);
    });
  }
});

suite('A megabyte takes nowhere near a hundred times as long as a tenth of it', () => {
  let turn = 0;
  for (const [syntax, shapes] of Object.entries(places) as [Syntax, readonly ((run: string) => string)[]][]) {
    // A different run in each place, since the tests above combine all runs with all places.
    const some = shapes.map((shape) => [shape, runs[turn++ % runs.length]!] as const);
    test(`in ${syntax}`, () => {
      const slow = some.flatMap(([shape, run], index) => {
        const reads = (length: number) => {
          const whole = shape(run.repeat(Math.ceil(length / run.length)));
          return () => use(whole, syntax);
        };
        return growsInProportion(reads(long), reads(10 * long), 10) ? [] : [`${index}: ${JSON.stringify(run)}`];
      });
      assert.deepEqual(slow, []);
    });
  }
});
