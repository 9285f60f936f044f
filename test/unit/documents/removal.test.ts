import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { imageLinks } from '../../../src/documents/imageLinks';
import { removal } from '../../../src/documents/removal';
import type { Edit } from '../../../src/documents/scan';
import type { Syntax } from '../../../src/documents/syntax';

function edited(text: string, edit: Edit | undefined): string | undefined {
  return edit && text.slice(0, edit.start) + edit.text + text.slice(edit.end);
}

const removed = (text: string, syntax: Syntax) => edited(text, removal(text, imageLinks(text, syntax)[0]!));

suite('Removing a link', () => {
  test('removes its line if nothing else is on it', () => {
    assert.equal(removed('a\n\n  ![x](x.png)\n\nb\n', 'markdown'), 'a\n\nb\n');
    assert.equal(removed('a\n![x](x.png)\nb', 'markdown'), 'a\nb');
    assert.equal(removed('![x](x.png)', 'markdown'), '');
    assert.equal(removed('a ![x](x.png) b', 'markdown'), 'a  b');
    assert.equal(removed('<p>\n  <img src="x.png">\n</p>', 'html'), '<p>\n</p>');
    assert.equal(removed("import a from './a.png';\nimport b from './b';\n", 'jsx'), "import b from './b';\n");
    assert.equal(removed('a\n\n.. image:: x.png\n   :alt: X\n\nb\n', 'restructuredtext'), 'a\n\nb\n');
  });

  test('removes a style’s declaration if it holds nothing else', () => {
    assert.equal(removed('a {\n  color: red;\n  background-image: url("x.png");\n}', 'css'), 'a {\n  color: red;\n}');
    assert.equal(removed('a { background: url(x.png) }', 'css'), 'a {  }');
    assert.equal(removed('a { background: red url(x.png) top; }', 'css'), 'a { background: red  top; }');
  });

  test('keeps the video that it was the poster of', () => {
    assert.equal(removed('<video controls poster="x.png"></video>', 'html'), '<video controls></video>');
  });

  test('keeps the component whose attribute it was', () => {
    assert.equal(removed('a = <Card title="A" image="x.png" />', 'jsx'), 'a = <Card title="A" />');
    assert.equal(removed('a\n\n![[x.png|300]]\n\nb\n', 'markdown'), 'a\n\nb\n');
  });

  test('removes shortcodes, directives, and fields of front matter', () => {
    assert.equal(removed('a {{< figure src="x.png" >}} b', 'markdown'), 'a  b');
    assert.equal(removed('a\n\n{% image "x.png", "X" %}\n\nb\n', 'markdown'), 'a\n\nb\n');
    assert.equal(removed('a\n\n```{image} x.png\n:alt: X\n```\n\nb\n', 'markdown'), 'a\n\nb\n');
    assert.equal(removed('---\ntitle: A\nimage: x.png\n---\nb\n', 'markdown'), '---\ntitle: A\n---\nb\n');
    assert.equal(removed('+++\nimage = "x.png"\n+++\nb\n', 'markdown'), '+++\n+++\nb\n');
    assert.equal(removed('a\n\n#image("x.png", width: 50%)\n\nb\n', 'typst'), 'a\n\nb\n');
  });

  test('changes nothing if it would leave half of a pair', () => {
    assert.equal(removed('a = <Card src="x.png">text</Card>', 'jsx'), undefined);
  });

  test('removes its item from a list of images in a style', () => {
    assert.equal(removed('a { background: url(x.png), url(b.png); }', 'css'), 'a { background: url(b.png); }');
    assert.equal(
      removed('a { background-image: linear-gradient(red, blue), url(x.png) }', 'css'),
      'a { background-image: linear-gradient(red, blue) }',
    );
    assert.equal(removed('a { cursor: url(x.png), auto; }', 'css'), 'a { cursor: auto; }');
    assert.equal(removed('<p style="color: red; background: url(x.png)">', 'html'), '<p style="color: red; ">');
  });

  const kept: readonly (readonly [Syntax, string])[] = [
    ['restructuredtext', '.. figure:: x.png\n   :alt: X\n\n   My own caption.\n\nText'],
    ['restructuredtext', '.. figure:: x.png\n\n   My own caption.'],
    ['restructuredtext', '.. |fox| image:: x.png\n\nA |fox|.'],
    ['asciidoc', '.My own caption\nimage::x.png[A fox]\n\nText'],
    ['html', '<img srcset="x.png 1x, y.png 2x">'],
    ['html', '<img src="x.png" srcset="y.png 2x">'],
    ['html', '<picture><source srcset="y.webp"><img src="x.png"></picture>'],
    ['vue', '<template><img v-if="a" src="x.png"><p v-else>b</p></template>'],
    ['jsx', 'function A() { return <img src="x.png" />; }'],
    ['jsx', 'const a = () => <img src="x.png" />;'],
    ['jsx', 'const a = <p>{b && <img src="x.png" />}</p>;'],
    ['jsx', "import x from './x.png';\nconst a = <img src={x} />;"],
    ['jsx', "import x from './x.png';\nexport { x };"],
    ['jsx', "const x = require('./x.png');"],
    ['jsx', "const x = useBaseUrl('/x.png');"],
    ['jsx', "const a = <Image src={b ? 'x.png' : 'y.png'} />;"],
    ['css', 'a { background: image-set("x.png" 1x, "y.png" 2x); }'],
    ['css', 'a { content: url(x.png) / "A fox"; }'],
    ['css', 'a { background: url(x.png) !important; }'],
    ['scss', '$fox: url(x.png);\na { background: $fox; }'],
    ['markdown', '[![a](x.png)](there)'],
    ['markdown', '![a](x.png)\n===\n'],
    ['markdown', '```{figure} x.png\nMy own caption.\n```'],
    ['markdown', '---\ncover:\n  image: x.png\n---\n'],
    ['markdown', '---\nimages: [x.png]\n---\n'],
    ['markdown', '---\nimage: x.png # mine\n---\n'],
    ['markdown', '{{< figure src="x.png" >}}Words{{< /figure >}}'],
    ['typst', '#figure(image("x.png"), caption: [Mine])'],
  ];
  for (const [syntax, text] of kept)
    test(`stays where more would go, or something be left: ${text}`, () => {
      const links = imageLinks(text, syntax).filter(({ path }) => path.endsWith('x.png'));
      assert.ok(links.length > 0);
      for (const link of links) assert.equal(edited(text, removal(text, link)), undefined);
    });

  test('removes its attributes with it', () => {
    assert.equal(removed('a\n\n![a](x.png){: width="3"}\n\nb\n', 'markdown'), 'a\n\nb\n');
  });

  test('works between other tags in a script', () => {
    assert.equal(removed('a = <p><b /><img src="x.png" /></p>', 'jsx'), 'a = <p><b /></p>');
  });
});
