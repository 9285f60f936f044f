import { join } from 'node:path';
import * as z from 'zod/mini';
import { systemRandom, type Random } from '../../base/random';
import { fingerprint } from '../../catalog/apiKey';
import type { Listing, ModelSummary } from '../../catalog/types';
import { nodeDisk, type Disk } from '../../files/disk';
import { newFile } from '../../files/newFile';
import { codeOf } from '../../files/problem';

/** Whose list it is: the service by its address, and the account by its fingerprint. */
export interface ListOwner {
  readonly place: string;
  readonly account: string;
}

const schema = z.object({
  place: z.string(),
  account: z.string(),
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
      }),
    ),
    incomplete: z.boolean(),
    unreadable: z.number(),
  }),
});

/** The lists kept in this folder, the extension's own storage. */
export function keptModelsIn(storage: string): KeptModels {
  return new KeptModels(join(storage, 'models'), nodeDisk, systemRandom);
}

/**
 * The last list of models of each service, on disk, for when it does not answer. A list is shown to its own account
 * only.
 */
export class KeptModels {
  constructor(
    private readonly folder: string,
    private readonly disk: Disk,
    private readonly random: Random,
  ) {}

  /**
   * The list with its time, ms since 1970; undefined when there is none of this account. Rejects when the disk fails.
   */
  async read({ place, account }: ListOwner): Promise<{ listing: Listing<ModelSummary>; at: number } | undefined> {
    const kept = schema.safeParse(parsed(await this.text(await this.pathOf(place)))).data;
    return kept?.place === place && kept.account === account ? kept : undefined;
  }

  /** Replaces the list of the place in one step. Rejects when the disk fails; the one before stays then. */
  async write({ place, account }: ListOwner, listing: Listing<ModelSummary>, at: number): Promise<void> {
    const path = await this.pathOf(place);
    const unfinished = `${path}-${this.random.uuid()}`;
    const bytes = new TextEncoder().encode(JSON.stringify({ place, account, at, listing }));
    await this.disk.ownFolder(this.folder);
    try {
      await newFile(this.disk, unfinished, 0o600, (file) => file.write(bytes));
      await this.disk.rename(unfinished, path);
    } catch (error) {
      // What went wrong first is what counts.
      await this.disk.unlink(unfinished).catch(() => {});
      throw error;
    }
  }

  /** An address holds what no file name may; its digest tells it apart as well. */
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
    // No file, or one that is not ours: there is no list then.
    return undefined;
  }
}
