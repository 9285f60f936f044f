import { type Disposable, Emitter, type Lazy } from '../../../base/disposable';
import { endingOf } from '../../../documents/paths';
import { below, fileKey } from '../../../files/sameFile';
import { endingFor } from '../../../files/sniff';
import type { FileMetadata } from '../../../files/provenance';
import type { Entry, RenderFile } from '../../../renderFiles/renderFile';
import type { Images } from '../../../renderFiles/givenFiles';
import { newImageOf, TakenTargets } from '../../../renderFiles/targets';
import {
  isAskedBy,
  isDue,
  isMisfit,
  isToDo,
  type Pending,
  type ProjectImages,
  type StateOf,
} from '../../../renderFiles/states';
import { type FileRenders, isOver } from '../../../renders/fileRenders';
import type { Library, LibraryEntry } from '../../../renders/library';
import type { RenderRecord } from '../../../renders/record';
import type { Results } from '../../../renders/results';

/** Which missing and stale images have a render that isn't over, so that they aren't rendered again. */
export class PendingImages implements Disposable {
  private readonly changed = new Emitter<void>();
  private readonly listening: Disposable;
  /** The renders that aren't over, by the `fileKey` of their file. */
  private files: ReadonlyMap<string, Pending>;

  /** Others have one now, or in another state. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly renders: Pick<FileRenders, 'byFile' | 'onDidChange'>) {
    this.files = pendingIn(renders.byFile);
    this.listening = renders.onDidChange(() => this.look());
  }

  /** The states of images in a workspace folder (a URI), each with what it waits for. */
  marked(states: readonly StateOf[], folder: string): readonly StateOf[] {
    const taken = new TakenTargets<Pending>();
    for (const [file, pending] of this.files) taken.take(file, pending);
    const at = (path: string) => taken.at(fileKey(below(folder, path.split('/'))));
    return states.map((one) => {
      if (!isDue(one)) return one;
      // A stale image may have another file extension than its entry, and a new one is to replace it.
      const pending = at(one.render.target) ?? ('file' in one.state ? at(one.state.file) : undefined);
      return pending ? { ...one, pending } : one;
    });
  }

  dispose(): void {
    this.listening.dispose();
    this.changed.dispose();
  }

  private look(): void {
    const before = JSON.stringify([...this.files]);
    this.files = pendingIn(this.renders.byFile);
    if (JSON.stringify([...this.files]) !== before) this.changed.fire();
  }
}

function pendingIn(byFile: FileRenders['byFile']): ReadonlyMap<string, Pending> {
  const open = [...byFile].filter(([, entry]) => !isOver(entry));
  return new Map(open.map(([file, entry]) => [file, pendingOf(entry)]));
}

function pendingOf({ id, group }: LibraryEntry): Pending {
  return { id, is: group === 'finished' ? 'toReview' : group };
}

/** The render history, as far as it's needed to fit results again. */
export interface Refits {
  readonly results: Pick<Results, 'renderOf'>;
  readonly library: Pick<Library, 'inputsOf'>;
}

/**
 * Marks the stale images that can be fitted again: they need nothing else, and what the service sent is kept on this
 * computer. Never rejects: without a render history, there are none.
 */
export async function withRefits(
  states: readonly StateOf[],
  images: ProjectImages,
  renders: Pick<Lazy<Refits>, 'get'>,
): Promise<readonly StateOf[]> {
  if (!states.some(isToFit)) return states;
  const opened = await renders.get().catch(() => undefined);
  if (!opened) return states;
  const marked: StateOf[] = [];
  for (const one of states) marked.push((await fitsAgain(one, images, opened)) ? { ...one, fitsAgain: true } : one);
  return marked;
}

function isToFit(one: StateOf): boolean {
  return isMisfit(one.state) && isToDo(one);
}

async function fitsAgain(stale: StateOf, images: ProjectImages, refits: Refits): Promise<boolean> {
  if (!isToFit(stale) || !('file' in stale.state)) return false;
  try {
    const metadata = await images.metadata(stale.state.file);
    return metadata !== undefined && (await refitOf(stale, metadata, refits, images)) !== undefined;
  } catch {
    // Then it's rendered.
    return false;
  }
}

/** The render whose result can be fitted to a stale image’s entry. Undefined if there is none. */
export async function refitOf(
  stale: StateOf,
  metadata: FileMetadata,
  { results, library }: Refits,
  images: Images,
): Promise<RenderRecord | undefined> {
  const { render, state } = stale;
  if (!isMisfit(stale.state) || !('file' in state)) return undefined;
  const record = await results.renderOf(metadata);
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

/** An entry with the states of its images. */
export interface EntryRow {
  readonly entry: Entry;
  /** None if the entry has an error. */
  readonly states: readonly StateOf[];
}

/** The entries of a file in their order. */
export function entryRows({ entries }: Pick<RenderFile, 'entries'>, states: readonly StateOf[]): readonly EntryRow[] {
  const byEntry = new Map<number, StateOf[]>();
  for (const state of states) {
    const own = byEntry.get(state.render.entry);
    if (own) own.push(state);
    else byEntry.set(state.render.entry, [state]);
  }
  return entries.map((entry) => ({ entry, states: byEntry.get(entry.index) ?? [] }));
}
