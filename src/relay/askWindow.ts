import { connect } from 'node:net';
import { eachLine, jsonIn, lineOf } from './lines';
import { longestSaying, sayingSchema, type WindowCall, type WindowResult } from './wire';
import type { WindowFile } from './windowFiles';

/** Why a window gave no result: it never had the call, or it closed after it had it. */
export type NoResult = 'notReached' | 'closed';

/**
 * Asks a window over its socket. Resolves with its result, or why there's none. When the signal fires, the window hears
 * of it, and no result comes any more.
 */
export function askWindow(
  { socket: path, token }: WindowFile,
  call: Omit<WindowCall, 'token'>,
  signal: AbortSignal,
  progress: (words: string) => void,
): Promise<WindowResult | NoResult> {
  return new Promise((resolve) => {
    const socket = connect(path);
    let isHeard = false;
    const breakOff = () => socket.destroy();
    signal.addEventListener('abort', breakOff, { once: true });
    socket.on('error', () => {});
    socket.on('close', () => {
      signal.removeEventListener('abort', breakOff);
      resolve(isHeard ? 'closed' : 'notReached');
    });
    eachLine(socket, longestSaying, (line) => {
      const saying = sayingSchema.safeParse(jsonIn(line)).data;
      if (!saying) return socket.destroy();
      if ('heard' in saying) isHeard = true;
      else if ('progress' in saying) progress(saying.progress);
      else {
        resolve(saying.result);
        socket.destroy();
      }
    });
    socket.write(lineOf({ token, ...call }));
    if (signal.aborted) breakOff();
  });
}
