import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { rendersTo } from '../../../src/documents/destination';
import { imageLinks } from '../../../src/documents/imageLinks';
import { imageText } from '../../../src/documents/insertion';
import { linkPath, newNaming } from '../../../src/documents/linkPath';
import { relativePath } from '../../../src/documents/paths';
import type { Syntax } from '../../../src/documents/syntax';
import { SeenFolder } from './seenFolder';

/** Where the first image of a document leads: the first path of each candidate with its folder, or why nowhere. */
function leads(text: string, syntax: Syntax, documentPath: string): string[] | string {
  const destination = rendersTo(imageLinks(text, syntax)[0]!, documentPath);
  if (destination.kind === 'none') return destination.reason;
  return destination.candidates.map(({ paths, folder }) => `${paths[0]} if ${folder}`);
}

/** The path that a document with this text uses for a file of a folder without a site. */
function pathFor(syntax: Syntax, documentPath: string, filePath: string, text = ''): Promise<string> {
  return linkPath(newNaming(syntax, text), documentPath, filePath, new SeenFolder([], () => '').around(documentPath));
}

const markdown = (address: string, documentPath = 'docs/guide/a.md') =>
  leads(`![x](${address})`, 'markdown', documentPath);

suite('A link leads', () => {
  test('to a file next to its document', () => {
    assert.deepEqual(markdown('./img/my%20fox.png?raw=true#x'), ['docs/guide/img/my fox.png if docs/guide']);
    assert.deepEqual(markdown('../../top.PNG'), ['top.PNG if docs/guide']);
    assert.deepEqual(markdown('img\\fox.png'), ['docs/guide/img/fox.png if docs/guide']);
    assert.deepEqual(markdown('100%.png', 'a.md'), ['100%.png if ']);
    assert.deepEqual(markdown('my%20FOX%20at%C3%89.png', 'a.md'), ['my FOX atÉ.png if ']);
    assert.deepEqual(markdown('__init__.png', 'a.md'), ['__init__.png if ']);
  });

  test('from the root of a site to its public folder, or its static one, or the workspace folder', () => {
    assert.deepEqual(leads('<img src="/hero.png"/>', 'html', 'apps/web/index.html'), [
      'apps/web/public/hero.png if apps/web/public',
      'apps/web/static/hero.png if apps/web/static',
      'apps/web/wwwroot/hero.png if apps/web/wwwroot',
      'apps/public/hero.png if apps/public',
      'apps/static/hero.png if apps/static',
      'apps/wwwroot/hero.png if apps/wwwroot',
      'public/hero.png if public',
      'static/hero.png if static',
      'wwwroot/hero.png if wwwroot',
      'hero.png if ',
    ]);
    // A browser requests it relative to the page, wherever the component is.
    assert.deepEqual(leads('const a = <img src="img/hero.png"/>', 'jsx', 'src/a.tsx').slice(3), [
      'public/img/hero.png if public',
      'static/img/hero.png if static',
      'wwwroot/img/hero.png if wwwroot',
      'src/img/hero.png if src',
    ]);
    assert.deepEqual(leads('<template><img src="@/assets/hero.png"></template>', 'vue', 'src/a.vue'), [
      'src/src/assets/hero.png if src/src',
      'src/assets/hero.png if src',
      'assets/hero.png if ',
    ]);
    assert.deepEqual(leads('a { background: url(~@/a.png) }', 'scss', 'a.scss'), ['src/a.png if src', '~@/a.png if ']);
    assert.deepEqual(leads('.. image:: /img/a.png', 'restructuredtext', 'docs/source/guide/a.rst'), [
      'docs/source/img/a.png if docs/source',
      'docs/img/a.png if docs',
      'img/a.png if ',
    ]);
  });

  test('in LaTeX, from the main document, with any file extension that LaTeX tries', () => {
    const text = '\\graphicspath{{figures/}}\\includegraphics{fox}';
    assert.deepEqual(leads(text, 'latex', 'chapters/a.tex'), [
      'chapters/figures/fox.png if chapters/figures',
      'figures/fox.png if figures',
      'chapters/fox.png if chapters',
      'fox.png if ',
      'chapters/fox.png if chapters',
    ]);
    const destination = rendersTo(imageLinks(text, 'latex')[0]!, 'a.tex');
    assert.ok(destination.kind === 'file');
    assert.deepEqual(destination.candidates.at(-1)?.paths, ['fox.png', 'fox.pdf', 'fox.jpg', 'fox.jpeg', 'fox.eps']);
    assert.deepEqual(leads('\\includegraphics{plot-1.5}', 'latex', 'a.tex'), ['plot-1.5.png if ']);
    assert.equal(leads('\\includegraphics{plot.pdf}', 'latex', 'a.tex'), 'ending');
  });

  test('from React Native, to a version for any screen', () => {
    const destination = rendersTo(imageLinks("a = require('./fox.png')", 'jsx')[0]!, 'src/a.tsx');
    assert.ok(destination.kind === 'file');
    const [{ paths }] = destination.candidates;
    assert.equal(paths[0], 'src/fox.png');
    for (const version of ['@2x', '@3x', '.ios', '.android']) assert.ok(paths.includes(`src/fox${version}.png`));
  });

  test('in AsciiDoc, below the image folder', () => {
    assert.deepEqual(leads(':imagesdir: ../img\n\nimage::a b.png[]', 'asciidoc', 'docs/a.adoc'), [
      'img/a b.png if docs',
    ]);
  });

  test('in AsciiDoc to the file that it was written for, wherever the document says its images are', async () => {
    const tops = ['', ':imagesdir: images', ':imagesdir: ../img/', ':imagesdir: .', ':imagesdir: a\n:imagesdir!:'];
    for (const top of [...tops, 'ifndef::imagesdir[:imagesdir: pictures]', '----\n:imagesdir: shown as code'])
      for (const file of ['docs/images/fox.png', 'img/fox.png', 'docs/guide/fox.png', 'fox.png']) {
        const path = await pathFor('asciidoc', 'docs/a.adoc', file, `= Foxes\n${top}\n`);
        const [link] = imageLinks(`= Foxes\n${top}\n\n${imageText('asciidoc', { path, alt: 'A fox' })}\n`, 'asciidoc');
        if (!link) continue;
        const destination = rendersTo(link, 'docs/a.adoc');
        assert.ok(destination.kind === 'file' && destination.candidates[0].paths[0] === file, `${top}: ${path}`);
      }
    assert.equal(await pathFor('asciidoc', 'docs/a.adoc', 'docs/images/fox.png', ':imagesdir: images\n'), 'fox.png');
  });

  test('nowhere a render could be saved, with the reason', () => {
    assert.equal(markdown('https://example.org/a.png'), 'remote');
    assert.equal(markdown('//cdn.example/a.png'), 'remote');
    assert.equal(markdown('\\\\\\\\server\\share\\a.png'), 'remote');
    assert.equal(markdown('data:image/png;base64,AAAA'), 'data');
    assert.equal(markdown('{{page.x}}/a.png'), 'template');
    assert.equal(markdown('a.txt'), 'ending');
    assert.equal(markdown('img/'), 'ending');
    assert.equal(markdown('#top'), 'empty');
    assert.equal(markdown(''), 'empty');
    assert.equal(markdown('../../../a.png'), 'outside');
    assert.equal(markdown('..%2f..%5c%2e%2e/a.png'), 'outside');
    assert.equal(markdown('file:///etc/a.png'), 'outside');
    assert.equal(markdown('C:/a.png'), 'outside');
    for (const path of ['./..\\..\\a.png', './a\\..\\..\\..\\b.png'])
      assert.equal(leads(`import a from '${path.replaceAll('\\', '\\\\')}'`, 'jsx', 'a.tsx'), 'outside', path);
    assert.equal(markdown('a%00.png'), 'outside');
    assert.equal(leads("import a from 'pkg/a.png'", 'jsx', 'a.tsx'), 'package');
    assert.equal(leads('a { background: url(~pkg/a.png) }', 'scss', 'a.scss'), 'package');
    assert.equal(leads('a { background: url($path) }', 'scss', 'a.scss'), 'template');
    assert.equal(leads('<img src="{base}/a.png">', 'svelte', 'a.svelte'), 'template');
    const style = '<p style="background: url(/img/{kind}.png)">';
    assert.equal(leads(style, 'svelte', 'a.svelte'), 'template');
    assert.equal(leads('image::{dir}/a.png[]', 'asciidoc', 'a.adoc'), 'template');
    for (const mark of ['{static}/a.png', '{type}.png', '%PUBLIC_URL%/a.png', '%BASE%/a.png', '$relpath^img/a.png'])
      assert.equal(leads(`<img src="${mark}">`, 'html', 'a.html'), 'template', mark);
    for (const mark of ['[% base %]/a.png', '__BASE__/a.png', '|static|/a.png'])
      assert.equal(leads(`<img src="${mark}">`, 'html', 'a.html'), 'template', mark);
    assert.equal(leads('a { background: url(a.png) }', 'css', 'vendor.min.css'), 'vendored');
    assert.equal(leads('a { background: url(a.png) }', 'scss', 'styles/_parts.scss'), 'partial');
    assert.equal(leads('\\includegraphics{\\figures/a.png}', 'latex', 'a.tex'), 'template');
    assert.equal(leads('\\includegraphics{a#1.png}', 'latex', 'a.tex'), 'template');
  });

  test('to where it was made for', async () => {
    const name = fc
      .stringMatching(/^[\p{L}\p{N} @(),%#'&_-]{1,12}$/u)
      .map((text) => text.trim())
      // What stands between percent signs is a template's, also where it's a name.
      .filter((text) => text !== '' && !/%[A-Z][A-Z_]+%/.test(text));
    const folder = fc.array(fc.oneof(fc.constantFrom('docs', 'src', 'public', 'static'), name), { maxLength: 3 });
    const syntaxes: readonly Syntax[] = [
      'markdown',
      'mdx',
      'html',
      'jsx',
      'vue',
      'svelte',
      'astro',
      'css',
      'latex',
      'typst',
      'restructuredtext',
      'asciidoc',
    ];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...syntaxes), folder, folder, name, async (syntax, from, to, file) => {
        const documentPath = [...from, 'page'].join('/');
        const filePath = `${[...to, file].join('/')}.png`;
        const text = imageText(syntax, { path: await pathFor(syntax, documentPath, filePath), alt: 'A fox' });
        const shown = syntax === 'jsx' ? `const a = ${text};` : text;
        const destination = rendersTo(imageLinks(shown, syntax)[0]!, documentPath);
        assert.ok(destination.kind === 'file', `${text} in ${documentPath}`);
        const paths = destination.candidates.map(({ paths: [first] }) => first);
        assert.ok(paths.includes(filePath), `${text} in ${documentPath} leads to ${paths.join(', ')}, not ${filePath}`);
      }),
      { numRuns: 1000 },
    );
  });
});

test('by a relative path that is the shortest one there', () => {
  assert.equal(relativePath('docs/a.md', 'docs/img/x.png'), 'img/x.png');
  assert.equal(relativePath('docs/guide/a.md', 'docs/x.png'), '../x.png');
  assert.equal(relativePath('a.md', 'x.png'), 'x.png');
  assert.equal(relativePath('docs/a.md', 'docs.png'), '../docs.png');
});
