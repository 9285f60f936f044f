import { type GivenImage, givenImagesIn } from '../../../base/givenImage';
import * as z from 'zod/mini';
import type { Clock } from '../../../base/clock';
import { forEachLimit } from '../../../base/concurrency';
import { type Disposable, Disposables } from '../../../base/disposable';
import { type Log, reasonOf } from '../../../base/log';
import { oneLine } from '../../../base/plain';
import { promptOf } from '../../../catalog/fields';
import { mostCompared } from '../../../compose/varying';
import type { ActionId } from '../../../editor/ids';
import type { ActionView } from '../../../editor/page/controls';
import { actionId, reader } from '../../../editor/webviewHtml';
import { fileNameOf } from '../../../files/names';
import { isBelow, spelled } from '../../../files/sameFile';
import { againCentsOf, isOfProject, type Library, type LibraryEntry } from '../../../renders/library';
import { actionOn, actionsOf, actionsOn, kindOf, type RenderAction } from '../../rendering/model/actions';
import { isUnplaced } from '../../rendering/model/kept';
import { type GalleryStrings, mostTiles, type TileView, type ToGallery } from '../page/galleryMessages';

/** The largest message that the host accepts from the gallery, in characters of JSON. */
const requestLimit = 1000;

const fromGallery = z.discriminatedUnion('type', [
  /** The gallery's script has started without any state: initially, after hiding, after moving. */
  z.strictObject({ type: z.literal('ready') }),
  /** A button or key of a result. */
  z.strictObject({ type: z.literal('action'), action: actionId, id: z.string() }),
  /** Compare these images. */
  z.strictObject({
    type: z.literal('compare'),
    ids: z.array(z.string()).check(z.minLength(2), z.maxLength(mostCompared)),
  }),
  /** Move these to the trash, with their files. */
  z.strictObject({
    type: z.literal('remove'),
    ids: z.array(z.string()).check(z.minLength(1), z.maxLength(mostCompared)),
  }),
  /** The image of this result is much larger than its tile. */
  z.strictObject({ type: z.literal('shownLarge'), id: z.string() }),
  /** The image of this result couldn't be loaded. */
  z.strictObject({ type: z.literal('missed'), id: z.string() }),
  /** "Show Older". */
  z.strictObject({ type: z.literal('showOlder') }),
  /** "Show All". */
  z.strictObject({ type: z.literal('showAll') }),
  /** "Open Model Form…". */
  z.strictObject({ type: z.literal('openModel') }),
]);
/** From the gallery to the extension host. A closed set: it can name no price, path, URL, or command. */
export type FromGallery = z.infer<typeof fromGallery>;
const readFromGallery = reader(fromGallery, requestLimit);

/** A conversation's dependencies on the editor and the rest of the extension. */
export interface GalleryDeps extends TileDeps {
  readonly library: Pick<Library, 'entries' | 'elsewhere' | 'countOlder' | 'onDidChange'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly strings: GalleryStrings;
  /** The actions that the gallery offers for results. */
  readonly actions: readonly ActionView[];
  /** The locale for money and dates. */
  readonly locale: string;
  /** The open workspace folders, as URIs. */
  folders(): readonly string[];
  /** Runs an action's command on a result. Never rejects: commands report failures themselves. */
  act(action: ActionId, id: string): Promise<unknown>;
  /** Compares their images. Never rejects. */
  compare(ids: readonly string[]): Promise<unknown>;
  /** Moves them to the trash after a question. Never rejects. */
  remove(ids: readonly string[]): Promise<unknown>;
  /** How many more results there are from these services, in words. */
  more(count: number, places: readonly string[]): string;
  openModel(): Promise<unknown>;
  /** Adds the next older renders to the entries. Never rejects. */
  showOlder(): Promise<unknown>;
  /** The size of a file, bytes; undefined if it doesn't exist. Rejects when that can't be found out. */
  sizeOf(file: string): Promise<number | undefined>;
  /** Makes a small copy of a saved image, for next time. Never rejects. */
  makeThumbnail(entry: LibraryEntry): Promise<void>;
  /** Deletes it, and makes no other. Never rejects. */
  dropThumbnail(entry: LibraryEntry): Promise<void>;
  /** Sends to the webview; lost while that is hidden. */
  post(message: ToGallery): void;
}

/** How many tiles a page that starts gets first: more than fit on its screen. */
const firstTiles = 60;

/** The pause after these, ms: the page needs its thread to show them. */
const firstPauseMs = 150;

/** How many files are looked at concurrently. */
const filesAtOnce = 16;

/** How long changes of the library are collected before they're sent, ms: they come in bursts. */
const gatherMs = 50;

