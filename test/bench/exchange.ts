import { join } from 'node:path';

/** What the activation of one extension took. */
export interface Activation {
  readonly id: string;
  readonly ms: number;
  /** In use after it over before, MB. */
  readonly heapMB: number;
  readonly rssMB: number;
}

/** Names the folder of the exchange to the extension host. */
export const exchangeFolder = 'MODEL_CATALOG_BENCH';

/** The files through which a bench asks the extension host (extensions to activate, in order) and is answered. */
export function exchange(env: NodeJS.ProcessEnv): { readonly question: string; readonly answer: string } {
  const folder = env[exchangeFolder] ?? '';
  return { question: join(folder, 'question.json'), answer: join(folder, 'answer.json') };
}
