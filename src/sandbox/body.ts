import type { IncomingMessage } from 'node:http';
import { say } from './language';
import { Problem } from './problem';

/** The largest body that is read, bytes: room for two images as base64. */
const limit = 12 * 1024 * 1024;

/** The JSON in a request. Throws 415 for another Content-Type, 413 above 12 MiB, and 400 for invalid JSON. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json')
    throw new Problem(415, 'NOT_JSON', say('Send JSON, with Content-Type: application/json.'));
  const bytes = await read(request);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown;
  } catch (error) {
    throw new Problem(400, 'INVALID_JSON', say('The body isn’t valid JSON: {0}', (error as Error).message));
  }
}

async function read(request: IncomingMessage): Promise<Uint8Array> {
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge();
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > limit) throw tooLarge();
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function tooLarge(): Problem {
  return new Problem(413, 'TOO_LARGE', say('The body has more than {0} bytes.', limit));
}
