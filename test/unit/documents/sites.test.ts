import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { imageLinks } from '../../../src/documents/imageLinks';
import { located, type Located } from '../../../src/documents/linkPath';
import { siteBuilders } from '../../../src/documents/siteBuilders';
import { longestConfig } from '../../../src/documents/site';
import { syntaxOf } from '../../../src/documents/syntax';
import { growsInProportion } from '../growth';
import { SeenFolder } from './seenFolder';

/** A workspace folder: paths and the texts of their files. */
type Folder = Readonly<Record<string, string>>;

/**
 * The finding for the first image of a document in a folder: it exists, is missing and would be rendered to a path, or
 * can't be determined.
 */
async function told(folder: Folder, document: string, text: string): Promise<string> {
  const seen = new SeenFolder(Object.keys(folder), (path) => folder[path]!);
  const links = imageLinks(text, syntaxOf('', document)!).slice(0, 1);
  const isAwaited = (path: string) => path.endsWith('pages/awaited.png');
  const [at] = await located(links, document, seen.around(document, undefined, isAwaited));
  return said(at);
}

function said(at: Located | undefined): string {
  if (!at) return 'nowhere';
  if (at.isThere) return `there: ${at.path}`;
  switch (at.doubt?.why) {
    case 'elsewhere':
      return `elsewhere: ${at.doubt.path}`;
    case 'ignored':
      return 'ignored';
    case 'place':
      return 'cannot be told';
    case undefined:
      return `missing: ${at.path}`;
  }
}

/** Checks each image of a site: the document it's in, and the finding for it. */
function site(
  name: string,
  folder: Folder,
  rows: readonly (readonly [document: string, text: string, said: string])[],
) {
  test(name, async () => {
    for (const [document, text, said] of rows)
      assert.equal(await told({ ...folder, [document]: text }, document, text), said, `${document}: ${text}`);
  });
}

