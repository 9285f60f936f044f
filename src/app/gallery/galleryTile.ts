import { promptOf } from '../../catalog/fields';
import { isInside } from '../../files/sameFile';
import type { TileView } from '../../pages/galleryMessages';
import type { LibraryEntry } from '../../renders/library';
import type { Outline } from '../../renders/outline';
import { actionsOf, actionsOn } from '../generations/actions';
import { kindOf } from '../generations/generationKind';
import { fileNameOf } from '../../files/fileName';
import { oneLine } from '../../base/plain';

/** What a tile is made with: words and addresses only the editor knows. */
export interface TileWorld {
  /** Where a render stands, in a few words. */
  standing(entry: LibraryEntry): string;
  /** What is to know beyond that; undefined when nothing is. */
  story(entry: LibraryEntry): string | undefined;
  /** What it costs or cost, in words; undefined when nobody said. */
  price(entry: LibraryEntry): string | undefined;
  /** The same for those who hear it. */
  spokenPrice(entry: LibraryEntry): string | undefined;
  /** The address of a saved file inside the webview; undefined when the webview may not load it. */
  address(file: string): string | undefined;
}

/** How much of long texts a tile carries, in characters. */
const most = { prompt: 1000, text: 400, story: 300, agent: 60 };

/** One render as the gallery shows it. Says of money only what the entry says. */
export function tileOf(entry: LibraryEntry, world: TileWorld): TileView {
  const { id, file, textOutput, record, startedAt = 0 } = entry;
  const kind = kindOf(entry) ?? 'other';
  const stage = stageOf(entry);
  const story = stage === 'saved' ? undefined : world.story(entry);
  return {
    id,
    kind,
    stage,
    status: world.standing(entry),
    story: story && oneLine(story, most.story),
    prompt: oneLine(promptOf(undefined, entry.inputs), most.prompt),
    modelId: oneLine(entry.modelId ?? ''),
    agent: record?.agent === undefined ? undefined : oneLine(record.agent, most.agent),
    price: world.price(entry),
    spokenPrice: world.spokenPrice(entry),
    at: startedAt,
    fileName: file === undefined ? undefined : oneLine(fileNameOf(file)),
    picture: file !== undefined && kind === 'picture' ? world.address(file) : undefined,
    text: textOutput?.slice(0, most.text),
    actions: actionsOn('gallery', entry).map((action) => action.id),
    menu: actionsOf(entry).map((action) => action.id),
  };
}

/**
 * Renders ordered for one of these workspace folders, or saved inside one; with no folder open all of this editor.
 * URIs.
 */
export function isOfProject(record: Pick<Outline, 'target' | 'file'> | undefined, folders: readonly string[]): boolean {
  if (!record) return false;
  const { target, file } = record;
  const { root } = target;
  return folders.length === 0 || folders.some((folder) => root === folder || isInside(file, folder));
}

function stageOf({ group, file, state }: LibraryEntry): TileView['stage'] {
  switch (group) {
    case 'active':
      return 'active';
    case 'paidNotSaved':
      return 'notSaved';
    case 'notSent':
      return 'notSent';
    case 'unknown':
      return 'unknown';
    case 'finished':
      if (state === 'unknown') return 'unknown';
      return file !== undefined || state === 'saved' ? 'saved' : 'failed';
  }
}
