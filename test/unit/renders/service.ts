import { Readable } from 'node:stream';
import type { JsonObject } from '../../../src/base/json';
import type { Answer as Response, Content } from '../../../src/catalog/client';
import { ServiceError } from '../../../src/catalog/errors';
import { type ImageBytes, requestBody } from '../../../src/catalog/request';
import type { Field, Generation, Listing, Model } from '../../../src/catalog/fields';
import type { RenderClient } from '../../../src/renders/record';
import type { Clock } from '../../../src/base/clock';

/** What happens to one POST: before the service acts, or after it charged. */
export type Fate = 'charged' | 'lostBefore' | 'lostAfter' | 'silentBefore' | 'silentAfter' | ServiceError;

/** A service in the same process that keeps its own account: its charges are the truth. */
export class TestService implements RenderClient {
  account = 'account-1';
  readonly charges: { key: string; body: string; id: string }[] = [];
  readonly posts: { key: string; body: string }[] = [];
  readonly generationsById = new Map<string, Generation>();
  readonly contents = new Map<string, () => Content>();
  /** What happens to the next POSTs, in order; `charged` once they're used up. */
  fates: Fate[] = [];
  /** The error of all GETs while set. */
  outage: ServiceError | undefined;
  /** How far the service's clock is ahead of the machine's, ms; undefined if it states no time. */
  clockAhead: number | undefined = 0;
  listCalls = 0;
  timeCalls = 0;
  singleCalls = 0;
  listedIds: ((id: string) => boolean) | undefined;
  beforeLeaving: () => void = () => {};
  /** Called when the state of renders is requested. */
  looked: () => void = () => {};
  /** Charges again for a key it has seen. */
  ignoresKeys = false;
  /** What the response to a POST states beyond that it's queued. */
  atOnce: Partial<Generation> = {};
  /** No connection succeeds, so no byte of a POST leaves. */
  offline = false;
  /** `clockAhead` when a response last stated the time. */
  private heardAhead: number | undefined = 0;

  constructor(private readonly clock: Clock) {}

  /** As after a start: the service's clock isn't known yet. */
  forgetTime(): void {
    this.heardAhead = undefined;
  }

  serviceTime(): number | undefined {
    return this.heardAhead === undefined ? undefined : this.clock.now() + this.heardAhead;
  }

  async hearTime(): Promise<number | 'kept' | undefined> {
    this.timeCalls++;
    await this.answering();
    return this.clockAhead === undefined ? undefined : this.serviceTime();
  }

  /** The images among inputs. */
  imageBytes: ImageBytes = () => undefined;

  bodyOf(modelId: string, inputs: JsonObject): Uint8Array {
    return requestBody(modelId, inputs, this.imageBytes);
  }

  async createGeneration(body: Uint8Array, key: string, beforeSend: () => void): Promise<Response<Generation>> {
    await Promise.resolve();
    this.beforeLeaving();
    if (this.offline) throw noResponse();
    beforeSend();
    const post = { key, body: new TextDecoder().decode(body) };
    this.posts.push(post);
    const fate = this.fates.shift() ?? 'charged';
    if (fate instanceof ServiceError) throw fate;
    if (fate === 'silentBefore') return new Promise(() => {});
    if (fate === 'lostBefore') throw noResponse();
    const generation = this.charge(post);
    if (fate === 'lostAfter') throw noResponse();
    if (fate === 'silentAfter') return new Promise(() => {});
    return { value: generation };
  }

  private charge(post: { key: string; body: string }): Generation {
    const before = this.ignoresKeys ? undefined : this.charges.find(({ key }) => key === post.key);
    if (before) return this.generationsById.get(before.id)!;
    const id = `g${this.charges.length + 1}`;
    const { modelId, inputs } = JSON.parse(post.body) as Pick<Generation, 'modelId' | 'inputs'>;
    const createdAt = this.clock.now() + (this.clockAhead ?? 0);
    const generation: Generation = { id, status: 'queued', costCents: 4, modelId, inputs, createdAt, ...this.atOnce };
    this.charges.push({ ...post, id });
    this.generationsById.set(id, generation);
    return generation;
  }

  /** The service changes a render. */
  set(id: string, change: Partial<Generation>): void {
    this.generationsById.set(id, { ...this.generationsById.get(id)!, ...change });
  }

  succeed(id: string, bytes: Uint8Array): void {
    this.set(id, { status: 'succeeded', contentUrl: `https://models.example/${id}` });
    this.contents.set(id, () => ({ stream: Readable.from([bytes]), length: bytes.length }));
  }

  async generations(): Promise<Response<Listing<Generation>>> {
    this.listCalls++;
    this.looked();
    await this.answering();
    const items = [...this.generationsById.values()].filter(({ id }) => this.listedIds?.(id) ?? true);
    // As the client reads a list.
    const read = items.map(({ textOutput, ...item }) => ({
      ...item,
      ...(textOutput !== undefined && { excerpt: textOutput }),
    }));
    return { value: { items: read, incomplete: false, unreadable: 0 } };
  }

  async generation(id: string): Promise<Response<Generation>> {
    this.singleCalls++;
    this.looked();
    await this.answering();
    const found = this.generationsById.get(id);
    if (!found) throw new ServiceError('status', 'not found', { status: 404 });
    return { value: found };
  }

  /** The fields of every model. */
  fields: readonly Field[] = [];

  async model(id: string): Promise<Model> {
    await this.answering();
    return { id, provider: 'a', family: 'b', name: 'c', title: 'c', fields: this.fields };
  }

  async content(id: string): Promise<Content> {
    await this.answering();
    const content = this.contents.get(id);
    if (!content) throw new ServiceError('status', 'not found', { status: 404 });
    return content();
  }

  async delete(id: string): Promise<void> {
    await this.answering();
    this.generationsById.delete(id);
  }

  private async answering(): Promise<void> {
    await Promise.resolve();
    if (this.outage) throw this.outage;
    this.heardAhead = this.clockAhead ?? this.heardAhead;
  }
}

export function noResponse(): ServiceError {
  return new ServiceError('noAnswer', 'connection reset');
}
