import type { LinkKind } from './link';
import { endingOf, folderOf, resolved } from './paths';
import { scriptText, statesTopLevel, tableText, topLevelText } from './site';

/** How a site builder finds the images that a site's documents name. Folders are relative to the site's. */
export interface SiteBuilder {
  readonly name: string;
  /** The builder's documentation of this. */
  readonly source: string;
  /** Configuration files, each of which makes its folder a site of this builder. */
  readonly files: readonly string[];
  /** Whether a file's text is really the builder's, if others use the same file name. */
  readonly owns?: (config: string) => boolean;
  /** The folders that `/` means; new files go to the first. Undefined if unknown. */
  readonly roots: (config: string) => readonly [string, ...string[]] | undefined;
  /** The prefix of every path in the published site, and so of `/`, without a trailing slash. */
  readonly base?: (config: string) => string | undefined;
  /** The kinds of links to whose paths the build adds that prefix, so that a new one is written without it. */
  readonly addsBase?: readonly LinkKind[];
  /** New links start at the root, even those to files near their document. */
  readonly prefersRoot?: boolean;
  /**
   * The kinds of links in a document whose relative paths start at its file. Others start at the page's URL, which is
   * unknown.
   */
  readonly fromFile: (documentPath: string) => readonly LinkKind[];
  /** The kinds of links whose paths start at the roots, although they don't begin with a slash. */
  readonly fromRoot?: readonly LinkKind[];
  /** The kinds of links whose paths start at their document, even with a slash. */
  readonly ignoresSlash?: readonly LinkKind[];
  /**
   * Names at the start of a path, each with the folder that it stands for. Those that begin with a slash, and '', are
   * where the site publishes the folder.
   */
  readonly aliases?: (config: string) => Readonly<Record<string, string | undefined>>;
  /** The folders of a document's images, for the kinds in `ofImages`: a new one goes to the first that exists. */
  readonly images?: (documentPath: string, config: string, path: string) => readonly string[];
  readonly ofImages?: readonly LinkKind[];
  /** Whether it reads Markdown as MDX. */
  readonly readsMdx?: (config: string) => boolean;
  /** Whether notebooks are pages of it, too. */
  readonly readsNotebooks?: boolean;
  /** A README is one of its pages. */
  readonly readmes?: boolean;
  /** The site's folder within that of its configuration file, as for the documents beside a site. */
  readonly home?: string;
}

const markdown: readonly LinkKind[] = ['inline', 'reference'];
/** Builders that support only Markdown leave these to repository viewers. */
const foreign: readonly LinkKind[] = ['directive', 'macro'];
const scripts = (name: string) => ['js', 'ts', 'mjs', 'mts', 'cjs', 'cts'].map((ending) => `${name}.${ending}`);

/** A builder that several configuration files name. */
type BuilderRules = Omit<SiteBuilder, 'files'>;

const hugo: BuilderRules = {
  name: 'Hugo',
  source: 'https://gohugo.io/content-management/page-resources/',
  roots: hugoRoots,
  base: (config) => pathOf(topLevelText(config, 'baseURL', '')),
  // Files next to the index of a bundle are published next to its page.
  fromFile: (path) =>
    /(?:^|\/)_?index(?:\.[a-z-]+)?\.[a-z]+$/i.test(path) ? [...markdown, 'macro', 'field', 'shortcode'] : [],
};

