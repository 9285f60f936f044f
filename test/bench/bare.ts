import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import Agent from 'undici/lib/dispatcher/agent.js';
import request from 'undici/lib/api/api-request.js';
import { benchKey, catalogPath } from './service';

/** Requests over undici, with nothing of ours around them. */
export class BareClient {
  private readonly agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

  constructor(private readonly base: string) {}

  async post(path: string, body: Uint8Array): Promise<string> {
    return textOf(await this.request('POST', path, body));
  }

  async get(path: string): Promise<string> {
    return textOf(await this.request('GET', path));
  }

  /** Downloads a file of the service; resolves once it's durably on disk. */
  async download(path: string, file: string): Promise<void> {
    const body = await this.request('GET', path);
    await pipeline(body, createWriteStream(file, { highWaterMark: 1024 * 1024, flush: true }));
  }

  /** As `download`, and resolves with the file's SHA-256. */
  async downloadHashed(path: string, file: string): Promise<string> {
    const hash = createHash('sha256');
    const body = await this.request('GET', path);
    const hashed = new PassThrough().on('data', (chunk: Buffer) => hash.update(chunk));
    await pipeline(body, hashed, createWriteStream(file, { highWaterMark: 1024 * 1024, flush: true }));
    return hash.digest('hex');
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }

  private async request(method: string, path: string, body?: Uint8Array): Promise<Readable> {
    const headers = { authorization: `Bearer ${benchKey}`, 'content-type': 'application/json' };
    const { signal } = new AbortController();
    const to = { origin: this.base, path: catalogPath + path };
    const answer = await request.call(this.agent, { ...to, method, headers, body, signal });
    return answer.body;
  }
}

async function textOf(body: Readable): Promise<string> {
  let text = '';
  for await (const chunk of body as AsyncIterable<Buffer>) text += chunk.toString();
  return text;
}