suite('Where builders look for images is known for', () => {
  site(
    'VitePress: below the public folder of its sources, or beside the document',
    {
      'docs/.vitepress/config.mts': "import { x } from 'y'\nexport default defineConfig({\n  srcDir: './src',\n})\n",
      'docs/src/public/hero.png': '',
      'docs/src/guide/fox.png': '',
      'public/x.txt': '',
    },
    [
      ['docs/src/guide/a.md', '![x](/hero.png)', 'there: docs/src/public/hero.png'],
      ['docs/src/guide/a.md', '![x](/gone.png)', 'missing: docs/src/public/gone.png'],
      ['docs/.vitepress/theme/A.vue', '<template><img src="/hero.png"></template>', 'there: docs/src/public/hero.png'],
      ['docs/src/guide/a.md', '![x](./fox.png)', 'there: docs/src/guide/fox.png'],
      ['docs/src/guide/a.md', '![x](gone.png)', 'missing: docs/src/guide/gone.png'],
      ['docs/src/guide/a.md', '<img src="./gone.png">', 'missing: docs/src/guide/gone.png'],
      ['docs/src/guide/a.md', '<img src="gone.png">', 'cannot be told'],
      ['README.md', '![x](/hero.png)', 'elsewhere: docs/src/public/hero.png'],
      ['README.md', '![x](/gone.png)', 'missing: public/gone.png'],
    ],
  );
  site(
    'Jekyll: below the folder of its configuration; pages are addressed by permalink',
    { 'site/_config.yml': 'title: A\nbaseurl: /blog\n', 'site/img/x.png': '', 'site/assets/logo.png': '' },
    [
      ['site/_posts/2026-01-01-a.md', '![x](/img/x.png)', 'there: site/img/x.png'],
      ['site/_posts/2026-01-01-a.md', '![x](/blog/img/x.png)', 'there: site/img/x.png'],
      ['site/_posts/2026-01-01-a.md', '![x](/img/gone.png)', 'missing: site/img/gone.png'],
      ['site/_posts/2026-01-01-a.md', '![x](../../img/x.png)', 'elsewhere: site/img/x.png'],
      ['site/docs/a.html', '<img src="../../img/gone.png">', 'cannot be told'],
      ['site/README.md', '![x](gone.png)', 'missing: site/gone.png'],
      ['site/README.md', '![x](/gone.png)', 'cannot be told'],
    ],
  );
  site(
    'Antora: in the images of the module of the page',
    { 'docs/antora.yml': 'name: a\nversion: 1\n', 'docs/modules/ROOT/images/sub/x.png': '' },
    [
      ['docs/modules/ROOT/pages/deep/a.adoc', 'image::sub/x.png[]', 'there: docs/modules/ROOT/images/sub/x.png'],
      ['docs/modules/ROOT/pages/a.adoc', 'image::gone.png[]', 'missing: docs/modules/ROOT/images/gone.png'],
      ['docs/modules/ROOT/pages/a.adoc', 'image::image$gone.png[]', 'cannot be told'],
      ['docs/modules/ROOT/pages/a.adoc', 'image::other:gone.png[]', 'nowhere'],
      ['docs/modules/ROOT/partials/a.adoc', 'image::gone.png[]', 'cannot be told'],
      ['docs/modules/ROOT/pages/a.adoc', ':imagesdir: pics\n\nimage::gone.png[]', 'cannot be told'],
    ],
  );
  site(
    'Docusaurus: beside the document, below its static folders, or below the site',
    {
      'web/docusaurus.config.ts': "export default {\n  baseUrl: '/',\n  staticDirectories: ['assets', 'static'],\n};\n",
      'web/static/img/x.png': '',
    },
    [
      ['web/docs/a.md', '![x](/img/x.png)', 'there: web/static/img/x.png'],
      ['web/docs/a.md', '![x](img/x.png)', 'there: web/static/img/x.png'],
      ['web/docs/a.md', '![x](@site/static/img/x.png)', 'there: web/static/img/x.png'],
      ['web/docs/a.md', '![x](@site/static/img/gone.png)', 'missing: web/static/img/gone.png'],
      ['web/docs/a.md', '![x](/img/gone.png)', 'missing: web/assets/img/gone.png'],
      ['web/docs/a.md', '![x](./gone.png)', 'missing: web/docs/gone.png'],
      ['web/docs/a.mdx', '<img src="./gone.png" />', 'cannot be told'],
      ['web/docs/a.mdx', '<img src="/gone.png" />', 'missing: web/assets/gone.png'],
    ],
  );
  site(
    'Astro: beside the document, or below its public folder',
    { 'astro.config.mjs': "export default defineConfig({ publicDir: 'open' });", 'open/x.png': '' },
    [
      ['src/content/blog/a.md', '![x](/x.png)', 'there: open/x.png'],
      ['src/content/blog/a.md', '![x](/gone.png)', 'missing: open/gone.png'],
      ['src/content/blog/a.md', '![x](./gone.png)', 'missing: src/content/blog/gone.png'],
      ['src/content/blog/a.md', '![x](@assets/gone.png)', 'cannot be told'],
      ['src/content/blog/a.mdx', '<img src="gone.png" />', 'cannot be told'],
    ],
  );
  site(
    'Hugo: below static, of the site or its theme, or beside the index of a bundle',
    {
      'hugo.toml': 'baseURL = \'https://a.example/\'\ntheme = "ananke"\n',
      'themes/ananke/static/logo.png': '',
      'assets/img/x.png': '',
      'content/posts/one/fox.png': '',
    },
    [
      ['content/posts/one/index.md', '![x](fox.png)', 'there: content/posts/one/fox.png'],
      ['content/posts/one/index.md', '![x](gone.png)', 'missing: content/posts/one/gone.png'],
      ['content/posts/two.md', '![x](gone.png)', 'cannot be told'],
      ['content/posts/two.md', '![x](/img/x.png)', 'there: assets/img/x.png'],
      ['content/posts/two.md', '![x](/logo.png)', 'there: themes/ananke/static/logo.png'],
      ['content/posts/two.md', '![x](/gone.png)', 'missing: static/gone.png'],
    ],
  );
  site(
    'Hugo: nowhere certain, where modules are mounted or the configuration is a folder',
    {
      'a/hugo.yaml': 'baseURL: https://a.example\nmodule:\n  mounts: []\n',
      'b/config/_default/hugo.toml': "baseURL = 'x'",
    },
    [
      ['a/content/a.md', '![x](/gone.png)', 'cannot be told'],
      ['b/content/a.md', '![x](/gone.png)', 'cannot be told'],
      ['b/content/a/index.md', '![x](gone.png)', 'missing: b/content/a/gone.png'],
    ],
  );
  site(
    'Eleventy: in the folders that its program copies, if it states them, and else nowhere certain',
    {
      'eleventy.config.js': 'export default (c) => c.addPassthroughCopy({ img: "pictures", "src/all/": "/" });',
      'src/here.png': '',
      'b/.eleventy.js': 'module.exports = (c) => { c.addPassthroughCopy(folder); c.addPassthroughCopy("**/*.png"); };',
      'c/.eleventy.js': 'module.exports = (c) => { c.addPassthroughCopy("img"); return { pathPrefix: "/manual/" }; };',
    },
    [
      ['src/a.md', '![x](/pictures/x.png)', 'missing: img/x.png'],
      ['src/a.md', '![x](/other/x.png)', 'missing: src/all/other/x.png'],
      ['b/a.md', '![x](/img/x.png)', 'cannot be told'],
      ['c/a.md', '![x](/img/x.png)', 'cannot be told'],
      ['src/a.md', '![x](gone.png)', 'cannot be told'],
      ['src/a.md', '![x](here.png)', 'there: src/here.png'],
      ['README.md', '![x](gone.png)', 'missing: gone.png'],
    ],
  );
  site(
    'MkDocs: in its folder of documents, or beside the document',
    {
      'mkdocs.yml': 'site_name: A\nsite_url: https://a.example/manual/\ndocs_dir: manual # ours\n',
      'manual/img/x.png': '',
    },
    [
      ['manual/a/b.md', '![x](/img/x.png)', 'there: manual/img/x.png'],
      ['manual/a/b.md', '![x](/manual/img/x.png)', 'there: manual/img/x.png'],
      ['manual/a/b.md', '![x](/img/gone.png)', 'missing: manual/img/gone.png'],
      ['manual/a/b.md', '![x](../gone.png)', 'missing: manual/gone.png'],
      ['manual/a/b.md', '<img src="../../gone.png">', 'cannot be told'],
    ],
  );
  site(
    'Sphinx: in the folder of its conf.py, or beside the document',
    { 'handbook/conf.py': "project = 'A'\nextensions = []\n", 'handbook/img/x.png': '' },
    [
      ['handbook/a/b.rst', '.. image:: /img/x.png', 'there: handbook/img/x.png'],
      ['handbook/a/b.rst', '.. image:: /img/gone.png', 'missing: handbook/img/gone.png'],
      ['handbook/a/b.rst', '.. figure:: gone.png', 'missing: handbook/a/gone.png'],
      ['handbook/a/b.md', '![x](/img/gone.png)', 'missing: handbook/img/gone.png'],
    ],
  );
  site(
    'Next.js: below public alone',
    { 'apps/web/next.config.mjs': 'export default {};', 'apps/web/public/x.png': '' },
    [
      ['apps/web/app/page.tsx', 'const a = <img src="/x.png"/>', 'there: apps/web/public/x.png'],
      ['apps/web/app/page.tsx', 'const a = <img src="/gone.png"/>', 'missing: apps/web/public/gone.png'],
      ['apps/web/app/page.tsx', 'const a = <img src="gone.png"/>', 'cannot be told'],
      ['apps/web/app/page.tsx', 'import a from "./gone.png"', 'missing: apps/web/app/gone.png'],
      ['apps/web/content/a.mdx', '![x](gone.png)', 'cannot be told'],
    ],
  );
  site(
    'SvelteKit: below static, whatever an adapter calls its assets',
    { 'svelte.config.js': "export default { kit: { adapter: adapter({\n assets: 'build' }) } };", 'static/x.png': '' },
    [
      ['src/routes/+page.svelte', '<img src="/x.png">', 'there: static/x.png'],
      ['src/routes/+page.svelte', '<img src="/gone.png">', 'missing: static/gone.png'],
      ['src/routes/+page.svelte', '<img src="gone.png">', 'cannot be told'],
    ],
  );
  site(
    'Slidev: below public, or beside the slides',
    { 'talk/package.json': '{ "dependencies": { "@slidev/cli": "^52.0.0" } }', 'talk/public/x.png': '' },
    [
      ['talk/slides.md', '![x](/x.png)', 'there: talk/public/x.png'],
      ['talk/slides.md', '![x](/gone.png)', 'missing: talk/public/gone.png'],
      ['talk/slides.md', '<img src="./gone.png">', 'missing: talk/gone.png'],
    ],
  );
});

