import assert from 'node:assert/strict';
import { test } from 'node:test';
import { imageLinks } from '../../../src/documents/imageLinks';
import { edited } from '../../../src/documents/passage';
import { removal } from '../../../src/documents/removal';
import type { Syntax } from '../../../src/documents/syntax';
import { Chance } from '../../faults/simulate/chance';

const documents = 300;

/**
 * Parts of documents: each W becomes a word of the user's, each P an image path, and each R a name in both places
 * it's used.
 */
const parts: Readonly<Partial<Record<Syntax, readonly string[]>>> = {
  markdown: [
    ...[
      'W W ![a](P) W',
      '![a](P)',
      '- W ![a](P)\n- W',
      '[![a](P)](there) W',
      '| W |\n| --- |\n| ![a](P) W |',
      '> ![a](P)',
    ],
    ...[
      '> W\n> ![a](P)',
      '![a](P "t") W',
      '![a][R] W\n\n[R]: P',
      '<img src="P" alt="a"> W',
      '# W ![a](P)',
      '![a](P)\n===',
    ],
    ...[
      'W\n![a](P)\nW',
      '```\n![a](P) W\n```',
      '![a](P){width=3} W',
      '![a](P)![a](P)',
      '*![a](P) W*',
      'W ![[P|300]] W',
      'W {{< figure src="P" alt="a" >}} W',
      '{% image "P", "a" %}\nW',
      '```{figure} P\n:alt: a\n\nW W\n```',
      '```{image} P\n:alt: a\n```',
      '!!! note "W"\n\n    ![a](P) W',
      'W\n\n:a{src="P"} W',
      '![[P]]\n\nW',
      '1. ![a](P)\n\n   W',
    ],
  ],
  html: [
    ...[
      '<p>W <img src="P" alt="a"> W</p>',
      '<picture><source srcset="P"><img src="P"></picture>',
      '<img srcset="P 1x, P 2x">',
    ],
    ...['<figure><img src="P"><figcaption>W</figcaption></figure>', '<p style="color: red; background: url(P)">W</p>'],
    ...[
      '<video controls poster="P">W</video>',
      '<style>a { background: url(P), url(P); }</style>',
      '<!-- W <img src="P"> -->',
    ],
    ...['<p style="background: url(P)">W</p>', '<input type="image" src="P"> W', '<a href="there">W<img src="P"></a>'],
  ],
  css: [
    ...[
      '.W { background: url(P), url(P); }',
      '.W { color: red; background-image: url("P") }',
      '.W { cursor: url(P), auto }',
    ],
    ...['/* W url(P) */', '.W { background: red url(P) top; color: red; }', '.W { content: url(P) / "W"; }'],
    ...[
      '.W { background: image-set("P" 1x, "P" 2x); }',
      '.W{background:url(P)}',
      '.W { mask: url(P) no-repeat, url(P); }',
    ],
  ],
  jsx: [
    ...["import R from './P';\nconst W = <p>W <img src={R} /></p>;", "import R from './P';", "import './P';\nW();"],
    ...[
      'const W = <p><img src="P" /> W</p>;',
      'const W = <p>\n  <img src="P" />\n  <b>W</b>\n</p>;',
      "const W = require('./P');",
    ],
    ...['const W = () => <img src="P" />;', 'const W = a ? <img src="P" /> : W;', 'const W = <A src="P">W</A>;'],
  ],
  latex: [
    ...[
      'W \\includegraphics{P} W',
      '\\begin{figure}\n\\includegraphics[width=3cm]{P}\n\\caption{W}\n\\end{figure}',
      '% W',
    ],
    ...['\\fbox{\\includegraphics{P}} W', '\\includegraphics{P}\\includegraphics{P}'],
  ],
  typst: [
    'W #image("P") W',
    '#figure(\n  image("P"),\n  caption: [W],\n)',
    '#image("P", alt: "a")',
    '// W #image("P")',
    '#grid(image("P"), image("P"))',
  ],
  restructuredtext: [
    ...[
      '.. image:: P\n   :alt: a',
      '.. figure:: P\n\n   W W',
      'W |R| W\n\n.. |R| image:: P',
      '- W\n\n  .. image:: P',
      'W\n\n   W',
    ],
    ...['.. figure:: P\n   :alt: a', '.. _W:\n\n.. image:: P'],
  ],
  asciidoc: [
    'image::P[a]',
    'W image:P[a] W',
    '.W\nimage::P[]',
    '[W]\nimage::P[a]',
    '* W\n+\nimage::P[a]',
    '|===\n|W image:P[]\n|===',
  ],
};

/** A declaration without a value, or a list with an empty item. */
const brokenStyle = /:\s*[;,}]|,\s*[;,}]/;

function documentOf(syntax: Syntax, chance: Chance): string {
  let count = 0;
  const some = Array.from({ length: chance.between('parts', 1, 6) }, (_, at) => {
    const name = `r${at}name`;
    return chance
      .pick(`part ${at}`, parts[syntax]!)
      .replaceAll('R', name)
      .replace(/[WP]/g, (kind) => (kind === 'W' ? `w${++count}` : `p${++count}.png`));
  });
  return some.join(chance.unit('gap') < 0.7 ? '\n\n' : '\n') + (chance.unit('end') < 0.8 ? '\n' : '');
}

const wordsOf = (text: string) => text.match(/\bw\d+\b/g) ?? [];

for (const syntax of Object.keys(parts) as Syntax[])
  test(`a link that is removed anywhere in ${syntax} takes no word and no other image with it`, (t) => {
    let [removed, kept] = [0, 0];
    for (let seed = 1; seed <= documents; seed++) {
      const text = documentOf(syntax, new Chance(seed));
      const links = imageLinks(text, syntax);
      for (const [at, link] of links.entries()) {
        const edit = removal(text, link);
        if (!edit) {
          kept++;
          continue;
        }
        removed++;
        const now = edited(text, edit);
        const story = `seed ${seed}, ${link.path}:\n${text}\nbecame\n${now}`;
        assert.deepEqual(wordsOf(now), wordsOf(text), story);
        const others = links.filter((_, other) => other !== at).map(({ path }) => path);
        assert.deepEqual(
          imageLinks(now, syntax).map(({ path }) => path),
          others,
          story,
        );
        if (syntax === 'css') assert.doesNotMatch(now, brokenStyle, story);
      }
    }
    t.diagnostic(`${removed} removed, ${kept} left`);
    assert.ok(removed > documents / 4);
  });
