import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { imageLinks } from '../../../src/documents/imageLinks';
import { found } from './found';

suite('Images in Markdown', () => {
  test('are found inline, with title, and by reference', () => {
    const text = [
      '![A red fox](img/fox.png "At dawn")',
      "![owl](<my owl.png> 'It\\'s night')  ![bear](bear\\(1\\).png (Big))",
      '![The *very* big `logo` of [us](https://x.y)](logo%20big.svg?raw=true#top)',
      '![A hare][hare] ![hare][] and ![Hare]',
      '',
      '[HARE]: ./hare.png',
      '  "Running"',
    ].join('\n');
    assert.deepEqual(found(text, 'markdown'), [
      'img/fox.png | A red fox | At dawn',
      "my owl.png | owl | It's night",
      'bear(1).png | bear | Big',
      'logo big.svg | The very big logo of us',
      './hare.png | A hare | Running',
      './hare.png | hare | Running',
      './hare.png | Hare | Running',
    ]);
  });

  test('are found in quotes, lists, headings, tables, and links', () => {
    const text = [
      '# ![a](a.png)',
      '> quoted ![b',
      '> goes on](b.png)',
      '',
      '- item ![c](c.png)',
      '',
      '      ![in the code of the item](no.png)',
      '',
      '  ![d](d.png)',
      '10. ![e](e.png)',
      '',
      '| x | ![f](f.png) |',
      '|---|---|',
      '[![g](g.png)](https://example.org)',
      'title ![h](h.png)',
      '---',
      '> words go on',
      '    # ![i](i.png) <![j](j.png)',
    ].join('\n');
    assert.deepEqual(found(text, 'markdown'), [
      'a.png | a',
      'b.png | b goes on',
      'c.png | c',
      'd.png | d',
      'e.png | e',
      'f.png | f',
      'g.png | g',
      'h.png | h',
      'i.png | i',
      'j.png | j',
    ]);
  });

  test('have places in the document, even after a quote’s markers', () => {
    const text = '> ![two\r\n> lines](<a b.png> "t")\r\n';
    const [link] = imageLinks(text, 'markdown');
    assert.equal(text.slice(link!.element.start, link!.element.end), '![two\r\n> lines](<a b.png> "t")');
    assert.equal(text.slice(link!.address.start, link!.address.end), 'a b.png');
    assert.equal(text.slice(link!.alt!.start, link!.alt!.end), 'two\r\n> lines');
    assert.equal(text.slice(link!.title!.start, link!.title!.end), 't');
    assert.equal(link!.alt!.text, 'two lines');
  });

  test('ignore code, comments, metadata, and escaped text', () => {
    const text = [
      '---',
      'cover: ![a](a.png)',
      '---',
      '`![b](b.png)` ``![c](`c.png)`` \\![d](d.png) !\\[e](e.png)',
      '',
      '```md',
      '![f](f.png)',
      '``',
      '![g](g.png)',
      '```',
      '',
      '    ![h](h.png)',
      '',
      '<!-- ![i](i.png)',
      '',
      '<img src="j.png"> -->',
      '<script>const s = "<img src=\'k.png\'>";</script>',
      '',
      '> ~~~',
      '> ![l](l.png)',
      '',
      '- ```',
      '  ![m](m.png)',
      '  ```',
      '![n](n n.png)',
    ].join('\n');
    assert.deepEqual(found(text, 'markdown'), []);
  });

  test('include those of its HTML', () => {
    const text = [
      '<p align="center">',
      '  <img src="a.png" alt="A &amp; B" width="300" height=200px>',
      '</p>',
      '',
      'Words <img alt=\'x\' src=b.png/> and <picture><source srcset="c.png 2x, d.png"></picture>',
      '> <div',
      '>   title="q"><img',
      '>   src="e.png"></div>',
    ].join('\n');
    assert.deepEqual(found(text, 'markdown'), ['a.png | A & B |  | 300x200', 'b.png | x', 'c.png', 'e.png']);
    const last = imageLinks(text, 'markdown').at(-1)!;
    assert.equal(text.slice(last.element.start, last.element.end), '<img\n>   src="e.png">');
  });

  test('state the size from Pandoc’s and kramdown’s attributes', () => {
    assert.deepEqual(found('![a](a.png){width=300 height="200px"} ![b](b.png){: width=50% }', 'markdown'), [
      'a.png | a |  | 300x200',
      'b.png | b',
    ]);
  });
});

