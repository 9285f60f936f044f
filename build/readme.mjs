// The README as the extension's page shows it, which can load no file that is packaged next to it.
import { readFileSync } from 'node:fs';
import { extname } from 'node:path';

/** The README with its images inside. Links to files of the source become the names of the files. */
export function packagedReadme() {
  return readFileSync('README.md', 'utf8')
    .replaceAll(/!\[([^\]]*)\]\((media\/[^)]+)\)/g, (_, alt, path) => `![${alt}](${dataUrl(path)})`)
    .replaceAll(/(?<!!)\[([^\]]*)\]\((?!https:|#)[^)]+\)/g, '`$1`');
}

function dataUrl(path) {
  return `data:image/${extname(path).slice(1)};base64,${readFileSync(path).toString('base64')}`;
}
