import type { LinkKind } from './linkKind';
import { endingOf, folderOf } from './paths';
import { scriptText, statesTopLevel, topLevelText } from './siteConfig';

/**
 * How a builder of web sites finds the images that the documents of a site name. Folders are relative to the site's
 * own.
 */
export interface SiteBuilder {
  readonly name: string;
  /** The builder's own documentation of it. */
  readonly source: string;
  /** Configuration files, any of which makes a folder a site of this builder. */
  readonly files: readonly string[];
  /** Whether the text of such a file is really the builder's, where others have files of that name. */
  readonly owns?: (config: string) => boolean;
  /** The folders that `/` means; new files go to the first. Undefined if unknown. */
  readonly roots: (config: string) => readonly [string, ...string[]] | undefined;
  /** The text before every path of the published site, and so in front of `/`: without a slash at its end. */
  readonly base?: (config: string) => string | undefined;
  /**
   * Which links of a document count a relative path from the document's file. Others count from the page's address,
   * which cannot be told.
   */
  readonly fromFile: (documentPath: string) => readonly LinkKind[];
  /** The name of the site's folder at the beginning of a path. */
  readonly alias?: string;
  /** The folder from which the macros of a document count; undefined if unknown. */
  readonly images?: (documentPath: string, config: string) => string | undefined;
}

const markdown: readonly LinkKind[] = ['inline', 'reference'];
/** What builders that know Markdown alone leave to those who show the repository. */
const foreign: readonly LinkKind[] = ['directive', 'macro'];
const scripts = (name: string) => ['js', 'ts', 'mjs', 'mts', 'cjs', 'cts'].map((ending) => `${name}.${ending}`);

const hugo: Omit<SiteBuilder, 'files'> = {
  name: 'Hugo',
  source: 'https://gohugo.io/content-management/page-resources/',
  roots: hugoRoots,
  base: (config) => pathOf(topLevelText(config, 'baseURL', '')),
  // The files beside the index of a bundle are published beside its page.
  fromFile: (path) => (/(?:^|\/)_?index(?:\.[a-z-]+)?\.[a-z]+$/i.test(path) ? [...markdown, 'macro'] : []),
};

/** The builders that are known, one whose files say more before one whose files are common. */
export const siteBuilders: readonly SiteBuilder[] = [
  {
    name: 'VitePress',
    source: 'https://vitepress.dev/guide/asset-handling',
    files: [...scripts('.vitepress/config'), ...scripts('.vitepress/config/index')],
    roots: (config) => inside(scriptText(config, 'srcDir', ''), scriptText(config, 'publicDir', 'public')),
    fromFile: () => [...markdown, ...foreign, 'tag', 'poster', 'url'],
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
    fromFile: () => [...markdown, ...foreign, 'tag', 'poster', 'url'],
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
  // A folder of files that are read together.
  {
    ...hugo,
    files: [...settings('config/_default/hugo'), ...settings('config/_default/config')],
    roots: () => undefined,
  },
  {
    name: 'Eleventy',
    source: 'https://www.11ty.dev/docs/copy/',
    files: ['.eleventy.js', ...scripts('eleventy.config')],
    // A program says which files are copied, and where.
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

/** One folder in another; undefined if either is unknown. */
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

/** `modules/<module>/images` for the pages of a module: what is shared by several is shown on pages of any module. */
function antoraImages(documentPath: string, config: string): string | undefined {
  const module = /^modules\/[^/]+(?=\/pages\/)/.exec(documentPath)?.[0];
  return module === undefined || config.includes('collector') ? undefined : `${module}/images`;
}

/** Themes bring files of their own; where modules and mounts make one tree of many, what it holds cannot be told. */
function hugoRoots(config: string): readonly [string, ...string[]] | undefined {
  if (/^[ \t]*(?:\[{0,2}|["'])(?:module|staticDir\d*|assetDir)\b/im.test(config)) return undefined;
  const theme = topLevelText(config, 'theme', '');
  if (theme === undefined || config.trimStart().startsWith('{')) return undefined;
  return ['static', 'assets', 'content', ...(theme === '' ? [] : [`themes/${theme}/static`, `themes/${theme}/assets`])];
}

/** The path of an address, without the slash at its end; undefined when the address is. */
function pathOf(address: string | undefined): string | undefined {
  return address?.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/\/$/, '');
}

/** Whether those who show a repository show this file as it is, whatever site it lies in. */
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
