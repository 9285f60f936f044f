// Reads one document on its own thread; see `linkReader.ts` in the host.
import { parentPort, workerData } from 'node:worker_threads';
import { imageLinks } from './imageLinks';
import type { FileSyntax } from './syntax';

const { text, syntax } = workerData as { readonly text: string; readonly syntax: FileSyntax };
parentPort?.postMessage(imageLinks(text, syntax));
