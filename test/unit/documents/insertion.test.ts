import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { insertionOf, type Insertion } from '../../../src/documents/insertion';
import type { ImageParts } from '../../../src/documents/imageText';
import type { Syntax } from '../../../src/documents/syntax';

const fox: ImageParts = { path: '../renders/a fox.png', alt: 'a fox', width: 640, height: 480 };
const hen: ImageParts = { path: '../renders/hen.png', alt: 'a hen', width: 64, height: 48 };

/** What is inserted at `|`, or in place of what stands between two of them. */
function inserted(syntax: Syntax, marked: string, pictures: readonly ImageParts[] = [fox]): Insertion | undefined {
  const start = marked.indexOf('|');
  const end = Math.max(start, marked.lastIndexOf('|') - 1);
  return insertionOf(marked.replaceAll('|', ''), { start, end }, syntax, pictures);
}

suite('where a picture can stand, a link to it is inserted', () => {
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
    ['css', 'a { background: |; }', 'url("../renders/a%20fox.png")'],
    ['scss', 'a { b { background: | } }', 'url("../renders/a%20fox.png")'],
    ['latex', 'Words |', '\\includegraphics[width=\\linewidth,alt={a fox}]{../renders/a fox.png}'],
    [
      'restructuredtext',
      'Words |',
      '\n\n.. image:: ../renders/a\\ fox.png\n   :alt: a fox\n   :width: 640px\n   :height: 480px\n',
    ],
    ['asciidoc', 'Before\n|', 'image::../renders/a fox.png["a fox",640,480]\n'],
  ];
  for (const [syntax, place, text] of places)
    test(syntax, () => assert.deepEqual(inserted(syntax, place), { kind: 'links', text }));

  test('in place of what was selected', () => {
    assert.equal(inserted('markdown', 'Words |of no use|.')?.kind, 'links');
  });

  test('several, one after the other', () => {
    assert.equal(
      inserted('markdown', '|', [fox, hen])?.text,
      '![a fox](../renders/a%20fox.png) ![a hen](../renders/hen.png)',
    );
    assert.equal(inserted('css', 'a { background: |; }', [fox, hen])?.text.split(', ').length, 2);
    assert.match(inserted('asciidoc', '|', [fox, hen])?.text ?? '', /^image::.+\]\n\nimage::.+\]\n$/);
  });
});

suite('where a path is awaited, it stays a path', () => {
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
    ['latex', '\\includegraphics[width=3cm]{|}', '../renders/a fox.png'],
    ['restructuredtext', '.. image:: |\n   :alt: a fox', '../renders/a\\ fox.png'],
    ['asciidoc', 'image::|[]', '../renders/a%20fox.png'],
  ];
  for (const [syntax, place, text] of places)
    test(`${syntax}: ${place}`, () => assert.deepEqual(inserted(syntax, place), { kind: 'path', text }));
});

suite('where neither can stand, nothing is offered', () => {
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

  test('several where one path is awaited', () => {
    assert.equal(inserted('html', '<img src="|">', [fox, hen]), undefined);
  });

  test('no picture', () => {
    assert.equal(inserted('markdown', '|', []), undefined);
  });
});
