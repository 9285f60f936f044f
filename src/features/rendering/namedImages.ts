import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { type GivenImage, itemsOf, replacedItems } from '../../base/givenImage';
import type { Json, JsonObject } from '../../base/json';
import { formatSize } from '../../base/numbers';
import { plain } from '../../base/plain';
import { checkImage, type Field, imageFor, isImageText } from '../../catalog/fields';
import { placeName, type Session } from '../../catalog/session';
import { requireTrust } from '../../editor/trust';
import { UserError } from '../../editor/userError';
import { imageSource } from '../../editor/workspaceFiles';
import { issueSentence } from '../../editor/words';
import { nodeDisk } from '../../files/disk';
import { leadsOut } from '../../files/folder';
import type { GivenImages } from '../../files/givenImages';
import { imageFacts } from '../../files/imageSize';
import { sniff } from '../../files/sniff';
import type { Library } from '../../renders/library';
import { askForImages, type ImagePages, type ImageQuestion } from './askForImages';
import { requesterWords } from './askUser';

/** Inputs in which images may be named: by the path of a file in an open folder, or by the ID of an earlier render. */
export interface NamingInputs {
  readonly fields: readonly Field[];
  readonly inputs: JsonObject;
  /** The file at a path. Rejects with what to say when that is none of whoever names it. */
  readonly uriOf: (path: string) => Promise<vscode.Uri>;
}

/** Who names images, and how they're asked about. */
export interface ImageRequest {
  /** An agent as it's recorded; undefined for anything else. */
  readonly agent?: string;
  /** False where nobody may be asked: then nothing is given that the user hasn't allowed yet. */
  readonly mayAsk?: boolean;
  /** Called when the user is asked. */
  readonly asks?: () => void;
  /** Ends the question with a no. */
  readonly signal?: AbortSignal;
}

/** After a no, how long the same isn't asked again, ms: nobody is to be worn down. */
const restMs = 60_000;
/** So many are read for one request. */
const mostRead = 100;

/**
 * The images of open folders that agents and commands name as inputs. None of them leaves before the user allowed it:
 * these images, or any of the open folders, to the service in use and as long as the window is open. Not even a price
 * is asked with them until then.
 */
