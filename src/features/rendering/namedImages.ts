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
import { requesterWords } from './askUser';
import * as z from 'zod/mini';
import { type Disposable, Disposables } from '../../base/disposable';
import { PageFiles } from '../../editor/pages';
import { readMs } from '../../editor/standing';
import { reader } from '../../editor/webviewHtml';
import { type SendAnswer, sendAnswers, type SendQuestion, type SendWords } from './page/sendMessages';

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
  private readonly page: SendPage;
  private declined: { readonly at: number; readonly keys: ReadonlySet<string> } | undefined;
  /** One question at a time: the answer may be one to the next too. */
  private asking: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly session: Session,
    private readonly library: Library,
    private readonly images: GivenImages,
    extensionUri: vscode.Uri,
  ) {
    this.page = new SendPage(extensionUri, vscode.Uri.file(images.folder));
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
    // Whoever waits for another question's answer is asked for it.
    if (this.page.reveal()) naming.asks?.();
    const answer = before.catch(() => undefined).then(() => this.allowNow(images, naming));
    this.asking = answer;
    return answer;
  }

  private async allowNow(images: readonly GivenImage[], naming: ImageRequest): Promise<void> {
    const { mayAsk = true, asks, signal } = naming;
    const no = new ImagesNotAllowed(
      vscode.l10n.t('The images weren’t sent, since you didn’t allow it. Nothing was charged.'),
    );
    for (;;) {
      const service = this.service;
      const keyOf = ({ sha256 }: GivenImage) => `${service} ${sha256}`;
      const asked = images.filter((image) => !this.allowed.has(service) && !this.allowed.has(keyOf(image)));
      if (asked.length === 0) return;
      const isResting = this.declined && systemClock.ticks() - this.declined.at < restMs;
      const isDeclined = isResting && asked.some((image) => this.declined?.keys.has(keyOf(image)));
      // Nobody declines what was given up, and without a service there's nobody to send to.
      if (!mayAsk || isDeclined || signal?.aborted || service === '') throw no;
      asks?.();
      const answer = await this.ask(asked, service, naming);
      if (signal?.aborted) throw no;
      // The answer was about another service.
      if (service !== this.service) continue;
      if (answer === 'none') {
        this.declined = { at: systemClock.ticks(), keys: new Set(asked.map(keyOf)) };
        throw no;
      }
      if (answer === 'all') this.allowed.add(service);
      for (const image of asked) this.allowed.add(keyOf(image));
      return;
    }
  }

  /** The name of the service in use; empty when there is none. */
  private get service(): string {
    const { place } = this.session.state;
    return place === undefined ? '' : placeName(place);
  }

  /** The page closes when another service comes into use. */
  private async ask(
    images: readonly GivenImage[],
    service: string,
    { agent, signal }: ImageRequest,
  ): Promise<SendAnswer> {
    const moved = new AbortController();
    const following = this.session.onDidChange(() => this.service !== service && moved.abort());
    const to = this.session.state.place?.sandbox ? vscode.l10n.t('Sandbox') : plain(service, 100);
    const ended = AbortSignal.any([moved.signal, ...(signal ? [signal] : [])]);
    try {
      return await this.page.ask(this.questionOf(images, to, agent), ended);
    } finally {
      following.dispose();
    }
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

/** The question, with the files of the images' bytes. */
interface ImageQuestion extends SendWords {
  readonly images: readonly { readonly path: string; readonly size: string; readonly file: vscode.Uri }[];
}

const viewType = 'modelCatalog.sendImages';

const readFromSend = reader(
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('ready') }),
    z.object({ type: z.literal('answer'), answer: z.enum(sendAnswers) }),
  ]),
);

/**
 * A page that asks, since the editor's dialogs show no images; only someone at this window can press its buttons. After
 * a reload, there's no such page.
 */
class SendPage {
  private readonly files: PageFiles;
  private panel: vscode.WebviewPanel | undefined;

  /** The images that it shows are in `folder`. */
  constructor(
    extensionUri: vscode.Uri,
    private readonly folder: vscode.Uri,
  ) {
    this.files = new PageFiles(extensionUri, 'send');
  }

  /** Shows the question that is open; false if none is. */
  reveal(): boolean {
    this.panel?.reveal();
    return this.panel !== undefined;
  }

  /** Resolves with 'none' when the page is closed, or on `signal`. */
  ask(asked: ImageQuestion, signal: AbortSignal): Promise<SendAnswer> {
    const own = new Disposables();
    const panel = vscode.window.createWebviewPanel(viewType, asked.question, vscode.ViewColumn.Active, {
      enableScripts: true,
      localResourceRoots: [this.folder],
    });
    this.panel = panel;
    panel.iconPath = this.files.icon;
    const { webview } = panel;
    const images = asked.images.map(({ path, size, file }) => {
      return { path, size, address: webview.asWebviewUri(file).toString() };
    });
    let canAnswer = false;
    let reading: Disposable | undefined;
    const show = () => void webview.postMessage({ ...asked, images, canAnswer } satisfies SendQuestion);
    const begin = () => {
      // A key or a click right after it appeared, also after it was hidden, was meant for what was there before.
      canAnswer = false;
      show();
      reading?.dispose();
      reading = systemClock.after(readMs.question, () => {
        canAnswer = true;
        show();
      });
    };
    return new Promise((resolve) => {
      const end = (answer: SendAnswer) => {
        own.dispose();
        if (this.panel === panel) this.panel = undefined;
        resolve(answer);
        panel.dispose();
      };
      const cancel = () => end('none');
      signal.addEventListener('abort', cancel, { once: true });
      own.add({ dispose: () => signal.removeEventListener('abort', cancel) });
      own.add({ dispose: () => reading?.dispose() });
      panel.onDidDispose(cancel);
      webview.onDidReceiveMessage((data: unknown) => {
        const message = readFromSend(data);
        if (message?.type === 'ready') begin();
        else if (message && canAnswer) end(message.answer);
      });
      webview.html = this.files.html(webview, asked.question);
    });
  }
}
