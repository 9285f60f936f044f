import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type ImageMarkup, type Insertion, linkOffset, linksAt, trialOf } from '../../../src/documents/insertion';
import { imageLinks } from '../../../src/documents/imageLinks';
import type { Span } from '../../../src/documents/scan';
import type { Syntax } from '../../../src/documents/syntax';

const fox: ImageMarkup = { path: '../renders/a fox.png', alt: 'a fox', width: 640, height: 480 };
const hen: ImageMarkup = { path: '../renders/hen.png', alt: 'a hen', width: 64, height: 48 };

/** What is inserted in all of these spans. */
function insertedIn(
  text: string,
  spans: readonly Span[],
  syntax: Syntax,
  images: readonly ImageMarkup[],
): Insertion | undefined {
  const trial = trialOf(text, spans, syntax, images);
  return trial?.outcome(imageLinks(trial.text, syntax));
}

/** What is inserted at `|`, or in place of the text between two of them. */
function inserted(syntax: Syntax, marked: string, images: readonly ImageMarkup[] = [fox]): Insertion | undefined {
  const start = marked.indexOf('|');
  const end = Math.max(start, marked.lastIndexOf('|') - 1);
  return insertedIn(marked.replaceAll('|', ''), [{ start, end }], syntax, images);
}

suite('inserts a link where an image can be', () => {
  const places: readonly (readonly [Syntax, string, string])[] = [
    ['markdown', 'Words | and more.', '![a fox](../renders/a%20fox.png)'],
    ['mdx', 'import A from "./a"\n\n|\n', '![a fox](../renders/a%20fox.png)'],
    ['html', "<p>It isn't |</p>", '<img src="../renders/a%20fox.png" alt="a fox" width="640" height="480">'],
    [
      'jsx',
      "const a = <p>It isn't |</p>;",
      '<img src="../renders/a%20fox.png" alt="a fox" width={640} height={480} />',
    ],
    ['vue', '<template>\n  |\n</template>', '<img src="../renders/a%20fox.png" alt="a fox" width="640" height="480">'],
    ['svelte', '{#if a}|{/if}', '<img src="../renders/a%20fox.png" alt="a fox" width="640" height="480">'],
    ['astro', '---\n---\n<p>{a} |</p>', '<img src="../renders/a%20fox.png" alt="a fox" width="640" height="480">'],
    ['typst', 'Words |', '#image("../renders/a fox.png", alt: "a fox")'],
    ['css', 'a { background: |; }', 'url("../renders/a%20fox.png")'],
    ['scss', 'a { b { background: | } }', 'url("../renders/a%20fox.png")'],
    ['latex', 'Words |', '\\includegraphics[width=\\linewidth,alt={a fox}]{../renders/a fox.png}'],
    [
      'restructuredtext',
      'Words |',
      '\n\n.. image:: ../renders/a\\ fox.png\n   :alt: a fox\n   :width: 640px\n   :height: 480px\n',
    ],
    ['asciidoc', 'Before\n|', '\nimage::../renders/a fox.png["a fox",640,480]\n'],
  ];
  for (const [syntax, place, text] of places)
    test(syntax, () => assert.deepEqual(inserted(syntax, place), { kind: 'links', text }));

  test('replaces the selection', () => {
    assert.equal(inserted('markdown', 'Words |of no use|.')?.kind, 'links');
  });

  test('inserts several, one after another', () => {
    assert.equal(
      inserted('markdown', '|', [fox, hen])?.text,
      '![a fox](../renders/a%20fox.png) ![a hen](../renders/hen.png)',
    );
    assert.equal(inserted('css', 'a { background: |; }', [fox, hen])?.text.split(', ').length, 2);
    assert.match(inserted('asciidoc', '|', [fox, hen])?.text ?? '', /^image::.+\]\n\nimage::.+\]\n$/);
  });
});

suite('inserts only a path where one is expected', () => {
  const places: readonly (readonly [Syntax, string, string])[] = [
    ['markdown', 'Words ![alt](|) and more.', '../renders/a%20fox.png'],
    ['markdown', 'A [link](|) to it.', '../renders/a%20fox.png'],
    ['markdown', '[fox]: |', '../renders/a%20fox.png'],
    ['markdown', 'In markup: <img src="|">', '../renders/a%20fox.png'],
    ['html', '<img alt="" src="|">', '../renders/a%20fox.png'],
    ['html', '<a href="|">the fox</a>', '../renders/a%20fox.png'],
    ['html', '<div style="background: url(|)"></div>', '../renders/a%20fox.png'],
    ['jsx', 'const a = <img src={"|"} />;', '../renders/a%20fox.png'],
    ['jsx', "import fox from '|';", '../renders/a fox.png'],
    ['jsx', "const paths = ['a.png', '|'];", '../renders/a%20fox.png'],
    ['vue', '<template>\n  <img\n    src="|"\n  >\n</template>', '../renders/a%20fox.png'],
    ['css', 'a { background: url(|); }', '../renders/a%20fox.png'],
    ['css', 'a { background: url("|"); }', '../renders/a%20fox.png'],
    ['scss', '$fox: "|";', '../renders/a%20fox.png'],
    ['typst', '#image("|", width: 3cm)', '../renders/a fox.png'],
    ['markdown', '---\ncover: "|"\n---\n', '../renders/a%20fox.png'],
    ['markdown', '{{< figure src="|" >}}', '../renders/a%20fox.png'],
    ['latex', '\\includegraphics[width=3cm]{|}', '../renders/a fox.png'],
    ['restructuredtext', '.. image:: |\n   :alt: a fox', '../renders/a\\ fox.png'],
    ['asciidoc', 'image::|[]', '../renders/a%20fox.png'],
  ];
  for (const [syntax, place, text] of places)
    test(`${syntax}: ${place}`, () => assert.deepEqual(inserted(syntax, place), { kind: 'path', text }));
});

