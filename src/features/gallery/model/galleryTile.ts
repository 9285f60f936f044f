import { promptOf } from '../../../catalog/fields';
import { isInside } from '../../../files/sameFile';
import type { TileView } from '../page/galleryMessages';
import type { LibraryEntry } from '../../../renders/library';
import type { Outline } from '../../../renders/outline';
import { actionsOf, actionsOn, type RenderAction } from '../../rendering/model/actions';
import { kindOf } from '../../rendering/model/generationKind';
import { fileNameOf } from '../../../files/fileName';
import { oneLine } from '../../../base/plain';

/** Words and URLs for a tile that only the editor knows. */
export interface TileWorld {
  /** The state of a render, in a few words. */
  standing(entry: LibraryEntry): string;
  /** More about the state; undefined for nothing. */
  story(entry: LibraryEntry): string | undefined;
  /** The price or charge, in words; undefined when unknown. */
  price(entry: LibraryEntry): string | undefined;
  /** The same for screen readers. */
  spokenPrice(entry: LibraryEntry): string | undefined;
  /** The URL of a saved file in the webview; undefined when the webview may not load it. */
  address(file: string): string | undefined;
  /** The same for a small copy of a saved image; undefined if there is none. */
  thumbnail(entry: LibraryEntry): string | undefined;
}

/** How much of long texts a tile carries, in characters. */
const most = { prompt: 1000, text: 400, story: 300, agent: 60 };

/**
 * One render as the gallery shows it. States about money only what the entry states. From another service
 * (`isElsewhere`), it offers only what needs none.
 */
export function tileOf(entry: LibraryEntry, world: TileWorld, isElsewhere = false): TileView {
  const isOffered = ({ isLocal }: RenderAction) => isLocal ?? !isElsewhere;
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
    picture: file !== undefined && kind === 'picture' ? (world.thumbnail(entry) ?? world.address(file)) : undefined,
    text: textOutput?.slice(0, most.text),
    actions: actionsOn('gallery', entry)
      .filter(isOffered)
      .map((action) => action.id),
    menu: actionsOf(entry)
      .filter(isOffered)
      .map((action) => action.id),
  };
}

/**
 * Renders ordered for one of these workspace folders (URIs), or saved inside one; with no folder open, all of this
 * editor.
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