/** What is found for each image of a document. */
async function all(folder: Folder, document: string): Promise<string[]> {
  const seen = new SeenFolder(Object.keys(folder), (path) => folder[path]!);
  const links = imageLinks(folder[document]!, syntaxOf('', document)!);
  return (await located(links, document, seen.around(document))).map(said);
}

suite('In doubt, nothing is offered', () => {
  test('for an image elsewhere whose path ends as it is written, whatever case and beginning', async () => {
    const folder = {
      'docs/a.adoc': 'image::sub/fox.png[]\n\nimage::fox.png[]\n\nimage::other/fox.png[]',
      'docs/a.md': '![x](../sub/FOX.png)\n![x](/sub/fox.png)\n![x](sub/./fox.png)\n',
      'docs/a.vue': '<template><img src="~/sub/fox.png"><img src="@/fox.png"></template>',
      'assets/images/Sub/fox.PNG': '',
    };
    const other = 'elsewhere: assets/images/Sub/fox.PNG';
    assert.deepEqual(await all(folder, 'docs/a.adoc'), [other, other, 'missing: docs/other/fox.png']);
    assert.deepEqual(await all(folder, 'docs/a.md'), [other, other, other]);
    assert.deepEqual(await all(folder, 'docs/a.vue'), [other, other]);
  });

  test('unless another link of the document, written alike, leads to its file', async () => {
    const folder = {
      'docs/a.md': '![x](img/owl.png)\n![x](img/fox.png)\n![x](/img/fox.png)\n<img src="img/fox.png">\n',
      'docs/img/owl.png': '',
      'old/img/fox.png': '',
    };
    const other = 'elsewhere: old/img/fox.png';
    assert.deepEqual(await all(folder, 'docs/a.md'), [
      'there: docs/img/owl.png',
      'missing: docs/img/fox.png',
      other,
      other,
    ]);
  });

  test('in LaTeX for an image with any of the extensions that it tries', async () => {
    const folder = { 'parts/a.tex': '\\includegraphics{fox}\\includegraphics{owl}', 'pictures/fox.pdf': '' };
    assert.deepEqual(await all(folder, 'parts/a.tex'), ['elsewhere: pictures/fox.pdf', 'missing: pictures/owl.png']);
  });

  test('for a file that .gitignore names, since a build makes it, unless the document is ignored itself', async () => {
    const folder = {
      '.gitignore': 'plots/\n/draft\n',
      'a.md': '![x](plots/a.png)\n![x](img/b.png)\n',
      'draft/b.md': '![x](c.png)\n',
    };
    assert.deepEqual(await all(folder, 'a.md'), ['ignored', 'missing: img/b.png']);
    assert.deepEqual(await all(folder, 'draft/b.md'), ['missing: draft/c.png']);
  });
});