/** Differences from what the webview has. */
interface News {
  /** The entries with a new or changed tile, which is made when it's sent. */
  readonly changed: readonly LibraryEntry[];
  /** Those of other services. */
  readonly elsewhere: ReadonlySet<LibraryEntry>;
  /** The ids of removed ones. */
  readonly gone: readonly string[];
}

/** The values behind a tile that was sent. Records are immutable: the tile changes only when they do. */
interface SentTile {
  readonly record: LibraryEntry['record'];
  readonly status: LibraryEntry['status'];
  readonly model: string;
  /** The saved image, normalized for comparison. */
  readonly image: string | undefined;
  /** The ids of the results that were made from it, as far as its tile shows them. */
  readonly to: string;
}

/**
 * The host's side of the gallery. The library is the source: the webview receives everything when it starts, then
 * changes. Independent of the editor.
 */
export class GalleryConversation implements Disposable {
  private readonly own = new Disposables();
  /** The tiles that the webview has, by the values they were made of. */
  private sent = new Map<string, SentTile>();
  /** The results that were made from images, by the hashes of those. */
  private ledTo: LedTo = new Map();
  private toldOlder = 0;
  private toldElsewhere = '';
  /** Results of other services are shown too. */
  private showsAll = false;
  private started = false;
  private isDisposed = false;
  private gathering: Disposable | undefined;
  private sending: Disposable | undefined;
  /** Sent, or about to be, without a look at their files. */
  private readonly unchecked: LibraryEntry[] = [];

  constructor(private readonly deps: GalleryDeps) {
    this.own.add(deps.library.onDidChange(() => this.tellSoon()));
    this.own.add({ dispose: () => this.gathering?.dispose() });
    this.own.add({ dispose: () => this.sending?.dispose() });
  }

  /** Handles a message of the webview. Never throws; unknown messages are ignored. */
  receive(data: unknown): void {
    const message = readFromGallery(data);
    switch (message?.type) {
      case undefined:
        return this.deps.log.warn('Gallery: ignored an unknown message');
      case 'ready':
        return this.begin();
      case 'action':
        return this.act(message.action, message.id);
      case 'compare':
        return this.compare(message.ids);
      case 'remove':
        return this.remove(message.ids);
      case 'shownLarge':
        return this.makeThumbnail(message.id);
      case 'missed':
        return this.miss(message.id);
      case 'showOlder':
        return void this.deps.showOlder();
      case 'showAll':
        this.showsAll = true;
        return this.tellSoon();
      case 'openModel':
        return void this.deps.openModel();
    }
  }

  /** The open folders changed, and with them which renders belong to the project, or models got names. */
  refresh(): void {
    this.tellSoon();
  }

  /** This file or folder (a URI) was deleted. */
  lost(uri: string): void {
    const ids = this.imagesAt(uri).map(([id]) => id);
    if (ids.length > 0) this.deps.post({ type: 'missing', ids });
  }

  /** This file or folder (a URI) was created, perhaps again: missing images are sent again. */
  found(uri: string): void {
    for (const [id] of this.imagesAt(uri)) this.forgetSent(id);
  }

  dispose(): void {
    this.isDisposed = true;
    this.own.dispose();
  }

  private imagesAt(uri: string): [id: string, told: SentTile][] {
    const place = spelled(uri);
    return [...this.sent].filter(([, { image }]) => image !== undefined && (image === place || isBelow(image, place)));
  }

  /** Sends a fresh webview everything. */
  private begin(): void {
    const { strings, locale, actions } = this.deps;
    this.sent = new Map();
    this.started = true;
    this.sending?.dispose();
    this.deps.post({ type: 'strings', strings, locale, actions: [...actions] });
    this.send(this.news(), firstTiles);
  }

  /** Only actions that the gallery offers: the webview can't name others. */
  private act(name: string, id: string): void {
    const action = actionOn('gallery', name);
    if (action && this.sent.has(id)) void this.deps.act(action, id);
  }

  private compare(ids: readonly string[]): void {
    const shown = ids.filter((id) => this.sent.has(id));
    if (shown.length > 1) void this.deps.compare(shown);
  }

  private remove(ids: readonly string[]): void {
    const shown = ids.filter((id) => this.sent.has(id));
    if (shown.length > 0) void this.deps.remove(shown);
  }

  private tellSoon(): void {
    if (this.started) this.gathering ??= this.deps.clock.after(gatherMs, () => this.tell());
  }

  private tell(): void {
    this.gathering = undefined;
    // What is being sent must arrive before what changed since.
    if (this.sending) return this.tellSoon();
    this.safely(() => {
      const news = this.news();
      const isCounted = this.older() === this.toldOlder && this.elsewhere() === this.toldElsewhere;
      if (news.changed.length > 0 || news.gone.length > 0 || !isCounted) this.send(news);
    });
  }

