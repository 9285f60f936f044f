import { reasonOf } from '../base/errors';
import type { JsonObject } from '../base/json';
import type { Log } from '../base/log';
import { isLoopback } from '../base/loopback';
import { inscribed, isInscribable, largestInscribed } from '../files/inscription';
import { sandboxService, sidecarEnding, writeProvenance, type Provenance } from '../files/provenance';
import type { Companion } from '../files/sink';
import type { Spool } from '../files/spool';
import { toldInputs, withoutTexts } from '../files/toldInputs';
import type { ProvenancePlace } from './provenancePlace';
import type { RenderRecord, Spooled } from './record';
import type { Hold } from './windowLease';

/** The person's provenance settings for a workspace folder (URI; undefined for none). */
export interface ProvenanceSettings {
  provenance(root: string | undefined): ProvenancePlace;
  /** False when texts the person typed are to be left out. */
  provenancePrompt(root: string | undefined): boolean;
}

/** Writes into results how they were made. A failure never stops a delivery. */
export class Inscriber {
  constructor(
    private readonly spool: Spool,
    private readonly settings: ProvenanceSettings,
    /** Name and version of the program that writes it. */
    private readonly tool: string,
    private readonly log: Log,
    /** The full inputs; throws when they are lost. */
    private readonly inputsOf: (record: RenderRecord) => JsonObject = ({ inputs }) => inputs,
  ) {}

  /**
   * Writes into a received result how it was made, and returns the spooled file. The same record and bytes always give
   * the same file. Never rejects: a result that must not or can't be changed stays as it is.
   */
  async inscribe(record: RenderRecord, received: Spooled, hold?: Hold): Promise<Spooled> {
    if (!this.isToInscribe(record, received)) return received;
    try {
      const bytes = await allOf(this.spool.read(received));
      const told = inscribed(bytes, received.mediaType, this.provenanceOf(record));
      if (!told) return received;
      const { pieces, pictureSha256 } = told;
      return { ...(await this.spool.replace(received, pieces, hold)), inscribed: true, pictureSha256 };
    } catch (error) {
      this.log.warn(`Couldn’t embed in the file how render ${record.key} was made: ${reasonOf(error)}`);
      return received;
    }
  }

  /** The sidecar file for a result that can't hold the metadata itself; undefined when there is to be none. */
  companion(record: RenderRecord & { readonly spooled: Spooled }): Companion | undefined {
    const { spooled, target, modelId } = record;
    if (spooled.inscribed === true || modelId === '' || this.settings.provenance(target.root) === 'none')
      return undefined;
    const told = { ...this.provenanceOf(record), sha256: spooled.sha256 };
    return { ending: sidecarEnding, text: `${writeProvenance(told, 2)}\n` };
  }

  /** A result received before is turned into the same file again, so that comparing the two finds no difference. */
  private isToInscribe({ spooled, target, modelId }: RenderRecord, received: Spooled): boolean {
    if (modelId === '' || !isInscribable(received.mediaType) || received.bytes > largestInscribed) return false;
    return spooled ? spooled.inscribed === true : this.settings.provenance(target.root) === 'embed';
  }

  private wholeOf(record: RenderRecord): JsonObject | undefined {
    try {
      return this.inputsOf(record);
    } catch (error) {
      this.log.warn(`Couldn’t read the inputs of render ${record.key}: ${reasonOf(error)}`);
      return undefined;
    }
  }

  private provenanceOf(record: RenderRecord): Provenance {
    const { modelId, place, generationId, costCents, plannedAt, target } = record;
    const inputs = this.wholeOf(record);
    return {
      tool: this.tool,
      modelId,
      ...(inputs
        ? toldInputs(inputs, this.settings.provenancePrompt(target.root))
        : { inputs: withoutTexts(record.inputs), promptLeftOut: true }),
      ...(isToTell(place) && { service: place }),
      generationId,
      costCents,
      orderedAt: plannedAt,
    };
  }
}

/** A URL on the person's own machine is of no use to others. */
function isToTell(place: string): boolean {
  return place === sandboxService || (URL.canParse(place) && !isLoopback(place));
}

async function allOf(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
}