suite('Images in Markdown’s extensions', () => {
  test('are described by Quarto’s attribute, with the caption as title', () => {
    const text =
      '![At dawn](a.png){#fig-fox fig-alt="A red fox, {unseen}" width=300}\n![](b.png){fig-alt=\'\' alt="B"}';
    assert.deepEqual(found(text, 'markdown'), ['a.png | A red fox, {unseen} | At dawn | 300x', 'b.png']);
    const [link] = imageLinks(text, 'markdown');
    assert.equal(text.slice(link!.alt!.start, link!.alt!.end), 'A red fox, {unseen}');
    assert.equal(text.slice(link!.title!.start, link!.title!.end), 'At dawn');
  });

  test('state their size after the address', () => {
    assert.deepEqual(
      found(
        '![a](a.png =300x200) ![b](b.png "B" =300x) ![c](c.png =x50% "C") ![d](d.png =20) ![e](e.png  =1x2 )',
        'markdown',
      ),
      ['a.png | a |  | 300x200', 'b.png | b | B | 300x', 'c.png | c | C', 'e.png | e |  | 1x2'],
    );
  });

  test('have no instructions of Marp in their descriptions', () => {
    const images = '![bg right:40% w:300 A blue whale](a.png) ![bg](b.png) ![width:20px sepia a left hand](c.png)';
    assert.deepEqual(found(`---\nmarp: true\n---\n${images}`, 'markdown'), [
      'a.png | A blue whale |  | 300x',
      'b.png',
      'c.png | a left hand |  | 20x',
    ]);
    assert.deepEqual(found(images, 'markdown')[1], 'b.png | bg');
  });
});

suite('Embeds in Obsidian’s notes', () => {
  test('name a file, with a description, a size, or both', () => {
    const text = [
      '![[a b.png|300]] ![[x/c.png#h|A red fox|300x200]] ![[note]] ![[d.png]] `![[no.png]]`',
      '| ![[e.png\\|200]] | ![[f.png|A hare]] |',
      '![[g.png]](h.png) ![A hen|40x30](i.png)',
    ].join('\n');
    assert.deepEqual(found(text, 'markdown'), [
      'a b.png |  |  | 300x',
      'x/c.png | A red fox |  | 300x200',
      'd.png',
      'e.png |  |  | 200x',
      'f.png | A hare',
      'h.png | [g.png]',
      'i.png | A hen |  | 40x30',
    ]);
    const [link] = imageLinks(text, 'markdown');
    assert.equal(text.slice(link!.element.start, link!.element.end), '![[a b.png|300]]');
    assert.equal(text.slice(link!.address.start, link!.address.end), 'a b.png');
  });
});