export class NamedImages {
  /** Places and hashes that the user allowed, and places for which they allowed all. */
  private readonly allowed = new Set<string>();
  private readonly pages: ImagePages;
  private declined: { readonly at: number; readonly keys: ReadonlySet<string> } | undefined;
  /** One question at a time: the answer may be one to the next too. */
  private asking: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly session: Session,
    private readonly library: Library,
    private readonly images: GivenImages,
    extensionUri: vscode.Uri,
  ) {
    this.pages = { extensionUri, folder: vscode.Uri.file(images.folder) };
  }

  /**
   * The inputs with the images that they name. Rejects with UserError when one can't be given, or the user doesn't
   * allow it: then none was.
   */
  async given(all: readonly NamingInputs[], naming: ImageRequest): Promise<readonly JsonObject[]> {
    checkCount(all);
    const given = new Map<string, GivenImage>();
    const named: JsonObject[] = [];
    for (const { fields, inputs, uriOf } of all) {
      const changed: [string, Json][] = [];
      for (const field of fields) {
        const input = Object.hasOwn(inputs, field.name) ? inputs[field.name] : undefined;
        if (field.kind !== 'image' || input === undefined) continue;
        const items: Json[] = [];
        for (const item of itemsOf(input)) {
          const image = isName(field, item) ? await this.read(field, item, uriOf) : undefined;
          if (image) given.set(image.sha256, image);
          items.push(image ?? item);
        }
        changed.push([field.name, replacedItems(input, items)]);
      }
      named.push(Object.fromEntries([...Object.entries(inputs), ...changed]));
    }
    if (given.size > 0) await this.allow([...given.values()], naming);
    return named;
  }

  private async read(field: Field, name: string, uriOf: NamingInputs['uriOf']): Promise<GivenImage> {
    requireTrust();
    const file = this.library.ofRecord(name)?.file;
    const shown = plain(name, 80);
    const uri = file === undefined ? await uriOf(name) : vscode.Uri.parse(file, true);
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    const outside = new NamedImageError(field, vscode.l10n.t('“{0}” isn’t in an open folder.', shown));
    if (!folder) throw outside;
    const source = await imageSource(uri).catch(() => undefined);
    if (!source) throw new NamedImageError(field, vscode.l10n.t('“{0}” doesn’t exist.', shown));
    if (source.isFolder) throw new NamedImageError(field, vscode.l10n.t('“{0}” is a folder. Choose an image.', shown));
    if (uri.scheme === 'file' && (await leadsOut(nodeDisk, folder.uri.fsPath, uri.fsPath))) throw outside;
    // Its size before it's read, then what is read.
    const isTooLarge = checkImage(field, { type: field.image?.types[0] ?? '', bytes: source.bytes });
    if (isTooLarge) throw new NamedImageError(field, `“${shown}”: ${issueSentence(isTooLarge)}`);
    const bytes = await source.read();
    const { mediaType: type } = sniff(bytes);
    if (!type.startsWith('image/')) throw new NamedImageError(field, vscode.l10n.t('“{0}” isn’t an image.', shown));
    const issue = checkImage(field, { type, bytes: bytes.length, facts: imageFacts(bytes, type) });
    if (issue) throw new NamedImageError(field, `“${shown}”: ${issueSentence(issue)}`);
    return imageFor(field, this.images.keep(bytes, source.file));
  }

  private async allow(images: readonly GivenImage[], naming: ImageRequest): Promise<void> {
    const before = this.asking;
    const answer = before.catch(() => undefined).then(() => this.allowNow(images, naming));
    this.asking = answer;
    return answer;
  }

  private async allowNow(
    images: readonly GivenImage[],
    { agent, mayAsk = true, asks, signal }: ImageRequest,
  ): Promise<void> {
    const { place } = this.session.state;
    const service = place === undefined ? '' : placeName(place);
    const keyOf = ({ sha256 }: GivenImage) => `${service} ${sha256}`;
    const asked = images.filter((image) => !this.allowed.has(service) && !this.allowed.has(keyOf(image)));
    if (asked.length === 0) return;
    const no = new ImagesNotAllowed(
      vscode.l10n.t('The images weren’t sent, since you didn’t allow it. Nothing was charged.'),
    );
    const isResting = this.declined && systemClock.ticks() - this.declined.at < restMs;
    if (!mayAsk || (isResting && asked.some((image) => this.declined?.keys.has(keyOf(image))))) throw no;
    asks?.();
    const to = place?.sandbox ? vscode.l10n.t('Sandbox') : plain(service, 100);
    const answer = await askForImages(this.questionOf(asked, to, agent), this.pages, signal);
    if (answer === 'none') {
      this.declined = { at: systemClock.ticks(), keys: new Set(asked.map(keyOf)) };
      throw no;
    }
    if (answer === 'all') this.allowed.add(service);
    for (const image of asked) this.allowed.add(keyOf(image));
  }

  private questionOf(images: readonly GivenImage[], to: string, agent: string | undefined): ImageQuestion {
    const isOne = images.length === 1;
    return {
      question: isOne
        ? vscode.l10n.t('Send this image of your project?')
        : vscode.l10n.t('Send these {0} images of your project?', images.length),
      facts: [requesterWords(agent), vscode.l10n.t('To: {0}', to)],
      images: images.map((image) => ({
        path: plain(image.file, 200),
        size: formatSize(image.bytes, vscode.env.language),
        file: vscode.Uri.file(this.images.pathOf(image)),
      })),
      explanation: vscode.l10n.t(
        '“Allow in This Window” is for every image in the open folders. The price is asked separately.',
      ),
      answers: {
        these: isOne ? vscode.l10n.t('Allow This Image') : vscode.l10n.t('Allow These Images'),
        all: vscode.l10n.t('Allow in This Window'),
        none: vscode.l10n.t('Don’t Allow'),
      },
    };
  }
}

/** A name stands for nothing that its field takes. */
export class NamedImageError extends UserError {
  constructor(
    readonly field: Field,
    message: string,
  ) {
    super(message);
  }
}

/** The user doesn't allow images to be sent, or can't be asked now. */
export class ImagesNotAllowed extends UserError {}

/** Throws UserError for more names than are read. */
function checkCount(all: readonly NamingInputs[]): void {
  const counts = all.flatMap(({ fields, inputs }) =>
    fields
      .filter(({ kind, name }) => kind === 'image' && Object.hasOwn(inputs, name))
      .map((field) => itemsOf(inputs[field.name]).filter((item) => isName(field, item)).length),
  );
  if (counts.reduce((sum, count) => sum + count, 0) > mostRead)
    throw new UserError(vscode.l10n.t('Name at most {0} images in one request.', mostRead));
}

/** True for a text that a field for images can't take as it is. */
function isName(field: Field, item: Json): item is string {
  return typeof item === 'string' && item.trim() !== '' && !isImageText(field, item);
}
