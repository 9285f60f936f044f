import { join } from 'node:path';
import * as z from 'zod/mini';
import { type Random, systemRandom } from '../../../base/clock';
import { isObject } from '../../../base/json';
import { type Log, reasonOf } from '../../../base/log';
import { fingerprint } from '../../../catalog/apiKey';
import type { Listing, Model, ModelSummary } from '../../../catalog/fields';
import { nodeDisk, type Disk } from '../../../files/disk';
import { newFile } from '../../../files/names';
import { codeOf } from '../../../files/problem';
import { isAway, type ListSession, ownerOf } from './modelList';

/** The owner of a list: a service by its URL, an account by its fingerprint, and the language it was requested in. */
export interface ListOwner {
  readonly place: string;
  readonly account: string;
  readonly language?: string;
}

const schema = z.object({
  place: z.string(),
  account: z.string(),
  language: z.optional(z.string()),
  at: z.number(),
  listing: z.object({
    items: z.array(
      z.object({
        id: z.string(),
        provider: z.string(),
        family: z.string(),
        name: z.string(),
        title: z.string(),
        description: z.optional(z.string()),
        kind: z.optional(z.enum(['image', 'text', 'other'])),
        isForTesting: z.optional(z.boolean()),
      }),
    ),
    incomplete: z.boolean(),
    unreadable: z.number(),
  }),
});

/** What is kept of one model. Its fields are as we wrote them, in the version of the extension that did. */
const modelSchema = z.object({
  place: z.string(),
  account: z.string(),
  language: z.optional(z.string()),
  version: z.string(),
  model: z.custom<Model>((model: unknown) => isObject(model) && Array.isArray(model['fields'])),
});

/** The lists stored in this folder, in the extension's storage. */
export function keptModelsIn(storage: string): KeptModels {
  return new KeptModels(join(storage, 'models'), nodeDisk, systemRandom);
}

/**
 * The last list of models of each service, and the fields of those that were used, on disk, for when it isn't
 * responding. They're shown only to their own account, and in their own language.
 */
export class KeptModels {
  constructor(
    private readonly folder: string,
    private readonly disk: Disk,
    private readonly random: Random,
  ) {}

  /** The list with its time, ms since 1970; undefined when this account has none. Rejects when the disk fails. */
  async read({
    place,
    account,
    language,
  }: ListOwner): Promise<{ listing: Listing<ModelSummary>; at: number } | undefined> {
    const kept = schema.safeParse(parsed(await this.text(await this.pathOf(place)))).data;
    return kept?.place === place && kept.account === account && kept.language === language ? kept : undefined;
  }

  /** Replaces the stored list atomically. Rejects when the disk fails; the previous one then stays. */
  async write({ place, account, language }: ListOwner, listing: Listing<ModelSummary>, at: number): Promise<void> {
    await this.replace(await this.pathOf(place), { place, account, language, at, listing });
  }

  /** As `write`, for a model and its fields. `version` is the extension's: another one may have other fields. */
  async writeModel({ place, account, language }: ListOwner, version: string, model: Model): Promise<void> {
    await this.replace(await this.pathOf(place, model.id), { place, account, language, version, model });
  }

  /** The model as it was written last; undefined when this account or version has none. Rejects when the disk fails. */
  async readModel({ place, account, language }: ListOwner, version: string, id: string): Promise<Model | undefined> {
    const kept = modelSchema.safeParse(parsed(await this.text(await this.pathOf(place, id)))).data;
    const isOwn = kept?.place === place && kept.account === account && kept.language === language;
    return isOwn && kept.version === version && kept.model.id === id ? kept.model : undefined;
  }

  private async replace(path: string, content: object): Promise<void> {
    const unfinished = `${path}-${this.random.uuid()}`;
    const bytes = new TextEncoder().encode(JSON.stringify(content));
    await this.disk.ownFolder(this.folder);
    try {
      await newFile(this.disk, unfinished, 0o600, (file) => file.write(bytes));
      await this.disk.rename(unfinished, path);
    } catch (error) {
      // The first failure is the one that matters.
      await this.disk.unlink(unfinished).catch(() => {});
      throw error;
    }
  }

  /** A URL has characters that file names can't have; its digest identifies it as well. */
  private async pathOf(place: string, modelId?: string): Promise<string> {
    const name = modelId === undefined ? place : `${place}\n${modelId}`;
    return join(this.folder, `${(await fingerprint(name, 'models')).slice(0, 32)}.json`);
  }

  private async text(path: string): Promise<string> {
    try {
      const chunks: Uint8Array[] = [];
      for await (const chunk of this.disk.read(path)) chunks.push(chunk);
      return Buffer.concat(chunks).toString('utf8');
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return '';
      throw error;
    }
  }
}

/** The models that this window's account used, as they were last. Never rejects: it only has less to show then. */
export class UsedModels {
  constructor(
    private readonly kept: KeptModels,
    private readonly session: ListSession,
    private readonly version: string,
    private readonly log: Log,
  ) {}

  /** Keeps a model that the service has just stated. */
  async keep(model: Model): Promise<void> {
    const owner = ownerOf(this.session);
    try {
      if (owner) await this.kept.writeModel(owner, this.version, model);
    } catch (error) {
      this.log.warn(`Couldn’t save the inputs of ${model.id}: ${reasonOf(error)}`);
    }
  }

  /** The model that was kept, if the error says that the service is away. */
  async instead(id: string, error: unknown): Promise<Model | undefined> {
    const owner = ownerOf(this.session);
    try {
      return owner && isAway(error) ? await this.kept.readModel(owner, this.version, id) : undefined;
    } catch (failure) {
      this.log.warn(`Couldn’t read the saved inputs of ${id}: ${reasonOf(failure)}`);
      return undefined;
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No file, or not ours: there is no list.
    return undefined;
  }
}
