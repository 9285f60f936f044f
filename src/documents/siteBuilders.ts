import type { LinkKind } from './linkKind';
import { endingOf, folderOf } from './paths';
import { scriptText, statesTopLevel, topLevelText } from './siteConfig';

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
  /**
   * The kinds of links in a document whose relative paths start at its file. Others start at the page's URL, which is
   * unknown.
   */
  readonly fromFile: (documentPath: string) => readonly LinkKind[];
  /** The name for the site's folder at the start of a path. */
  readonly alias?: string;
  /** The folder that a document's macros start from; undefined if unknown. */
  readonly images?: (documentPath: string, config: string) => string | undefined;
}

const markdown: readonly LinkKind[] = ['inline', 'reference'];
/** Builders that support only Markdown leave these to repository viewers. */
const foreign: readonly LinkKind[] = ['directive', 'macro'];
const scripts = (name: string) => ['js', 'ts', 'mjs', 'mts', 'cjs', 'cts'].map((ending) => `${name}.${ending}`);

const hugo: Omit<SiteBuilder, 'files'> = {
  name: 'Hugo',
  source: 'https://gohugo.io/content-management/page-resources/',
  roots: hugoRoots,
  base: (config) => pathOf(topLevelText(config, 'baseURL', '')),
  // Files next to the index of a bundle are published next to its page.
  fromFile: (path) => (/(?:^|\/)_?index(?:\.[a-z-]+)?\.[a-z]+$/i.test(path) ? [...markdown, 'macro'] : []),
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
  {
    name: 'Docusaurus',
    source: 'https://docusaurus.io/docs/static-assets',
    files: scripts('docusaurus.config'),
    roots: (config) => (config.includes('staticDirectories') ? staticDirectories(config) : ['static']),
    fromFile: () => [...markdown, ...foreign, 'url'],
    base: (config) => pathOf(scriptText(config, 'baseUrl', '')),
    alias: '@site',
  },
  {
    name: 'Astro',
    source: 'https://docs.astro.build/en/guides/images/',
    files: scripts('astro.config'),
    roots: (config) => inside('', scriptText(config, 'publicDir', 'public')),
    base: (config) => pathOf(scriptText(config, 'base', '')),
    fromFile: () => [...markdown, ...foreign, 'url'],
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
    fromFile: () => [...foreign, 'url'],
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
    source: 'https://www.sphinx-doc.org/en/master/usage/restructuredtext/basics.html#images',
    files: ['conf.py'],
    owns: (config) => ['extensions', 'html_theme', 'project', 'master_doc'].some((key) => statesTopLevel(config, key)),
    roots: () => [''],
    fromFile: () => [...markdown, ...foreign],
  },
];

function settings(name: string): string[] {
  return ['toml', 'yaml', 'yml', 'json'].map((ending) => `${name}.${ending}`);
}

/** A folder inside another; undefined if either is unknown. */
function inside(folder: string | undefined, name: string | undefined): readonly [string] | undefined {
  if (folder === undefined || name === undefined) return undefined;
  return [folder === '' ? name : `${folder}/${name}`];
}

function staticDirectories(config: string): readonly [string, ...string[]] | undefined {
  const list = /staticDirectories\s{0,8}:\s{0,8}\[([^\]$`\\]{0,500})\]/.exec(config)?.[1];
  const [first, ...more] = (list ?? '').split(',').flatMap((item) => /^\s*(['"])([^'"]*)\1\s*$/.exec(item)?.[2] ?? []);
  return first === undefined || config.split('staticDirectories').length > 2 ? undefined : [first, ...more];
}

/** Adapters have assets too. */
function svelteAssets(config: string): string | undefined {
  if (!/\bfiles\b/.test(config)) return 'static';
  const files = /\bfiles\s{0,8}:\s{0,8}\{([^{}]{0,500})\}/.exec(config)?.[1];
  return files === undefined ? undefined : scriptText(files, 'assets', 'static');
}

/** `modules/<module>/images` for a module's pages. Partials are shown on pages of any module, so theirs is unknown. */
function antoraImages(documentPath: string, config: string): string | undefined {
  const module = /^modules\/[^/]+(?=\/pages\/)/.exec(documentPath)?.[0];
  return module === undefined || config.includes('collector') ? undefined : `${module}/images`;
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

/** Whether repository viewers show this file as is, whatever site it's in. */
export function isOfRepository(documentPath: string): boolean {
  const name = documentPath.slice(folderOf(documentPath).length).replace(/^\//, '');
  const words = name.slice(0, -endingOf(name).length - 1).toLowerCase();
  const ofRepositories = [
    'readme',
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