  /** For timers, which nobody would hear fail. */
  private safely(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.deps.log.error(`Gallery: ${reasonOf(error)}`, error);
    }
  }

  /** Differences from what the webview has, which count as sent from now on. */
  private news(): News {
    const here = this.ofProject(this.deps.library.entries);
    const elsewhere = new Set(this.showsAll ? this.hidden() : []);
    const entries = [...here, ...elsewhere];
    this.ledTo = ledToOf(entries);
    const changed = entries.filter((entry) => !this.isTold(entry));
    const before = [...this.sent.keys()];
    this.sent = new Map(entries.map((entry) => [entry.id, sentOf(entry, this.deps, this.ledTo)]));
    this.unchecked.push(...changed);
    return { changed, elsewhere, gone: before.filter((id) => !this.sent.has(id)) };
  }

  /** A thumbnail hides that its file is gone, or has changed since: the first is said, and the second shown. */
  private async checkThumbnails(entries: readonly LibraryEntry[]): Promise<void> {
    const { deps } = this;
    const gone: string[] = [];
    const isOpen = () => !this.isDisposed;
    const check = async (entry: LibraryEntry) => {
      const { id, file, record } = entry;
      if (file === undefined || deps.thumbnail(entry) === undefined) return;
      const size = await deps.sizeOf(file).catch(() => record?.spooled?.bytes);
      if (size === undefined) gone.push(id);
      else if (size !== record?.spooled?.bytes) await this.showFile(entry);
    };
    await forEachLimit(entries, filesAtOnce, check, isOpen);
    if (gone.length > 0 && isOpen()) deps.post({ type: 'missing', ids: gone });
  }

  /** Shows the file itself from now on. */
  private async showFile(entry: LibraryEntry): Promise<void> {
    await this.deps.dropThumbnail(entry);
    this.forgetSent(entry.id);
  }

  /** Its tile is sent again. */
  private forgetSent(id: string): void {
    const sent = this.sent.get(id);
    if (sent) this.sent.set(id, { ...sent, record: undefined });
    this.tellSoon();
  }

  private makeThumbnail(id: string): void {
    const entry = this.shown(id);
    if (entry) void this.deps.makeThumbnail(entry);
  }

  /** Another window may have deleted a thumbnail: the image itself may still be there. */
  private miss(id: string): void {
    const entry = this.shown(id);
    if (entry && this.deps.thumbnail(entry) !== undefined) void this.showFile(entry);
  }

  private shown(id: string): LibraryEntry | undefined {
    const { entries, elsewhere } = this.deps.library;
    const isIt = (entry: LibraryEntry) => entry.id === id;
    return this.sent.has(id) ? (entries.find(isIt) ?? elsewhere.find(isIt)) : undefined;
  }

  private ofProject(entries: readonly LibraryEntry[]): readonly LibraryEntry[] {
    const folders = this.deps.folders();
    return entries.filter(({ record }) => isOfProject(record, folders));
  }

  /** The project's results of other services. */
  private hidden(): readonly LibraryEntry[] {
    return this.ofProject(this.deps.library.elsewhere);
  }

  /** What is hidden, in words; '' for nothing. */
  private elsewhere(): string {
    const hidden = this.showsAll ? [] : this.hidden();
    const places = [...new Set(hidden.flatMap(({ record }) => record?.place ?? []))];
    return hidden.length === 0 ? '' : this.deps.more(hidden.length, places);
  }

  /** How many results of the project have no tile yet. */
  private older(): number {
    return this.deps.library.countOlder(this.deps.folders());
  }

  private isTold(entry: LibraryEntry): boolean {
    const sent = this.sent.get(entry.id);
    const isSame = sent?.record === entry.record && sent?.status === entry.status;
    return (
      sent !== undefined &&
      isSame &&
      sent.model === modelOf(entry, this.deps) &&
      sent.to === idsOf(ledBy(entry, this.ledTo))
    );
  }

  /**
   * In pages, with a pause after each, so that the first is on screen while the others are made. It's sent even if
   * empty, to say that there is nothing.
   */
  private send({ changed, elsewhere: others, gone }: News, most = mostTiles): void {
    this.sending = undefined;
    const tiles = changed
      .slice(0, most)
      .map((entry) => tileOf(entry, this.deps, others.has(entry), ledBy(entry, this.ledTo)));
    const older = (this.toldOlder = this.older());
    const elsewhere = (this.toldElsewhere = this.elsewhere());
    const more = changed.length > most;
    this.deps.post({ type: 'tiles', tiles, gone: [...gone], more, older, elsewhere });
    const rest = { changed: changed.slice(most), elsewhere: others, gone: [] };
    const pause = most === firstTiles ? firstPauseMs : 0;
    if (more) this.sending = this.deps.clock.after(pause, () => this.safely(() => this.send(rest)));
    if (!more) void this.checkThumbnails(this.unchecked.splice(0));
  }
}

