import { foldersUp } from './paths';

/**
 * The folders whose files a web site serves from its root: `public` (Vite, Next, Astro, Nuxt, Vue, VitePress) and
 * `static` (SvelteKit, Docusaurus, Hugo, Gatsby). Each may lie in any folder around the document, as it does in a
 * repository of several sites.
 */
const names = ['public', 'static'] as const;

/** The folders that `/` may mean in a document of a site, the nearest to the document first. */
export function siteFolders(documentFolder: string): string[] {
  return foldersUp(documentFolder).flatMap((folder) =>
    names.map((name) => (folder === '' ? name : `${folder}/${name}`)),
  );
}
