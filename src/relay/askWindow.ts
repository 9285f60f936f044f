import { connect } from 'node:net';
import { eachLine, jsonIn, lineOf } from './lines';
import { longestSaying, sayingSchema, type WindowCall, type WindowResult } from './wire';
import { isOwnSocket, type WindowFile } from './windowFiles';

/** Why a window returned no result: it never got the call, or closed after it did. */
export type NoResult = 'notReached' | 'closed';

/** Receives progress reports. While a person is asked in a window, `page` is the URL that brings it to the front. */
export type Progress = (words: string, page?: string) => void;

/**
 * Sends a call to a window over its socket. Resolves with its result, or why there is none. Aborting the signal tells
 * the window, and no result follows.
 */
export function askWindow(
  { socket: path, token }: WindowFile,
  call: Omit<WindowCall, 'token'>,
  signal: AbortSignal,
  progress: Progress,
): Promise<WindowResult | NoResult> {
  // Before the token and the call's words are sent.
  if (!isOwnSocket(path)) return Promise.resolve('notReached');
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
      else if ('progress' in saying) progress(saying.progress, saying.page);
      else {
        resolve(saying.result);
        socket.destroy();
      }
    });
    socket.write(lineOf({ token, ...call }));
    if (signal.aborted) breakOff();
  });
}