suite('offers nothing where neither can be', () => {
  const places: readonly (readonly [Syntax, string])[] = [
    ['markdown', '```sh\ncp | there\n```'],
    ['markdown', 'It is in `|`.'],
    ['markdown', '<!-- | -->'],
    ['markdown', '![alt](../|)'],
    ['html', '<!-- see | -->'],
    ['html', '<script>const path = |;</script>'],
    ['jsx', '// see |'],
    ['jsx', "const path = 'folder/|';"],
    ['css', '/* see | */'],
    ['latex', '% see |'],
    ['latex', '\\includegraphics{figures/|}'],
    ['asciidoc', '----\ncp |\n----'],
  ];
  for (const [syntax, place] of places)
    test(`${syntax}: ${place}`, () => assert.equal(inserted(syntax, place), undefined));

  test('offers nothing for several where one path is expected', () => {
    assert.equal(inserted('html', '<img src="|">', [fox, hen]), undefined);
  });

  test('offers nothing without an image', () => {
    assert.equal(inserted('markdown', '|', []), undefined);
  });
});

suite('At several cursors', () => {
  const atAll = (marked: string, syntax: Syntax) => {
    const places = [...marked.matchAll(/\|/g)].map(({ index }, before) => index - before);
    const spans = places.map((place) => ({ start: place, end: place }));
    return insertedIn(marked.replaceAll('|', ''), spans, syntax, [fox])?.text;
  };

  test('inserts the same text if it suits all of them', () => {
    assert.equal(atAll('One | and | two.', 'markdown'), '![a fox](../renders/a%20fox.png)');
  });

  test('inserts the same path if each expects one, whatever the order of the cursors', () => {
    const text = '![](one.png) and ![](two.png)';
    const spans = ['two.png', 'one.png'].map((path) => {
      const start = text.indexOf(path);
      return { start, end: start + path.length };
    });
    assert.deepEqual(insertedIn(text, spans, 'markdown', [fox]), { kind: 'path', text: '../renders/a%20fox.png' });
  });

  test('inserts nothing if they’d need different texts', () => {
    assert.equal(atAll('Words|\n\n|\n\nmore', 'restructuredtext'), undefined);
    assert.equal(atAll('![](|) and |', 'markdown'), undefined);
    assert.equal(atAll('| <!-- | -->', 'markdown'), undefined);
  });
});

suite('a link on its own lines leaves everything around the cursor unchanged', () => {
  const image = '.. image:: ../renders/hen.png\n   :alt: a hen\n   :width: 64px\n   :height: 48px\n';
  const places: readonly (readonly [place: string, Syntax, string, string])[] = [
    ['in a line', 'restructuredtext', 'Some |words.\n\nMore.', `Some words.\n\n${image}\n\nMore.`],
    ['right below a line', 'restructuredtext', 'Words.\n|\n\nMore.', `Words.\n\n${image}\n\nMore.`],
    [
      'in a directive',
      'restructuredtext',
      '.. image:: a.png|\n   :alt: an a\n\nMore.',
      `.. image:: a.png\n   :alt: an a\n\n${image}\n\nMore.`,
    ],
    [
      'in an option of it',
      'restructuredtext',
      '.. image:: a.png\r\n   :alt: |an a\r\n\r\nMore.',
      `.. image:: a.png\r\n   :alt: an a\n\n${image}\r\n\r\nMore.`,
    ],
    [
      'between a figure and its caption',
      'restructuredtext',
      '.. figure:: a.png\n|\n   A caption.\n\n   A legend.\n\nMore.',
      `.. figure:: a.png\n\n   A caption.\n\n   A legend.\n\n${image}\n\nMore.`,
    ],
    ['on a line of its own', 'restructuredtext', 'Words.\n\n|\n\nMore.', `Words.\n\n${image}\n\nMore.`],
    ['at the end', 'restructuredtext', 'Words.\n\n|', `Words.\n\n${image}`],
    [
      'in a paragraph',
      'asciidoc',
      'Some |words\nand more.\n\nLast.',
      'Some words\nand more.\n\nimage::../renders/hen.png["a hen",64,48]\n\n\nLast.',
    ],
  ];
  for (const [place, syntax, marked, whole] of places) {
    test(`${place} of ${syntax}`, () => {
      const text = marked.replace('|', '');
      const offset = linkOffset(text, marked.indexOf('|'), syntax);
      const inserted = linksAt(text, { start: offset, end: offset }, syntax, [hen]);
      const after = text.slice(0, offset) + inserted + text.slice(offset);
      assert.equal(after, whole);
      const said = (document: string) => imageLinks(document, syntax).map(({ path, alt }) => [path, alt?.text]);
      assert.deepEqual(
        said(after).filter(([path]) => path !== hen.path),
        said(text),
      );
    });
  }
});
