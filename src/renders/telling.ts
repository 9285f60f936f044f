import type { ProvenancePlace } from './provenancePlace';

/** How much results tell of how they were made. */
export interface ProvenancePolicy {
  readonly place: ProvenancePlace;
  /** False when texts the user typed are left out. */
  readonly prompt: boolean;
}

/** The user's and the project's settings for a workspace folder (URI; undefined for none). */
export interface ProvenanceSettings {
  /** `ordered`: what was recorded with the order. The more private applies. */
  provenance(root: string | undefined, ordered?: ProvenancePlace): ProvenancePlace;
  provenancePrompt(root: string | undefined): boolean;
}

/** What the settings let results of a folder (URI) tell; undefined when they let them tell everything. */
export function restrictionOf(settings: ProvenanceSettings, root: string | undefined): ProvenancePolicy | undefined {
  const telling = { place: settings.provenance(root), prompt: settings.provenancePrompt(root) };
  return telling.place === 'embed' && telling.prompt ? undefined : telling;
}
