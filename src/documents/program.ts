// Reads one document in a thread of its own, see `linkReader.ts` of the host.
import { parentPort, workerData } from 'node:worker_threads';
import { imageLinks } from './imageLinks';
import type { Syntax } from './syntax';

const { text, syntax } = workerData as { readonly text: string; readonly syntax: Syntax };
parentPort?.postMessage(imageLinks(text, syntax));