suite('Images in front matter', () => {
  test('are fields of YAML named for images, with the description next to them', () => {
    const text = [
      '---',
      'title: no.png',
      'image: /a.png # by me',
      'image_alt: "A \\"big\\" fox"',
      'alt: Of the page',
      'cover:',
      '  image: "cover b.png"',
      '  alt: A hen',
      '  nested: {src: c.png, alt: "C"}',
      'gallery:',
      '- src: d.png',
      "  caption: 'D'",
      '- e.png',
      'images: [f.png, "g.png"]',
      'summary: |',
      '  image: no.png',
      'thumbnail: "{{ site.x }}/no.txt"',
      'hero: {{ site.x }}/no.png',
      '---',
      '![h](h.png)',
    ].join('\n');
    for (const syntax of ['markdown', 'mdx'] as const)
      assert.deepEqual(found(text, syntax), [
        '/a.png | A "big" fox',
        'cover b.png | A hen',
        'c.png | C',
        'd.png | D',
        'e.png',
        'f.png',
        'g.png',
        'h.png | h',
      ]);
    const [first, second] = imageLinks(text, 'markdown');
    assert.equal(text.slice(first!.element.start, first!.element.end), 'image: /a.png');
    assert.equal(text.slice(second!.address.start, second!.address.end), 'cover b.png');
  });

  test('are fields of TOML, in any table', () => {
    const text = [
      '+++',
      'image = "a.png"',
      '[params.cover]',
      "image = 'b.png'",
      'alt = "B"',
      'about = """',
      'image = "no.png"',
      '"""',
      '[[resources]]',
      'src = "c.png"',
      'images = ["d.png", "e.png"]',
      '+++',
    ].join('\n');
    assert.deepEqual(found(text, 'markdown'), ['a.png', 'b.png | B', 'c.png', 'd.png', 'e.png']);
  });
});

suite('Images that site builders add to Markdown', () => {
  test('are MyST’s image and figure directives, between backticks or colons', () => {
    const text = [
      '```{figure} img/a.png',
      ':alt: A fox',
      ':width: 300px',
      '',
      'The *caption*',
      '```',
      '',
      ':::{figure} b.png',
      'Caption only',
      ':::',
      '',
      '- item',
      '',
      '  ```{image} c.png',
      '  ---',
      '  alt: C',
      '  height: 20px',
      '  ---',
      '  ```',
      '',
      '```{code} md',
      '![no](no.png)',
      '```',
      '',
      '```{image} no.png',
    ].join('\n');
    assert.deepEqual(found(text, 'markdown'), [
      'img/a.png | A fox |  | 300x',
      'b.png | Caption only',
      'c.png | C |  | x20',
    ]);
    const [, , last] = imageLinks(text, 'markdown');
    assert.ok(text.slice(last!.element.start, last!.element.end).startsWith('```{image} c.png\n'));
    assert.ok(text.slice(last!.element.start, last!.element.end).endsWith('```'));
  });

  test('are in what MkDocs indents, and in HTML with Markdown inside', () => {
    const text = [
      '!!! note "A title"',
      '',
      '    ![a](a.png)',
      '',
      '    ??? tip',
      '        ![b](b.png)',
      '',
      '=== "Tab"',
      '',
      '    - ![c](c.png)',
      '',
      '<figure markdown="span">',
      '  ![d](d.png){ width="300" }',
      '  <figcaption>Words</figcaption>',
      '</figure>',
      '',
      'Words !!!',
      '',
      '    ![no](no.png)',
    ].join('\n');
    assert.deepEqual(found(text, 'markdown'), ['a.png | a', 'b.png | b', 'c.png | c', 'd.png | d |  | 300x']);
  });

  test('are those of shortcodes and components in braces', () => {
    const text = [
      '{{< figure src="a.png" alt="A fox" caption="C" width="300" >}} {{% img src="b.png" title="B" /%}}',
      '{{< figure "c.png" >}} {{< ref "no.png" >}} `{{< figure src="no.png" >}}`',
      '',
      '{% image "d.png", "A \u201cD\u201d", 300 %} {% asset_img e.png 200 300 A red fox %}',
      '{% include figure.html src="/f.png" alt="F" %} {% image page.cover, "no.png" %}',
      '',
      'Words :nuxt-img{src="g.png" alt="G" width=30} and a:b{src="no.png"}',
      '',
      '{{< figure',
      '  src="h.png"',
      '  alt="H" >}}',
    ].join('\n');
    assert.deepEqual(found(text, 'markdown'), [
      'a.png | A fox |  | 300x',
      'b.png |  | B',
      'c.png',
      'd.png | A \u201cD\u201d',
      'e.png | A red fox |  | 200x300',
      '/f.png | F',
      'g.png | G |  | 30x',
      'h.png | H',
    ]);
    const all = imageLinks(text, 'markdown').map(({ element }) => text.slice(element.start, element.end));
    assert.equal(all[3], '{% image "d.png", "A \u201cD\u201d", 300 %}');
    assert.equal(all[6], ':nuxt-img{src="g.png" alt="G" width=30}');
  });
});

