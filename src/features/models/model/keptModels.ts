import { join } from 'node:path';
import * as z from 'zod/mini';
import { type Random, systemRandom } from '../../../base/clock';
import { fingerprint } from '../../../catalog/apiKey';
import type { Listing, ModelSummary } from '../../../catalog/fields';
import { nodeDisk, type Disk } from '../../../files/disk';
import { newFile } from '../../../files/names';
import { codeOf } from '../../../files/problem';

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

/** The lists stored in this folder, in the extension's storage. */
export function keptModelsIn(storage: string): KeptModels {
  return new KeptModels(join(storage, 'models'), nodeDisk, systemRandom);
}

/**
 * The last list of models of each service, on disk, for when it isn't responding. A list is shown only to its own
 * account, and in its own language.
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
    const path = await this.pathOf(place);
    const unfinished = `${path}-${this.random.uuid()}`;
    const bytes = new TextEncoder().encode(JSON.stringify({ place, account, language, at, listing }));
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
  private async pathOf(place: string): Promise<string> {
    return join(this.folder, `${(await fingerprint(place, 'models')).slice(0, 32)}.json`);
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No file, or not ours: there is no list.
    return undefined;
  }
}
