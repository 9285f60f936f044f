import { type Log, reasonOf } from '../base/log';
import type { JsonObject } from '../base/json';
import { isLoopback } from '../base/loopback';
import { embeddedAgain, isEmbeddable, largestEmbeddable } from '../files/embeddedMetadata';
import { type Provenance, sandboxService, sidecarEnding, writeProvenance } from '../files/provenance';
import type { Companion } from '../files/sink';
import type { Spool } from '../files/spool';
import { recordedInputs, withoutTexts } from '../files/recordedImages';
import { allOf, type Fitting } from './fitting';

import type { RenderRecord, Spooled } from './record';
import type { ProvenancePolicy, ProvenanceSettings } from './provenancePolicy';
import type { Hold } from './windowLease';

/** Fits results, and writes into them how they were made. A failure never stops a delivery. */
export class MetadataEmbedder {
  constructor(
    private readonly spool: Spool,
    private readonly settings: ProvenanceSettings,
    /** Name and version of the program that writes it. */
    private readonly tool: string,
    private readonly log: Log,
    /** The full inputs; throws when they are lost. */
    private readonly inputsOf: (record: RenderRecord) => JsonObject = ({ inputs }) => inputs,
    /** Without one nothing is fitted. */
    private readonly fitting?: Fitting,
  ) {}

  /**
   * Fits a received result to what its target states, writes into it how it was made, and returns the spooled file. The
   * same record and bytes always give the same file. Never rejects: a result that must not or can't be changed stays as
   * it is.
   */
  async embed(record: RenderRecord, received: Spooled, hold?: Hold): Promise<Spooled> {
    const spooled = (await this.fitting?.fitted(record, received, hold)) ?? received;
    if (!this.isToEmbed(record, spooled)) return spooled;
    try {
      const bytes = await allOf(this.spool.read(spooled));
      const embedded = embeddedAgain(bytes, spooled.mediaType, this.provenanceOf({ ...record, spooled }));
      if (!embedded) return spooled;
      const { pieces, pictureSha256 } = embedded;
      const { fitted, original } = spooled;
      const replaced = await this.spool.replace(spooled, pieces, hold);
      return { ...replaced, fitted, original, inscribed: true, pictureSha256 };
    } catch (error) {
      this.log.warn(`Couldn’t embed in the file how render ${record.key} was made: ${reasonOf(error)}`);
      return spooled;
    }
  }

  /** The sidecar file for a result that can't hold the metadata itself; undefined when there is to be none. */
  companion(record: RenderRecord & { readonly spooled: Spooled }): Companion | undefined {
    const { spooled, modelId } = record;
    if (spooled.inscribed === true || modelId === '' || this.policyOf(record).place === 'none') return undefined;
    const embedded = { ...this.provenanceOf(record), sha256: spooled.sha256 };
    return { ending: sidecarEnding, text: `${writeProvenance(embedded, 2)}\n` };
  }

  /** A result received before is turned into the same file again, so that comparing the two finds no difference. */
  private isToEmbed(record: RenderRecord, received: Spooled): boolean {
    const { spooled, modelId } = record;
    if (modelId === '' || !isEmbeddable(received.mediaType) || received.bytes > largestEmbeddable) return false;
    return spooled ? spooled.inscribed === true : this.policyOf(record).place === 'embed';
  }

  /** The window that delivers may not have the project's settings, so those at the time of the order apply as well. */
  private policyOf({ target, telling }: RenderRecord): ProvenancePolicy {
    return {
      place: this.settings.provenance(target.root, telling?.place),
      prompt: this.settings.provenancePrompt(target.root) && telling?.prompt !== false,
    };
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
    const { modelId, place, generationId, costCents, plannedAt, target, spooled } = record;
    const { fit } = target;
    const inputs = this.wholeOf(record);
    return {
      tool: this.tool,
      modelId,
      ...(inputs
        ? recordedInputs(inputs, this.policyOf(record).prompt)
        : { inputs: withoutTexts(record.inputs), promptLeftOut: true }),
      ...(spooled?.fitted && fit && { fit: { width: fit.width, height: fit.height, mode: fit.mode } }),
      ...(isPublic(place) && { service: place }),
      generationId,
      costCents,
      orderedAt: plannedAt,
    };
  }
}

/** A URL on the user's own machine is of no use to others. */
function isPublic(place: string): boolean {
  return place === sandboxService || (URL.canParse(place) && !isLoopback(place));
}