suite('Images of components', () => {
  test('are in every attribute that names one, with the component’s words', () => {
    const text = [
      "import hero from './hero.png'",
      '',
      '<Card title="A card" icon="rocket" image="/a.png" imageAlt="A ship" href="no.png" name="no.png">',
      '',
      '<Hero cover={hero} alt="A hero" thumbnailUrl={"/b.png"} thumb={`/${c}.txt`} />',
      '',
      '<Gallery images={["/c.png", \'/d.png\']} backgroundImage={wide ? "/e.png" : f("/no.png")} alt="Two" />',
    ].join('\n');
    assert.deepEqual(found(text, 'mdx'), [
      './hero.png | A hero',
      '/a.png | A ship | A card',
      '/b.png | A hero',
      '/c.png | Two',
      '/d.png | Two',
    ]);
    const card = imageLinks(text, 'mdx')[1]!;
    assert.equal(text.slice(card.element.start, card.element.end), 'image="/a.png"');
    assert.deepEqual(found('<Card icon="/a.svg" /> <img src="b.png" title="B">', 'markdown'), [
      '/a.svg',
      'b.png |  | B',
    ]);
    assert.deepEqual(found('<template><Card :image="\'/a.png\'" icon="b.svg" alt="B" /></template>', 'vue'), [
      '/a.png | B',
      'b.svg | B',
    ]);
    assert.deepEqual(found('<enhanced:img src="./a.png" alt="A" /><Card thumbnail="/b.png" image={c} />', 'svelte'), [
      './a.png | A',
      '/b.png',
    ]);
  });

  test('may be chosen by an expression, and begin at the site’s root', () => {
    const text = [
      "const a = useBaseUrl('a.png');",
      'const b = <p><img src={a} alt="A" /><img src={dark ? \'/b.png\' : "/c.png"} alt="B" /></p>;',
      "const c = <ThemedImage alt=\"C\" sources={{ light: useBaseUrl('/d.png'), dark: '/e.png' }} />;",
      "const d = <p><img src={'/no' + '.png'} /><img src={at('/no.png')} /><img src={x === 'no.png'} /></p>;",
    ].join('\n');
    assert.deepEqual(found(text, 'jsx'), ['/a.png | A', '/b.png | B', '/c.png | B', '/d.png | C', '/e.png | C']);
    assert.deepEqual(found('<template><img :src="withBase(\'/a.png\')" alt="A"></template>', 'vue'), ['/a.png | A']);
  });
});

suite('Images in MDX', () => {
  test('follow a fence that an indented one closes', () => {
    const text = '```sh\ncp a.png .\n      ```\n\n![a](a.png)';
    assert.deepEqual(found(text, 'mdx'), ['a.png | a']);
    assert.deepEqual(found(text, 'markdown'), []);
  });

  test('are those of Markdown, of components, and of imports', () => {
    const text = [
      "import hero from './hero.png';",
      "import { Card } from '../card'",
      '',
      '![a](a.png)',
      '',
      '<Card',
      '    src="/b.png"',
      '    alt={\'B "quoted"\'}',
      '    width={640}',
      '>',
      '    ![c](c.png) <img src={hero} alt="A hero" />',
      '</Card>',
      '',
      '{/* ![d](d.png)',
      '',
      '<img src="e.png" /> */}',
      '',
      '{items.map((item) => <img src="f.png" alt="F" />)}',
      '',
      '{count} words and ![g](g.png)',
    ].join('\n');
    assert.deepEqual(found(text, 'mdx'), [
      './hero.png | A hero',
      'a.png | a',
      '/b.png | B "quoted" |  | 640x',
      'c.png | c',
      'f.png | F',
      'g.png | g',
    ]);
  });
});