const docusaurus: BuilderRules = {
  name: 'Docusaurus',
  source: 'https://docusaurus.io/docs/static-assets',
  roots: (config) => (config.includes('staticDirectories') ? staticDirectories(config) : ['static']),
  fromFile: () => [...markdown, ...foreign, 'url', 'field'],
  base: (config) => pathOf(scriptText(config, 'baseUrl', '')),
  addsBase: markdown,
  readsMdx: (config) => !/\bformat\s{0,8}:\s{0,8}["'](?:detect|md)["']/.test(config),
  aliases: () => ({ '@site': '' }),
};

/** The known builders, those with distinctive files before those with common ones. */
export const siteBuilders: readonly SiteBuilder[] = [
  {
    name: 'VitePress',
    source: 'https://vitepress.dev/guide/asset-handling',
    files: [...scripts('.vitepress/config'), ...scripts('.vitepress/config/index')],
    roots: (config) => inside(scriptText(config, 'srcDir', ''), scriptText(config, 'publicDir', 'public')),
    fromFile: () => [...markdown, ...foreign, 'tag', 'attribute', 'url'],
  },
  { ...docusaurus, files: scripts('docusaurus.config') },
  // Documents may lie beside the site that shows them.
  ...['website', 'site', 'www'].map((home) => ({
    ...docusaurus,
    files: scripts(`${home}/docusaurus.config`),
    owns: (config: string) => /\bpath\s{0,8}:\s{0,8}['"]\.\.\//.test(config),
    home,
  })),
  {
    name: 'VuePress',
    readmes: true,
    source: 'https://vuepress.vuejs.org/guide/assets.html',
    files: [...scripts('.vuepress/config'), '.vuepress/config.yml', '.vuepress/config.toml'],
    roots: () => ['.vuepress/public'],
    base: (config) => pathOf(scriptText(config, 'base', '')),
    fromFile: () => [...markdown, ...foreign, 'url'],
  },
  {
    name: 'Nuxt',
    source: 'https://nuxt.com/docs/getting-started/assets',
    files: scripts('nuxt.config'),
    // Before version 3, its folder had the other name.
    roots: (config) => (/\b(?:buildModules|target\s{0,8}:)/.test(config) ? ['static'] : ['public']),
    base: (config) => scriptText(config, 'baseURL', ''),
    fromFile: () => [...foreign, 'url'],
    aliases: (config) => {
      const sources = scriptText(config, 'srcDir', /\bcompatibilityVersion\s{0,8}:\s{0,8}4/.test(config) ? 'app' : '');
      return { '~': sources, '@': sources, '~~': '', '@@': '' };
    },
  },
  {
    name: 'Gatsby',
    source: 'https://www.gatsbyjs.com/docs/how-to/images-and-media/static-folder/',
    files: scripts('gatsby-config'),
    roots: () => ['static'],
    base: (config) => scriptText(config, 'pathPrefix', ''),
    // Only a build with an option of its own has the prefix.
    addsBase: [...markdown, 'tag', 'attribute', 'url'],
    fromFile: () => [...markdown, ...foreign, 'url'],
  },
  {
    name: 'Angular',
    source: 'https://angular.dev/reference/configs/workspace-config',
    files: ['angular.json'],
    roots: (config) => (/"public"/.test(config) ? ['public'] : ['src']),
    fromFile: () => [...foreign, 'url'],
    fromRoot: ['tag', 'attribute'],
  },
  {
    name: 'Mintlify',
    source: 'https://www.mintlify.com/docs/create/image-embeds',
    files: ['docs.json', 'mint.json'],
    owns: (config) => /"navigation"/.test(config),
    roots: () => [''],
    prefersRoot: true,
    fromFile: () => [...markdown, ...foreign, 'url'],
  },
  {
    name: 'Quarto',
    readsNotebooks: true,
    source: 'https://quarto.org/docs/authoring/figures.html',
    files: ['_quarto.yml', '_quarto.yaml'],
    roots: () => [''],
    fromFile: () => [...markdown, ...foreign, 'shortcode', 'tag', 'attribute', 'url'],
  },
  {
    name: 'mdBook',
    readmes: true,
    source: 'https://rust-lang.github.io/mdBook/format/markdown.html',
    files: ['book.toml'],
    roots: (config) => inside('', tableText(config, 'src', 'src')),
    fromFile: () => [...markdown, ...foreign, 'tag', 'attribute', 'url'],
  },
  {
    name: 'MyST',
    readsNotebooks: true,
    source: 'https://mystmd.org/guide/figures',
    files: ['myst.yml', '_toc.yml'],
    owns: (config) => ['project', 'site', 'format'].some((key) => statesTopLevel(config, key)),
    roots: () => [''],
    fromFile: () => [...markdown, ...foreign, 'tag', 'attribute'],
  },
  {
    name: 'DocFX',
    source: 'https://dotnet.github.io/docfx/docs/links-and-cross-references.html',
    files: ['docfx.json'],
    roots: () => [''],
    fromFile: () => [...markdown, ...foreign],
    aliases: () => ({ '~': '' }),
  },
  {
    name: 'Pelican',
    source: 'https://docs.getpelican.com/en/latest/content.html',
    files: ['pelicanconf.py'],
    roots: (config) => inside('', topLevelText(config, 'PATH', 'content')),
    fromFile: () => [],
  },
  {
    name: 'docsify',
    readmes: true,
    source: 'https://docsify.js.org/#/helpers',
    files: ['index.html'],
    owns: (config) => config.includes('docsify'),
    roots: () => [''],
    ignoresSlash: markdown,
    fromFile: () => markdown,
    // Every page is shown by the one of `index.html`.
    fromRoot: ['tag', 'attribute'],
  },
  {
    name: 'Obsidian',
    source: 'https://help.obsidian.md/attachments',
    files: ['.obsidian/app.json'],
    roots: () => [''],
    fromFile: () => markdown,
    images: obsidianFolder,
    ofImages: ['inline', 'embed'],
  },
  {
    name: 'AsciiDoc',
    source: 'https://docs.asciidoctor.org/asciidoctor/latest/',
    files: ['.asciidoctorconfig', '.asciidoctorconfig.adoc'],
    roots: () => undefined,
    fromFile: () => markdown,
    images: asciidocFolder,
    ofImages: ['macro'],
  },
  {
    name: 'Astro',
    source: 'https://docs.astro.build/en/guides/images/',
    files: scripts('astro.config'),
    roots: (config) => inside('', scriptText(config, 'publicDir', 'public')),
    base: (config) => pathOf(scriptText(config, 'base', '')),
    fromFile: () => [...markdown, ...foreign, 'url', 'field'],
  },
  {
    name: 'Next.js',
    source: 'https://nextjs.org/docs/app/api-reference/file-conventions/public-folder',
    files: scripts('next.config'),
    roots: () => ['public'],
    base: (config) => pathOf(scriptText(config, 'basePath', '')),
    fromFile: () => [...foreign, 'url'],
  },
  {
    name: 'SvelteKit',
    source: 'https://svelte.dev/docs/kit/project-structure',
    files: scripts('svelte.config'),
    owns: (config) => /\bkit\b/.test(config),
    roots: (config) => inside('', svelteAssets(config)),
    // The build takes an `enhanced:img` from there.
    fromFile: () => [...foreign, 'url', 'tag'],
  },
  {
    name: 'Slidev',
    source: 'https://sli.dev/guide/faq',
    files: ['package.json'],
    owns: (config) => config.includes('"@slidev/cli"'),
    roots: () => ['public'],
    fromFile: () => [...markdown, ...foreign, 'tag', 'attribute', 'url'],
  },
  {
    name: 'Antora',
    source: 'https://docs.antora.org/antora/latest/page/image-resource-id-examples/',
    files: ['antora.yml'],
    roots: () => undefined,
    fromFile: () => markdown,
    images: antoraImages,
    ofImages: ['macro'],
  },
  {
    name: 'Hexo',
    source: 'https://hexo.io/docs/asset-folders',
    files: ['_config.yml', '_config.yaml'],
    owns: (config) =>
      ['source_dir', 'public_dir', 'new_post_name', 'post_asset_folder'].some((key) => statesTopLevel(config, key)),
    roots: (config) => inside('', topLevelText(config, 'source_dir', 'source')),
    base: (config) => pathOf(topLevelText(config, 'root', '')),
    addsBase: markdown,
    fromFile: () => [],
  },
  {
    name: 'Jupyter Book',
    readsNotebooks: true,
    source: 'https://jupyterbook.org/en/stable/content/figures.html',
    files: ['_config.yml'],
    owns: (config) =>
      ['execute', 'sphinx', 'only_build_toc_files', 'launch_buttons'].some((key) => statesTopLevel(config, key)),
    roots: () => [''],
    fromFile: () => [...markdown, ...foreign, 'tag', 'attribute'],
  },
  {
    name: 'Jekyll',
    source: 'https://jekyllrb.com/docs/structure/',
    files: ['_config.yml', '_config.yaml', '_config.toml'],
    roots: (config) => inside('', topLevelText(config, 'source', '')),
    base: (config) => topLevelText(config, 'baseurl', ''),
    fromFile: () => [],
  },
  { ...hugo, files: settings('hugo') },
  { ...hugo, files: settings('config'), owns: (config) => /\b(?:baseURL|languageCode)\b/i.test(config) },
  // A folder whose files are read together.
  {
    ...hugo,
    files: [...settings('config/_default/hugo'), ...settings('config/_default/config')],
    roots: () => undefined,
  },
  {
    name: 'Eleventy',
    source: 'https://www.11ty.dev/docs/copy/',
    files: ['.eleventy.js', ...scripts('eleventy.config')],
    // A program decides which files are copied, and where.
    roots: () => undefined,
    aliases: copiedFolders,
    fromFile: () => [],
  },
  {
    name: 'MkDocs',
    source: 'https://www.mkdocs.org/user-guide/writing-your-docs/#linking-to-images-and-media',
    files: ['mkdocs.yml', 'mkdocs.yaml'],
    roots: (config) => inside('', topLevelText(config, 'docs_dir', 'docs')),
    base: (config) => pathOf(topLevelText(config, 'site_url', '')),
    fromFile: () => [...markdown, ...foreign, 'url'],
  },
  {
    name: 'Sphinx',
    readsNotebooks: true,
    source: 'https://www.sphinx-doc.org/en/master/usage/restructuredtext/basics.html#images',
    files: ['conf.py'],
    owns: (config) => ['extensions', 'html_theme', 'project', 'master_doc'].some((key) => statesTopLevel(config, key)),
    roots: () => [''],
    fromFile: () => [...markdown, ...foreign],
  },
  {
    name: 'Vite',
    source: 'https://vite.dev/guide/assets.html',
    files: scripts('vite.config'),
    roots: (config) => inside('', scriptText(config, 'publicDir', 'public')),
    base: (config) => pathOf(scriptText(config, 'base', '')),
    fromFile: () => [...markdown, ...foreign, 'url'],
  },
  {
    name: 'Storybook',
    source: 'https://storybook.js.org/docs/configure/integration/images-and-assets',
    files: scripts('.storybook/main'),
    roots: storyFolders,
    fromFile: () => [...markdown, ...foreign, 'url'],
  },
];

/** The folders that an Eleventy configuration copies as they are, by where they're published. */
function copiedFolders(config: string): Record<string, string> {
  const input = scriptText(config, 'input', '');
  // They may all be published below another path.
  if (input === undefined || /\bpathPrefix\b/.test(config)) return {};
  const code = config.replaceAll(/^\s{0,80}(?:\/\/|\*).*$/gm, '');
  const copied: [string, string][] = [];
  for (const [, quoted, mapped = ''] of code.matchAll(
    /\baddPassthroughCopy\(\s{0,80}(?:["']([^"'*?[\]{}!\n]{1,200})["']|\{([^{}]{1,2000})\})/g,
  )) {
    const from = quoted && plainFolder(quoted);
    if (from !== undefined && from !== '') {
      const isInput = input !== '' && from.startsWith(`${plainFolder(input)}/`);
      copied.push([`/${isInput ? from.slice(plainFolder(input).length + 1) : from}`, from]);
    }
    for (const [, text, word, to = ''] of mapped.matchAll(
      /(?:["']([^"'*?]{1,200})["']|([\w$]{1,80}))\s{0,8}:\s{0,8}["']([^"']{0,200})["']/g,
    )) {
      const published = plainFolder(to);
      copied.push([published === '' ? '' : `/${published}`, plainFolder(text ?? word ?? '')]);
    }
  }
  // A folder within another one comes first.
  return Object.fromEntries(copied.sort(([one], [other]) => other.length - one.length));
}

/** A folder without the marks that change nothing. */
function plainFolder(path: string): string {
  return path
    .replace(/^\.?\/+/, '')
    .replace(/\/+$/, '')
    .replace(/^\.$/, '');
}

function settings(name: string): string[] {
  return ['toml', 'yaml', 'yml', 'json'].map((ending) => `${name}.${ending}`);
}

/** A folder inside another; undefined if either is unknown. */
function inside(folder: string | undefined, name: string | undefined): readonly [string] | undefined {
  if (folder === undefined || name === undefined) return undefined;
  return [folder === '' ? name : `${folder}/${name}`];
}

function staticDirectories(config: string): readonly [string, ...string[]] | undefined {
  return config.split('staticDirectories').length > 2 ? undefined : listed(config, 'staticDirectories');
}

/** Relative to the configuration's own folder. */
function storyFolders(config: string): readonly [string, ...string[]] | undefined {
  const [first, ...more] = (listed(config, 'staticDirs') ?? []).flatMap(
    (folder) => resolved('.storybook', folder) ?? [],
  );
  return first === undefined ? undefined : [first, ...more];
}

/** The quoted texts in a list after a key. */
function listed(config: string, key: string): readonly [string, ...string[]] | undefined {
  const list = new RegExp(`${key}\\s{0,8}:\\s{0,8}\\[([^\\]$\`\\\\]{0,500})\\]`).exec(config)?.[1];
  const [first, ...more] = (list ?? '').split(',').flatMap((item) => /^\s*(['"])([^'"]*)\1\s*$/.exec(item)?.[2] ?? []);
  return first === undefined ? undefined : [first, ...more];
}

/** A bare name is an attachment, and any other path starts at the vault. */
function obsidianFolder(documentPath: string, config: string, path: string): readonly string[] {
  if (path.startsWith('.')) return [folderOf(documentPath)];
  if (path.includes('/')) return [''];
  const folder = /"attachmentFolderPath"\s{0,8}:\s{0,8}"([^"\\]{0,300})"/.exec(config)?.[1] ?? '/';
  const attachments = resolved(folder.startsWith('.') ? folderOf(documentPath) : '', folder);
  return attachments === undefined ? [] : [attachments];
}

/** As the attribute for all documents states it. */
function asciidocFolder(documentPath: string, config: string): readonly string[] {
  const stated = /^:imagesdir:[ \t]{1,8}(\S{1,300})[ \t]*$/m.exec(config)?.[1];
  const start = '{asciidoctorconfigdir}/';
  if (stated === undefined) return [folderOf(documentPath)];
  const folder = stated.startsWith(start)
    ? resolved('', stated.slice(start.length))
    : resolved(folderOf(documentPath), stated);
  return folder === undefined || folder.includes('{') ? [] : [folder];
}

/** Adapters have assets too. */
function svelteAssets(config: string): string | undefined {
  if (!/\bfiles\b/.test(config)) return 'static';
  const files = /\bfiles\s{0,8}:\s{0,8}\{([^{}]{0,500})\}/.exec(config)?.[1];
  return files === undefined ? undefined : scriptText(files, 'assets', 'static');
}

/** Of a module's pages. Partials are shown on pages of any module, so theirs are unknown. */
function antoraImages(documentPath: string, config: string, path: string): readonly string[] {
  const module = /^modules\/[^/]+(?=\/pages\/)/.exec(documentPath)?.[0];
  // Coordinates don't lead out of a module's images.
  if (module === undefined || config.includes('collector') || path.startsWith('../')) return [];
  return [`${module}/images`, `${module}/assets/images`];
}

/** Themes add files of their own. If modules and mounts merge several trees, the result is unknown. */
function hugoRoots(config: string): readonly [string, ...string[]] | undefined {
  if (/^[ \t]*(?:\[{0,2}|["'])(?:module|staticDir\d*|assetDir)\b/im.test(config)) return undefined;
  const theme = topLevelText(config, 'theme', '');
  if (theme === undefined || config.trimStart().startsWith('{')) return undefined;
  return ['static', 'assets', 'content', ...(theme === '' ? [] : [`themes/${theme}/static`, `themes/${theme}/assets`])];
}

/** The path of a URL, without a trailing slash; undefined if the URL is. */
function pathOf(address: string | undefined): string | undefined {
  return address?.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/\/$/, '');
}

/** Whether repository viewers show this file as is, although it's in a site of this builder. */
export function isOfRepository(documentPath: string, { readmes = false }: SiteBuilder): boolean {
  const name = documentPath.slice(folderOf(documentPath).length).replace(/^\//, '');
  const words = name.slice(0, -endingOf(name).length - 1).toLowerCase();
  const ofRepositories = [
    ...(readmes ? [] : ['readme']),
    'contributing',
    'changelog',
    'security',
    'code_of_conduct',
    'support',
    'governance',
  ];
  return (
    documentPath.startsWith('.github/') || ofRepositories.some((one) => words === one || words.startsWith(`${one}.`))
  );
}
