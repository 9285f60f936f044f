import { join } from 'node:path';

/** The folder of the built extension that benches compare ours with. */
export const yardstick = join(__dirname, 'yardstick');
