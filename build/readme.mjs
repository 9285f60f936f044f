// The README as the extension's page in the editor shows it, which loads images from websites only.
import { readFileSync } from 'node:fs';

const walkthrough = 'To see it in pictures, run **Model Catalog: Get Started** from the Command Palette.';

/**
 * The README without its images, since neither a file of the package nor a data URL appears on that page: the first one
 * gives way to a pointer to the walkthrough. Links to files of the source become the names of the files.
 */
export function packagedReadme() {
  const image = /!\[[^\]]*\]\(media\/[^)]+\)/;
  return readFileSync('README.md', 'utf8')
    .replace(image, walkthrough)
    .replaceAll(new RegExp(`${image.source}\\n\\n`, 'g'), '')
    .replaceAll(/\[([^\]]*)\]\((?!https:|#)[^)]+\)/g, '`$1`');
}
