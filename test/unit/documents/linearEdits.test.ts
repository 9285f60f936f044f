import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { repathed, withSize } from '../../../src/documents/edits';
import { imageLinks } from '../../../src/documents/imageLinks';
import { imageText, linkOffset, linkTexts, pastedPaths, trialOf } from '../../../src/documents/insertion';
import {
  edited,
  findPassage,
  insertingBelow,
  passageOf,
  replacedPassage,
  spansWithText,
} from '../../../src/documents/passage';
import { altFrom } from '../../../src/documents/prompt';
import { removal } from '../../../src/documents/removal';
import type { Syntax } from '../../../src/documents/syntax';
import { growsInProportion } from '../growth';
import { places, runs } from './hostileParts';

const long = 50_000;

/** All that a command does with one link of a document. */
function change(text: string, syntax: Syntax): void {
  const links = imageLinks(text, syntax);
  for (const link of [links[0], links.at(-1)]) {
    if (!link) continue;
    removal(text, link);
    repathed(link, 'renders/a b.png');
    withSize(text, link, { width: 640, height: 480 });
  }
}

/** What happens at the cursor: links are inserted, a response arrives, and its passage is found again. */
function write(run: string, syntax: Syntax): void {
  const text = `a ${run} b`;
  const middle = Math.floor(text.length / 2);
  const image = { path: 'renders/a.png', alt: altFrom(run), width: 640, height: 480 };
  linkOffset(text, middle, syntax);
  const trial = trialOf(text, [{ start: middle, end: middle }], syntax, [image]);
  trial?.outcome(imageLinks(trial.text, syntax));
  linkTexts(syntax, [image, image]);
  imageText(syntax, image);
  pastedPaths(text);
}

function answer(run: string): void {
  const text = `${run}${run}`;
  const [whole, half] = [
    { start: 0, end: text.length },
    { start: 0, end: run.length },
  ];
  spansWithText(text, [whole, half]);
  const passage = passageOf(text, half);
  for (const now of [text, `${text}.`, `.${text}`, `a${run}`]) findPassage(now, passage);
  for (const span of [whole, half]) {
    edited(text, replacedPassage(text, span, run));
    edited(text, insertingBelow(text, span, run));
  }
}

/**
 * The names of those that take far longer than in proportion to their length. Some systems take several times as long
 * for memory in large pieces, which only the long text needs; so what seems slow is compared with one longer still.
 */
function slowOf(shapes: Readonly<Record<string, (length: number) => () => unknown>>): string[] {
  return Object.entries(shapes).flatMap(([name, of]) =>
    growsInProportion(of(long / 10), of(long)) || growsInProportion(of(long), of(10 * long)) ? [] : [name],
  );
}

const filled = (run: string, length: number) => run.repeat(Math.ceil(length / run.length));

suite('Ten times the text takes nowhere near a hundred times as long to change', () => {
  for (const [syntax, shapes] of Object.entries(places) as [Syntax, readonly ((run: string) => string)[]][])
    test(`one link in ${syntax}`, (t) => {
      const named = shapes.flatMap((shape, index) =>
        runs.map((run): [string, (length: number) => () => unknown] => [
          `${index}: ${JSON.stringify(run)}`,
          (length) => {
            const text = shape(filled(run, length));
            return () => change(text, syntax);
          },
        ]),
      );
      t.diagnostic(`${named.length} inputs`);
      assert.deepEqual(slowOf(Object.fromEntries(named)), []);
    });

  for (const syntax of ['markdown', 'html', 'latex', 'restructuredtext', 'asciidoc', 'jsx', 'css'] as const)
    test(`for edits in ${syntax}`, () => {
      const of = (run: string) => (length: number) => {
        const text = filled(run, length);
        return () => write(text, syntax);
      };
      assert.deepEqual(slowOf(Object.fromEntries(runs.map((run) => [JSON.stringify(run), of(run)]))), []);
    });

  test('a passage and its response', () => {
    const of = (run: string) => (length: number) => {
      const text = filled(run, length);
      return () => answer(text);
    };
    assert.deepEqual(slowOf(Object.fromEntries(runs.map((run) => [JSON.stringify(run), of(run)]))), []);
  });
});
