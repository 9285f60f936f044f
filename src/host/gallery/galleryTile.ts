import { promptOf } from '../../catalog/fields';
import { spelled } from '../../files/sameFile';
import { tileActions, type TileAction, type TileView } from '../../form/galleryMessages';
import type { LibraryEntry } from '../../renders/library';
import { fileNameOf } from '../fileName';
import { oneLine } from '../plain';

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
  /** What can be done to it; what the gallery has no action for is left out. */
  abilities(entry: LibraryEntry): readonly string[];
  /** The address of a saved file inside the webview; undefined when the webview may not load it. */
  address(file: string): string | undefined;
}

/** How much of long texts a tile carries, in characters. */
const most = { prompt: 1000, text: 400, story: 300 };

/** One render as the gallery shows it. Says of money only what the entry says. */
export function tileOf(entry: LibraryEntry, world: TileWorld): TileView {
  const { id, file, textOutput, startedAt = 0 } = entry;
  const kind = kindOf(entry);
  const stage = stageOf(entry);
  const story = stage === 'saved' ? undefined : world.story(entry);
  const can = new Set(world.abilities(entry));
  return {
    id,
    kind,
    stage,
    status: world.standing(entry),
    story: story && oneLine(story, most.story),
    prompt: oneLine(promptOf(undefined, entry.inputs), most.prompt),
    modelId: oneLine(entry.modelId ?? ''),
    price: world.price(entry),
    spokenPrice: world.spokenPrice(entry),
    at: startedAt,
    fileName: file === undefined ? undefined : oneLine(fileNameOf(file)),
    picture: file !== undefined && kind === 'picture' ? world.address(file) : undefined,
    text: textOutput?.slice(0, most.text),
    actions: tileActions.filter((action: TileAction) => can.has(action)),
  };
}

/** Renders ordered for one of these workspace folders, or saved inside one; with no folder open all of this editor. URIs. */
export function isOfProject({ record, file }: LibraryEntry, folders: readonly string[]): boolean {
  if (!record) return false;
  const { root } = record.target;
  return folders.length === 0 || folders.some((folder) => root === folder || isInside(file, folder));
}

/** True when the file is somewhere below the folder; both are URIs, however they are spelled. */
export function isInside(file: string | undefined, folder: string): boolean {
  return file !== undefined && isBelow(spelled(file), spelled(folder));
}

/** The same of URIs in the one spelling. */
export function isBelow(file: string, folder: string): boolean {
  return file.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** What is shown of it: the picture, the beginning of the text, or its name. */
export function kindOf({ mediaType, textOutput }: LibraryEntry): TileView['kind'] {
  if (mediaType?.startsWith('image/')) return 'picture';
  return textOutput !== undefined || mediaType?.startsWith('text/') ? 'text' : 'other';
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
      return file !== undefined || state === 'saved' ? 'saved' : 'failed';
  }
}