function sentOf(entry: LibraryEntry, deps: TileDeps, ledTo: LedTo): SentTile {
  const { record, status, file } = entry;
  const image = file !== undefined && kindOf(entry) === 'image' ? spelled(file) : undefined;
  return { record, status, model: modelOf(entry, deps), image, to: idsOf(ledBy(entry, ledTo)) };
}

type LedTo = ReadonlyMap<string, readonly LibraryEntry[]>;

/** The saved images among these that were made from others, newest first, by the hashes of those. */
function ledToOf(entries: readonly LibraryEntry[]): LedTo {
  const found = new Map<string, LibraryEntry[]>();
  const saved = entries.filter((entry) => entry.file !== undefined && kindOf(entry) === 'image');
  for (const entry of saved)
    for (const { sha256 } of givenImagesIn(entry.inputs)) {
      const led = found.get(sha256) ?? [];
      led.push(entry);
      found.set(sha256, led);
    }
  for (const led of found.values()) led.sort((a, b) => (b.startedAt ?? 0) - (a.startedAt ?? 0));
  return found;
}

/** Those of them that the tile of an image shows. */
function ledBy({ record }: LibraryEntry, ledTo: LedTo): readonly LibraryEntry[] {
  return (ledTo.get(record?.spooled?.sha256 ?? '') ?? []).slice(0, mostTo);
}

function idsOf(entries: readonly LibraryEntry[]): string {
  return entries.map(({ id }) => id).join(' ');
}

function modelOf({ modelId }: LibraryEntry, { nameOf }: TileDeps): string {
  return modelId === undefined ? '' : oneLine(nameOf(modelId), most.model);
}

/** Words and URLs for a tile that only the editor knows. */
export interface TileDeps {
  /** The name of a model. */
  readonly nameOf: (modelId: string) => string;
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
  /** The same for a result that waits to be saved; undefined if it isn't on this computer. */
  waiting(entry: LibraryEntry): string | undefined;
  /** The same for a small copy of a saved image; undefined if there is none. */
  thumbnail(entry: LibraryEntry): string | undefined;
  /** The same for the copy of an image that was sent. */
  given(image: GivenImage): string | undefined;
}

/** How much of long texts a tile carries, in characters. */
const most = { prompt: 1000, text: 400, story: 300, agent: 60, model: 100, name: 100 };

/** How many of the images that it was made from, and of those made from it. */
const [mostFrom, mostTo] = [3, 2];

/**
 * One render as the gallery shows it, with the results that it led to. States about money only what the entry states.
 * From another service (`isElsewhere`), it offers only what needs none.
 */
export function tileOf(
  entry: LibraryEntry,
  deps: TileDeps,
  isElsewhere = false,
  ledTo: readonly LibraryEntry[] = [],
): TileView {
  const isOffered = ({ isLocal }: RenderAction) => isLocal ?? !isElsewhere;
  const { id, file, textOutput, record, startedAt = 0 } = entry;
  const kind = kindOf(entry) ?? 'other';
  const stage = stageOf(entry);
  const story = stage === 'saved' ? undefined : deps.story(entry);
  const from = givenImagesIn(entry.inputs)
    .slice(0, mostFrom)
    .map((image) => ({ name: oneLine(fileNameOf(image.file), most.name), address: deps.given(image) }));
  const to = ledTo.map((one) => ({
    name: oneLine(fileNameOf(one.file ?? ''), most.name),
    address: imageOf(one, deps),
  }));
  return {
    id,
    kind,
    stage,
    status: deps.standing(entry),
    story: story && oneLine(story, most.story),
    prompt: oneLine(promptOf(undefined, entry.inputs), most.prompt),
    modelId: oneLine(entry.modelId ?? ''),
    model: modelOf(entry, deps),
    agent: record?.agent === undefined ? undefined : oneLine(record.agent, most.agent),
    price: deps.price(entry),
    spokenPrice: deps.spokenPrice(entry),
    againCents: againCentsOf(entry),
    at: startedAt,
    fileName: file === undefined ? undefined : oneLine(fileNameOf(file)),
    file: record?.staged ? undefined : file,
    image: kind === 'image' ? imageOf(entry, deps) : undefined,
    from: from.length > 0 ? from : undefined,
    to: to.length > 0 ? to : undefined,
    text: textOutput?.slice(0, most.text),
    actions: actionsOn('gallery', entry)
      .filter(isOffered)
      .map((action) => action.id),
    menu: actionsOf(entry)
      .filter(isOffered)
      .map((action) => action.id),
  };
}

/** The saved image, or the one that only waits to be told where to go. */
function imageOf(entry: LibraryEntry, deps: TileDeps): string | undefined {
  if (entry.file === undefined) return isUnplaced(entry) ? deps.waiting(entry) : undefined;
  return deps.thumbnail(entry) ?? deps.address(entry.file);
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
