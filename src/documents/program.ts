// Reads one document on its own thread; see `linkReader.ts` in the host.
import { parentPort, workerData } from 'node:worker_threads';
import { imageLinks } from './imageLinks';
import type { Syntax } from './syntax';

const { text, syntax } = workerData as { readonly text: string; readonly syntax: Syntax };
parentPort?.postMessage(imageLinks(text, syntax));
