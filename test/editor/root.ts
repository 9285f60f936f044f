import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of the clone; built files lie at several depths below it. */
export const root = above(__dirname);

function above(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : above(dirname(folder));
}