suite('Without a known site', () => {
  test('a path from the root or by an alias has its usual place, and one that a page resolves has none', async () => {
    const folder = { 'src/A.vue': '', 'static/a.txt': '' };
    const page = (path: string) => `<template><img src="${path}"></template>`;
    assert.equal(await told(folder, 'src/A.vue', page('/img/gone.png')), 'missing: static/img/gone.png');
    assert.equal(await told(folder, 'src/A.vue', page('@/img/gone.png')), 'missing: src/img/gone.png');
    assert.equal(await told(folder, 'src/A.vue', page('./gone.png')), 'missing: src/gone.png');
    assert.equal(await told(folder, 'src/A.vue', page('img/gone.png')), 'cannot be told');
    assert.equal(await told(folder, 'src/A.jsx', 'const a = <img src="./gone.png"/>'), 'cannot be told');
  });
});

suite('Of a site', () => {
  test('a new image goes where its configuration says, though others of the document are where it said before', async () => {
    const folder = {
      '.vitepress/config.js': "export default { vite: { publicDir: 'open' } }",
      'a.md': '![x](/fox.png)\n![x](/owl.png)\n',
      'public/fox.png': '',
    };
    assert.deepEqual(await all(folder, 'a.md'), ['there: public/fox.png', 'missing: open/owl.png']);
  });

  test('a configuration that is computed or too long states nothing', async () => {
    const configs = [
      'export default { srcDir: folder() }',
      'const srcDir = folder();\nexport default { srcDir }',
      `export default {}; // ${'x'.repeat(longestConfig)}`,
    ];
    for (const config of configs)
      assert.equal(await told({ '.vitepress/config.ts': config }, 'a.md', '![x](/gone.png)'), 'cannot be told', config);
  });

  test('the nearest site around a document counts', async () => {
    const folder = { 'mkdocs.yml': 'site_name: A', 'web/.vitepress/config.js': 'export default {}' };
    assert.equal(await told(folder, 'web/a.md', '![x](/gone.png)'), 'missing: web/public/gone.png');
    assert.equal(await told(folder, 'docs/a.md', '![x](/gone.png)'), 'missing: docs/gone.png');
  });

  test('another program’s file with the same name states nothing', async () => {
    const folder = {
      'conf.py': 'import os\n',
      'package.json': '{}',
      'config.toml': 'base_url = "x"',
      'static/x.txt': '',
    };
    assert.equal(await told(folder, 'a.md', '![x](/gone.png)'), 'missing: static/gone.png');
  });

  test('a render in progress for a usual place is expected there', async () => {
    const folder = { 'antora.yml': 'name: a' };
    const document = 'modules/ROOT/pages/a.adoc';
    assert.equal(await told(folder, document, 'image::awaited.png[]'), 'missing: modules/ROOT/pages/awaited.png');
  });

  test('a configuration is parsed in time proportional to its length', () => {
    const keys = [
      'srcDir',
      'const srcDir = ',
      'staticDirs: [',
      '"attachmentFolderPath": "',
      ':imagesdir: ',
      'staticDirectories: [',
      'files: {',
      'theme',
      'baseURL',
      'docs_dir',
      'source',
      'publicDir',
    ];
    const runs = [
      ' ',
      '\n',
      '\t',
      "'",
      '"',
      '=',
      ':',
      '[',
      '{',
      '#',
      '/',
      '\\',
      ',',
      'a',
      ...keys,
      ...keys.map((key) => `${key}: `),
    ];
    const read = (config: string) =>
      siteBuilders.map(({ owns, roots, base, images, aliases }) => [
        owns?.(config),
        roots(config),
        base?.(config),
        images?.('modules/a/pages/b.adoc', config, 'a.png'),
        aliases?.(config),
      ]);
    for (const run of runs) {
      for (const start of ['', ...keys]) {
        const config = (length: number) => start + run.repeat(length / run.length);
        const linear = growsInProportion(
          () => read(config(longestConfig / 8)),
          () => read(config(longestConfig)),
        );
        assert.ok(linear, `${start}${run}${run}…`);
      }
    }
  });
});
