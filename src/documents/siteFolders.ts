import { foldersUp } from './paths';

/**
 * The folders that websites serve from their root: `public` (Vite, Next, Astro, Nuxt, Vue, VitePress), `static`
 * (SvelteKit, Docusaurus, Hugo, Gatsby), and `wwwroot` (ASP.NET). They may be in any folder around the document, as in
 * a repository of several sites.
 */
const names = ['public', 'static', 'wwwroot'] as const;

/** The folders that `/` may mean in a site's document, nearest first. */
export function siteFolders(documentFolder: string): string[] {
  return foldersUp(documentFolder).flatMap((folder) =>
    names.map((name) => (folder === '' ? name : `${folder}/${name}`)),
  );
}