suite('Images in HTML', () => {
  test('are those of every element that shows one', () => {
    const text = [
      '<!doctype html><!-- <img src="no.png"> -->',
      '<IMG SRC=a.png ALT="A">',
      '<picture><source srcset="b.avif 1x, b2.avif 2x" type="image/avif"><img srcset=" c.png 1x,c2.png 2x"></picture>',
      '<video poster="d.png" src="d.mp4" aria-label="A film"></video>',
      '<svg><title>"<img src=no.png>"</title><image href="e.png"/><image xlink:href="f.png"/></svg>',
      '<style>/* url(no.png) */ body { background: url(g.png) }</style>',
      '<script>document.write("<img src=\'no.png\'>")</script>',
      '<input type="image" src="h.png" alt="Send"><textarea><img src="no.png"></textarea>',
      '<div style="background: url(\'i.png\')"></div>',
      '<my-picture src="j.png"></my-picture><embed src="no.png"><link rel="icon" href="no.png">',
    ].join('\n');
    assert.deepEqual(found(text, 'html'), [
      'a.png | A',
      'b.avif',
      'c.png',
      'd.png | A film',
      'e.png',
      'f.png',
      'g.png',
      'h.png | Send',
      'i.png',
      'j.png',
    ]);
  });
});

suite('Images in Vue and Svelte', () => {
  test('are those with a literal address, and the script’s imports', () => {
    const vue = [
      '<script setup lang="ts">',
      "import hero from '@/assets/hero.png'",
      '</script>',
      '<template><img :src="hero" alt="Hero"><img src="./a.png" :width="300" alt="A"><NuxtImg src="/b.png" /></template>',
      '<style lang="scss">// url(no.png)',
      '.a { background: url("~@/c.png") }</style>',
    ].join('\n');
    assert.deepEqual(found(vue, 'vue'), ['@/assets/hero.png | Hero', './a.png | A |  | 300x', '/b.png', '~@/c.png']);
    const svelte = [
      '<script>import hero from "./hero.png";</script>',
      '{#if a < b}<img src={hero} alt="Hero"><img src="{base}/a.png">{/if}{#each xs as x}<img {src} alt="x>y" src="b.png">{/each}',
      '<p>{\'<img src="no.png">\'}</p>',
    ].join('\n');
    assert.deepEqual(found(svelte, 'svelte'), ['./hero.png | Hero', '{base}/a.png', 'b.png | x>y']);
  });
});

suite('Images in Astro', () => {
  test('are those of its script, its page, the parts in braces, and its styles', () => {
    const text = [
      '---',
      "import hero from '../assets/hero.png';",
      'const a = 1 < 2;',
      '---',
      '<style>a { background: url(a.png) }</style>',
      '<Image src={hero} alt="A hero" />{items.map((item) => <Card image="/b.png" alt="B" />)}',
      '<img src="/c.png" alt="C" width="30" height="20"><Card cover={<img src="/d.png" />} />',
    ].join('\n');
    assert.deepEqual(found(text, 'astro'), [
      '../assets/hero.png | A hero',
      'a.png',
      '/b.png | B',
      '/c.png | C |  | 30x20',
      '/d.png',
    ]);
  });
});

suite('Images in Typst', () => {
  test('are those of image calls, described by their alt or their figure’s caption', () => {
    const text = [
      '= Title',
      '#image("a.png", width: 50%, alt: "A \\"red\\" fox")',
      '// #image("no.png")',
      '`#image("no.png")` https://example.org #image("b.png")',
      '#figure(',
      '  image("c d.png", width: 80pt),',
      '  caption: [A hen],',
      ') <hen>',
      '/* #image("no.png") */ text image("no.png")',
      '#let e = image("e.png")',
    ].join('\n');
    assert.deepEqual(found(text, 'typst'), ['a.png | A "red" fox', 'b.png', 'c d.png | A hen', 'e.png']);
    const [first] = imageLinks(text, 'typst');
    assert.ok(text.slice(first!.element.start, first!.element.end).endsWith('fox")'));
    assert.equal(text.slice(first!.alt!.start, first!.alt!.end), 'A \\"red\\" fox');
  });
});

