import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The repository's folder; built files are at various depths below it. */
export const root = above(__dirname);

function above(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : above(dirname(folder));
}
