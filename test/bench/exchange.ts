import { join } from 'node:path';

/** What one extension's activation cost. */
export interface Activation {
  readonly id: string;
  readonly ms: number;
  /** In use after it, minus before, MB. */
  readonly heapMB: number;
  readonly rssMB: number;
}

/** The variable that tells the extension host the exchange folder. */
export const exchangeFolder = 'MODEL_CATALOG_BENCH';

/** The files in which a bench lists extensions for the extension host to activate in order, and gets its results. */
export function exchange(env: NodeJS.ProcessEnv): { readonly question: string; readonly answer: string } {
  const folder = env[exchangeFolder] ?? '';
  return { question: join(folder, 'question.json'), answer: join(folder, 'answer.json') };
}