suite('Images in JSX', () => {
  test('imported for a tag get their text from the tag', () => {
    const tag = '<img src={ require(\'./a.png\').default } alt="A boat" width={300} height={200} />';
    assert.deepEqual(found(`const a = ${tag};`, 'jsx'), ['./a.png | A boat |  | 300x200']);
    assert.deepEqual(found(`# Boats\n\n${tag}\n`, 'mdx'), ['./a.png | A boat |  | 300x200']);
    assert.deepEqual(found(`const a = <img src={require('./a.png')} />, b = <p alt="no" />;`, 'jsx'), ['./a.png']);
  });

  test('are those of tags with a literal source, and imports, with the tag’s text', () => {
    const text = [
      "import type { FC } from 'react';",
      "import hero from './hero.png';",
      "const icon = require('./icon.png');",
      '/* <img src="no.png" /> */ // <img src="no.png" />',
      'const s = \'<img src="no.png" />\' + `<img src="no.png" />${<img src="a.png" alt="A" />}`;',
      'const re = /<img src="no.png" \\/>/g;',
      'const less = <T extends Shape>(a: T) => a < b || a <img;',
      'const id = <T,>(x: T): Array<T> => useMemo<T[]>(() => [x]);',
      'export const Page: FC = () => (',
      '  <main title={x ? "<img src=\'no.png\'>" : y}>',
      "    Don't stop <b>here</b>, it's",
      '    <img src={hero} alt="A hero" width={640} height={360} />',
      "    {ok && <Image src={'b.png'} alt={`B`} {...rest} />} isn't",
      '    <>{/* <img src="no.png" /> */}<img src={`${base}/no.png`} /></>',
      '    <b><Img src={icon} alt="An icon" /></b> <Card icon={<img src="c.png" alt={t("c")} />}>text</Card>',
      '  </main>',
      ');',
    ].join('\n');
    assert.deepEqual(found(text, 'jsx'), [
      './hero.png | A hero |  | 640x360',
      './icon.png | An icon',
      'a.png | A',
      'b.png | B',
      'c.png',
    ]);
  });
});

suite('Images in styles', () => {
  test('are those of url() and image-set()', () => {
    const text = [
      '/* url(no.png) */ @import url("base.css");',
      'a { background: red url( a.png ) no-repeat; content: "url(no.png)" }',
      'b { background-image: image-set(\'b.png\' 1x, url("c d.png") 2x, "e.avif" type(\'image/avif\')); }',
      'c { background: url(data:image/png;base64,AAAA); mask: url(f\\(1\\).svg#icon) }',
      '@font-face { font-family: A; src: url(no.woff), url("no.svg#a") format("svg") }',
      '// url(g.png)',
    ].join('\n');
    const images = found(text, 'css').filter((path) => !path.startsWith('data:'));
    assert.deepEqual(images, ['base.css', 'a.png', 'b.png', 'c d.png', 'e.avif', 'f(1).svg', 'g.png']);
    assert.ok(!found(text, 'scss').includes('g.png'));
    assert.deepEqual(found('a { background: url(//cdn.example/x.png) }', 'scss'), ['//cdn.example/x.png']);
  });
});

