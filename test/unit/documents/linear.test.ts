import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { imageLinks } from '../../../src/documents/imageLinks';
import type { Syntax } from '../../../src/documents/syntax';
import { growsInProportion } from '../growth';

/** What a scanner might search for repeatedly: starts without an end, nesting, and near matches. */
const begun: Readonly<Record<Syntax, readonly string[]>> = {
  markdown: [
    ...[
      '![',
      '[',
      '![](',
      '![a](b "',
      "![a](b '",
      '![a](b (',
      '![a](<',
      '![a][',
      '![a](x())',
      '](',
      ']',
      '[a]: b\n',
      '![a](b)',
    ],
    ...[
      '`',
      '``a` ',
      '<a b="',
      "<a b='",
      '<a ',
      '<a b=c ',
      '<!--',
      '<?',
      '<!',
      '<',
      '\\',
      '&',
      '&amp',
      '*',
      '_a_ ',
      '{',
      '![![a](b)',
    ],
    ...[
      '- ',
      '> ',
      '1. ',
      '- x\n',
      '> x\n',
      '  - x\n',
      '* * x ',
      '\n',
      ' ',
      '\t',
      '```\n',
      '~~~ ',
      '    x\n',
      '<div>\n',
      '<pre>\n',
      '# x\n',
      '=\n',
    ],
    ...[
      '- - - - - - ',
      '>>>>>>>> x\n',
      '---\n',
      '<b a="x" ',
      '| x ',
      '![a](b){width=',
      '![a](b){a="',
      '![[a.png|',
      '![[a.png]] ',
      '![a](b =1x',
      '[^a]',
      '![\n',
      '`` ` ',
    ],
  ],
  mdx: [
    '{',
    '<a b={',
    '<A b={<A b={',
    '<A>{',
    "import a from 'b'\n\n",
    '{/*',
    '<a b="',
    '<A\n',
    '<A {...x}>',
    '{`${',
    '![a](b) ',
    'export {\n\n',
  ],
  html: [
    '<a b="',
    '<a',
    '<a b',
    '<img src=a ',
    '<!--',
    '<script>',
    '<style>',
    '<',
    '<a b=\'"',
    '<?',
    '<%',
    '&',
    '<source srcset="a,',
    '<img src="a.png" alt=""',
    '</',
    '<style>a{',
    '<img style="url(" ',
  ],
  jsx: [
    '<a b={',
    '<A>',
    '<A>{',
    '<a b={<a ',
    '{',
    '`${',
    '`',
    '"',
    "'\n",
    '/',
    '/[',
    '/*',
    '//',
    '<',
    '<T,',
    '<T extends ',
    '(<A>',
    'import ',
    "import a from 'b'",
    'require(',
    "require('a' ",
    'a=require(',
    '=<a>',
    '<A image={<A image={',
    '<A image={"',
    'useBaseUrl("a.png")',
    '=<A src={useBaseUrl("a.png")} />;',
    ';<a></a>',
    '<>',
    '\\',
  ],
  vue: ['<a :b="', '{{', '<script>import ', '<template>', '<style lang="scss">//'],
  svelte: ['{', '{#if ', '<a b={', '<a {', '{`', '{/', '<A>{"', '{@html <'],
  css: ['url(', 'url("', 'image-set(', 'image-set("', '/*', '"', "'\n", '(', ')', '{', '\\', 'url(a', 'url(\\'],
  scss: ['//', '// \n', 'url(//', '#{', 'url("#{'],
  latex: [
    '\\includegraphics[',
    '\\includegraphics{',
    '\\includegraphics[{',
    '\\caption{',
    '\\caption[',
    '\\begin{figure}',
    '\\begin{verbatim}',
    '\\verb|',
    '\\graphicspath{',
    '%',
    '\\',
    '{',
    '\\iffalse',
    '\\end{figure}',
    '\\begin{figure}\\includegraphics{a}',
    '\\includegraphics[alt={',
    '\\includegraphics[alt=',
    '\n',
    '\\includegraphics \n',
  ],
  restructuredtext: [
    '.. image:: a\n',
    '.. image::\n',
    '..\n',
    '.. a\n',
    'a::\n',
    ' ',
    '- ',
    '.. image:: a\n   :alt: b\n',
    '   :alt: b\n',
    '.. figure:: a\n\n',
    '.. |a| ',
    '\\ ',
    '.. image:: `',
    '*',
    '1. ',
  ],
  asciidoc: [
    'image::a[',
    'image:a[',
    'image:',
    '`',
    '+',
    '----\n',
    'image::a["',
    'image:a["b",',
    'image:a[b,',
    '.a\n',
    ':imagesdir: ',
    '[',
    ' a\n',
    '\\image:',
    'image::a[b,,,',
  ],
};

/** Each of them repeated, optionally followed by an end for some. */
function documentsOf(piece: string, length: number): string[] {
  const repeated = piece.repeat(Math.ceil(length / piece.length));
  return [repeated, `${repeated}\n\n${piece}x")}]>`];
}

suite('Eight times as much text takes nowhere near sixty-four times as long, whatever it is', () => {
  let inputs = 0;
  for (const [syntax, pieces] of Object.entries(begun)) {
    test(`in ${syntax}`, (t) => {
      for (const piece of pieces) {
        const long = documentsOf(piece, 64_000);
        documentsOf(piece, 8_000).forEach((short, index) => {
          inputs += 1;
          const read = (text: string) => () => imageLinks(text, syntax as Syntax);
          assert.ok(
            growsInProportion(read(short), read(long[index]!)),
            `${JSON.stringify(piece)}, ended ${index === 0 ? 'never' : 'at last'}`,
          );
        });
      }
      t.diagnostic(`${inputs} inputs`);
    });
  }
});

test('More images than fit on the stack are all found', () => {
  const count = 150_000;
  const documents: readonly (readonly [text: string, syntax: Syntax])[] = [
    ['![a](b.png) ', 'markdown'],
    ['<img src="b.png">', 'markdown'],
    ['<img src="b.png">', 'html'],
    ['<source srcset="b.png">', 'html'],
    ['image:b.png[] ', 'asciidoc'],
    ['\\includegraphics{b}', 'latex'],
  ];
  for (const [text, syntax] of documents) assert.equal(imageLinks(text.repeat(count), syntax).length, count);
});
