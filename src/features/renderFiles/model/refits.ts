import type { Lazy } from '../../../base/lazy';
import { endingOf } from '../../../documents/paths';
import { endingFor } from '../../../files/sniff';
import type { Telling } from '../../../files/telling';
import type { Images } from '../../../renderFiles/givenFiles';
import { newImageOf } from '../../../renderFiles/newImage';
import { isAskedBy, isMisfit, isToDo, type Pictures, type StateOf } from '../../../renderFiles/states';
import type { Library } from '../../../renders/library';
import type { RenderRecord } from '../../../renders/record';
import type { Refitting } from '../../../renders/refitting';

/** The render history, as far as it's needed to fit results again. */
export interface Refits {
  readonly refitting: Pick<Refitting, 'renderOf'>;
  readonly library: Pick<Library, 'inputsOf'>;
}

/**
 * Marks the stale images that can be fitted again: they need nothing else, and what the service sent is kept on this
 * computer. Never rejects: without a render history, there are none.
 */
export async function withRefits(
  states: readonly StateOf[],
  pictures: Pictures,
  renders: Pick<Lazy<Refits>, 'get'>,
): Promise<readonly StateOf[]> {
  if (!states.some(isToFit)) return states;
  const opened = await renders.get().catch(() => undefined);
  if (!opened) return states;
  const marked: StateOf[] = [];
  for (const one of states) marked.push((await fitsAgain(one, pictures, opened)) ? { ...one, fitsAgain: true } : one);
  return marked;
}

function isToFit(one: StateOf): boolean {
  return isMisfit(one) && isToDo(one);
}

async function fitsAgain(stale: StateOf, pictures: Pictures, refits: Refits): Promise<boolean> {
  if (!isToFit(stale) || !('file' in stale.state)) return false;
  try {
    const telling = await pictures.telling(stale.state.file);
    return telling !== undefined && (await refitOf(stale, telling, refits, pictures)) !== undefined;
  } catch {
    // Then it's rendered.
    return false;
  }
}

/** The render whose result can be fitted to a stale image’s entry. Undefined if there is none. */
export async function refitOf(
  stale: StateOf,
  telling: Telling,
  { refitting, library }: Refits,
  images: Images,
): Promise<RenderRecord | undefined> {
  const { render, state } = stale;
  if (!isMisfit(stale) || !('file' in state)) return undefined;
  const record = await refitting.renderOf(telling);
  if (!record?.spooled) return undefined;
  const { modelId, spooled } = record;
  // Saved as it came, it has the format in which it came.
  const { extension } = spooled.original ?? spooled;
  const isPossible = newImageOf(stale, true).fit !== undefined || isIn(extension, endingOf(state.file));
  const inputs = library.inputsOf({ record, inputs: record.inputs });
  return isPossible && (await isAskedBy(render, { modelId, inputs }, images)) ? record : undefined;
}

function isIn(extension: string, ending: string): boolean {
  return endingFor(extension, ending) === ending;
}