suite('Images in LaTeX', () => {
  test('are those of includegraphics, described by their alt or their figure’s caption', () => {
    const text = [
      '\\graphicspath{{figures/}{img/}}',
      '% \\includegraphics{no.png}',
      '\\begin{figure}[t]',
      '  \\includegraphics[width=0.5\\textwidth, alt={A \\emph{red} fox, 50\\,\\%}]{fox}',
      '  \\caption[short]{The fox---see \\cite{x}---at \\"Uber.\\label{fig:fox}}',
      '\\end{figure}',
      '\\begin{figure*}\\begin{subfigure}{.5\\linewidth}\\includegraphics{a.png}\\caption{A}\\end{subfigure}',
      '\\begin{subfigure}{.5\\linewidth}\\includegraphics{b.png}\\end{subfigure}\\caption{Both}\\end{figure*}',
      '\\verb|\\includegraphics{no}| \\begin{verbatim}\\includegraphics{no}\\end{verbatim}',
      '\\includegraphics*[width=1cm]{"my plot.png"} \\iffalse \\includegraphics{no} \\fi',
      '\\end{document} \\includegraphics{no}',
    ].join('\n');
    assert.deepEqual(found(text, 'latex'), ['fox | A red fox, 50 %', 'a.png | A', 'b.png | Both', 'my plot.png']);
    assert.deepEqual(imageLinks(text, 'latex')[0]!.folders, ['figures/', 'img/']);
    assert.deepEqual(
      found(
        '\\begin{figure}\\includegraphics{x}\n\\caption{A---see \\cite{y}---b \\"Uber \\LaTeX{}.}\\end{figure}',
        'latex',
      ),
      ['x | A—see —b Über .'],
    );
  });
});

suite('Images in reStructuredText', () => {
  test('are those of image and figure directives, including substitutions', () => {
    const text = [
      '.. image:: a.png',
      '   :alt: A *red* fox that',
      '      goes on',
      '   :width: 300px',
      '   :height: 20em',
      '',
      '.. a comment',
      '   .. image:: no.png',
      '',
      '.. figure:: my\\ pic.png',
      '   :scale: 50 %',
      '',
      '   The caption of the figure',
      '   on two lines.',
      '',
      '   The legend.',
      '',
      '- .. image:: c.png',
      '     :alt: In a list',
      '',
      '.. note::',
      '',
      '   .. image:: d.png',
      '',
      'Like this::',
      '',
      '   .. image:: no.png',
      '',
      '.. code-block:: rst',
      '   :caption: x',
      '',
      '   .. image:: no.png',
      '',
      '.. |logo| image:: logo.png',
      '          :alt: Logo',
    ].join('\n');
    assert.deepEqual(found(text, 'restructuredtext'), [
      'a.png | A red fox that goes on |  | 300x',
      'my pic.png | The caption of the figure on two lines.',
      'c.png | In a list',
      'd.png',
      'logo.png | Logo',
    ]);
  });
});

suite('Images in AsciiDoc', () => {
  test('are those of block and inline macros', () => {
    const text = [
      '= Title',
      ':imagesdir: images',
      '',
      '.At *dawn*',
      '[#fox]',
      'image::a fox.png[A red fox,300,200,link="https://x.y"]',
      '',
      'Words image:b%20c.png["With, a comma", title="T"] and image:d.png[alt=D,width=20] `image:no.png[]` \\image:no.png[].',
      '',
      '// image::no.png[]',
      '----',
      'image::no.png[]',
      '----',
      '',
      ' image:no.png[literal]',
      ' image:no.png[literal]',
      '',
      '* item',
      '+',
      'image::e.png[]',
    ].join('\n');
    assert.deepEqual(found(text, 'asciidoc'), [
      'a fox.png | A red fox | At *dawn* | 300x200',
      'b c.png | With, a comma | T',
      'd.png | D |  | 20x',
      'e.png',
    ]);
    assert.deepEqual(imageLinks(text, 'asciidoc')[0]!.folders, ['images']);
    const table = '|===\na|image::a.png[A] |image:b.png[B]\na| image::c.png[C,20,30]\nwords image::no.png[]\n|===';
    assert.deepEqual(found(table, 'asciidoc'), ['a.png | A', 'b.png | B', 'c.png | C |  | 20x30']);
  });
});
