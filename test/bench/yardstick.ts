import { join } from 'node:path';

/** The folder of the built extension that benches hold ours against. */
export const yardstick = join(__dirname, 'yardstick');
