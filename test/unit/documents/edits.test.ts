import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { repathed, withSize } from '../../../src/documents/edits';
import { imageLinks } from '../../../src/documents/imageLinks';
import { imageText } from '../../../src/documents/insertion';
import type { Edit } from '../../../src/documents/scan';
import type { Syntax } from '../../../src/documents/syntax';

function edited(text: string, edit: Edit | undefined): string | undefined {
  return edit && text.slice(0, edit.start) + edit.text + text.slice(edit.end);
}

const first = (text: string, syntax: Syntax) => imageLinks(text, syntax)[0]!;
const moved = (text: string, syntax: Syntax, path: string) => edited(text, repathed(first(text, syntax), path));
const sized = (text: string, syntax: Syntax) =>
  edited(text, withSize(text, first(text, syntax), { width: 640, height: 360 }));

suite('A link to another path', () => {
  test('keeps the spelling of the URL', () => {
    assert.equal(moved('![a](x.jpg "t")', 'markdown', 'a b (1).png'), '![a](a%20b%20%281%29.png "t")');
    assert.equal(moved('![a](<my x.jpg>)', 'markdown', 'my x.png'), '![a](<my x.png>)');
    assert.equal(moved('![a][b]\n\n[b]: x.jpg?raw=true', 'markdown', 'x.png'), '![a][b]\n\n[b]: x.png?raw=true');
    assert.equal(moved('<img src=x.jpg alt=a>', 'html', 'é "x".png'), '<img src=é%20%22x%22.png alt=a>');
    assert.equal(moved("a = <Image src={'/x.jpg'} />", 'jsx', "/it's.png"), "a = <Image src={'/it%27s.png'} />");
    assert.equal(moved("import a from './x.jpg?url'", 'jsx', "./it's.png"), "import a from './it\\'s.png?url'");
    assert.equal(moved('a { background: url(x.jpg) }', 'css', 'a b.png'), 'a { background: url(a%20b.png) }');
    assert.equal(
      moved('\\includegraphics[width=1cm]{x}', 'latex', 'a_b 100%.png'),
      '\\includegraphics[width=1cm]{a_b 100\\%.png}',
    );
    assert.equal(
      moved('.. image:: x.jpg\n   :alt: a', 'restructuredtext', 'a b.png'),
      '.. image:: a\\ b.png\n   :alt: a',
    );
    assert.equal(
      moved('---\nimage: "x.jpg" # y\n---\n', 'markdown', 'a "b".png'),
      '---\nimage: "a%20%22b%22.png" # y\n---\n',
    );
    assert.equal(moved('```{image} x.jpg\n```', 'markdown', 'a b.png'), '```{image} a\\ b.png\n```');
    assert.equal(moved('{{< figure src="x.jpg" >}}', 'markdown', 'a b.png'), '{{< figure src="a%20b.png" >}}');
    assert.equal(moved('#image("x.jpg", alt: "a")', 'typst', 'a "b".png'), '#image("a \\"b\\".png", alt: "a")');
    assert.equal(moved('![[x.jpg|a|300]]', 'markdown', 'b c/x.png'), '![[b c/x.png|a|300]]');
    assert.equal(moved('<Card image="x.jpg" />', 'mdx', 'a "b".png'), '<Card image="a%20%22b%22.png" />');
    assert.equal(
      moved("a = <Card icon={b ? 'x.jpg' : c} />", 'jsx', "it's.png"),
      "a = <Card icon={b ? 'it%27s.png' : c} />",
    );
    assert.equal(moved('image::my x.jpg[a]', 'asciidoc', 'my [x].png'), 'image::my %5Bx%5D.png[a]');
  });

  test('leads there and is otherwise the same', () => {
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
    const path = fc.string({
      unit: fc.constantFrom(...Array.from('ab é狐%#?&()[]{}<>"\'`*_+=,;:!$^~|')),
      minLength: 1,
      maxLength: 12,
    });
    const trimmed = path.map((text) => `${text.trim()}.png`);
    fc.assert(
      fc.property(fc.constantFrom(...syntaxes), trimmed, trimmed, (syntax, before, after) => {
        const text = imageText(syntax, { path: before, alt: 'A fox' });
        const shown = syntax === 'jsx' ? `a = ${text}` : text;
        const link = first(shown, syntax);
        const again = first(edited(shown, repathed(link, after)) ?? '', syntax);
        assert.equal(again.path.replace(/^\.\//, ''), after);
        assert.equal(again.alt?.text, link.alt?.text);
      }),
      { numRuns: 1000 },
    );
  });
});

suite('A size', () => {
  test('is added where the language supports it', () => {
    assert.equal(sized('<img src="a.png" alt="A">', 'html'), '<img src="a.png" alt="A" width="640" height="360">');
    assert.equal(sized('<img src=a.png />', 'vue'), '<img src=a.png width="640" height="360" />');
    assert.equal(sized('x = <img src="a.png" />', 'jsx'), 'x = <img src="a.png" width={640} height={360} />');
    assert.equal(
      sized('- .. image:: a.png\n     :alt: A\n', 'restructuredtext'),
      '- .. image:: a.png\n     :width: 640px\n     :height: 360px\n     :alt: A\n',
    );
    assert.equal(
      sized('.. image:: a.png', 'restructuredtext'),
      '.. image:: a.png\n   :width: 640px\n   :height: 360px',
    );
    assert.equal(
      sized('- ```{image} a.png\n  :alt: A\n  ```\n', 'markdown'),
      '- ```{image} a.png\n  :width: 640px\n  :height: 360px\n  :alt: A\n  ```\n',
    );
    assert.equal(
      sized('{{< figure src="a.png" >}}', 'markdown'),
      '{{< figure src="a.png" width="640" height="360" >}}',
    );
    assert.equal(sized('image::a.png[A]', 'asciidoc'), 'image::a.png[A,width=640,height=360]');
    assert.equal(sized('image::a.png[]', 'asciidoc'), 'image::a.png[width=640,height=360]');
  });

  test('isn’t added twice, or where it isn’t supported', () => {
    assert.equal(sized('<img src="a.png" width="50%">', 'html'), undefined);
    assert.equal(sized('x = <img src="a.png" style={f({}) > 3} width={w} />', 'jsx'), undefined);
    assert.equal(sized('.. image:: a.png\n   :scale: 50%', 'restructuredtext'), undefined);
    assert.equal(sized('image::a.png[A,300]', 'asciidoc'), undefined);
    assert.equal(sized('{{< figure src="a.png" width="50%" >}}', 'markdown'), undefined);
    assert.equal(sized('{% image "a.png" %}', 'markdown'), undefined);
    assert.equal(sized('```{image} a.png\n---\nalt: A\n---\n```', 'markdown'), undefined);
    assert.equal(sized('image::a.png[A,width=50%]', 'asciidoc'), undefined);
    for (const [text, syntax] of [
      ['![a](a.png)', 'markdown'],
      ['a{b:url(a.png)}', 'css'],
      ['\\includegraphics{a}', 'latex'],
    ] as const)
      assert.equal(sized(text, syntax), undefined);
  });

  test('is read again after it was added', () => {
    for (const syntax of ['html', 'jsx', 'vue', 'svelte', 'restructuredtext', 'asciidoc'] as const) {
      const text = imageText(syntax, { path: 'a.png', alt: 'A red fox' });
      const link = first(sized(syntax === 'jsx' ? `a = ${text}` : text, syntax)!, syntax);
      assert.deepEqual([link.width, link.height, link.alt?.text], [640, 360, 'A red fox'], syntax);
    }
  });
});
