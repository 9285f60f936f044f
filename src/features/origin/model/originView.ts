import * as z from 'zod/mini';
import { type Log, redact } from '../../../base/log';
import { oneLine } from '../../../base/plain';
import { fieldLabel, promptOf } from '../../../catalog/fields';
import { reader } from '../../../editor/webviewHtml';
import { fileNameOf } from '../../../files/names';
import type { Provenance } from '../../../files/provenance';
import type { LibraryEntry } from '../../../renders/library';
import type { Origin } from '../../../renders/origin';
import {
  type DetailFact,
  type DetailSection,
  type DetailWords,
  type Fact,
  factLines,
  facts,
  filled,
  foreign,
  generationSections,
  type Heading,
  inputFacts,
  inWords,
  sectionsText,
} from './generationDetails';
import { canDo } from '../../rendering/model/actions';
import { recipeIn } from '../../rendering/model/recipe';
import {
  type OriginAction,
  originActions,
  type OriginFact,
  type OriginGroup,
  type OriginStrings,
  type OriginView,
  type ToOrigin,
} from '../page/originMessages';

/** What the page adds to the words of a file's origin. */
export interface PageWords extends OriginWords {
  /** The display name of a model. */
  readonly modelName: (modelId: string) => string;
}

/** What is worth knowing first, in this order; the rest is folded. */
const firstFacts: readonly Fact[] = ['model', 'standing', 'charged', 'refund', 'ordered', 'startedElsewhere', 'took'];

const folded: readonly Heading[] = ['money', 'times', 'result', 'request'];

/**
 * The page about how a file (URI) was made, or without one, a render: everything that `originText` says, each fact
 * once. `image` is what the page shows of it, if it's an image.
 */
export function originView(
  file: string | undefined,
  image: OriginView['image'],
  origin: Origin,
  entry: LibraryEntry | undefined,
  words: PageWords,
  relatives: OriginView['relatives'] = [],
): OriginView {
  const path = file === undefined ? undefined : words.path(file);
  const sections = originSections(origin, entry, words);
  const all = sections.flatMap(({ facts }) => facts);
  const isFirst = ({ fact }: DetailFact) => fact !== undefined && firstFacts.includes(fact);
  // The path is below the title, and a saved file says itself how its render stands.
  const isSaved = file !== undefined && entry?.state === 'saved' && !entry.record?.staged;
  const isShown = ({ fact, text }: DetailFact) =>
    !(fact === 'file' && text === path) && !(fact === 'standing' && isSaved);
  const groupOf = (heading: Heading, kept: (fact: DetailFact) => boolean): OriginGroup[] => {
    const facts = (sectionOf(sections, heading)?.facts ?? []).filter(kept).map((fact) => factView(fact, words));
    return facts.length === 0 ? [] : [{ title: words.heading(heading), facts }];
  };
  return {
    file,
    render: file === undefined ? entry?.id : undefined,
    name: file === undefined ? words.title(entry) : oneLine(fileNameOf(file)),
    path: path === undefined ? undefined : redact(path),
    introduction: redact(introductionOf(file, origin, entry, words)),
    standing: standingOf(origin),
    image,
    prompt: promptTextOf(sections, 'prompt', words),
    response: promptTextOf(sections, 'answer', words),
    facts: firstFacts.flatMap((name) =>
      all.filter((fact) => fact.fact === name && isShown(fact)).map((fact) => factView(fact, words)),
    ),
    inputs: groupOf('inputs', () => true)[0],
    relatives: relatives.filter(({ images }) => images.length > 0),
    more: folded.flatMap((heading) => groupOf(heading, (fact) => !isFirst(fact) && isShown(fact))),
    actions: file === undefined && entry ? actionsOfRender(entry) : actionsOf(origin, image),
  };
}

function introductionOf(
  file: string | undefined,
  origin: Origin,
  entry: LibraryEntry | undefined,
  words: OriginWords,
): string {
  return file === undefined && entry ? words.withoutFile(entry) : words.introduction(origin);
}

function standingOf({ record, change }: Origin): OriginView['standing'] {
  if (change === 'replaced' || change === 'changed' || (record && change === 'unknown')) return 'doubtful';
  return record ? 'proven' : 'stated';
}

function sectionOf(sections: readonly DetailSection[], heading: Heading): DetailSection | undefined {
  return sections.find((section) => section.heading === heading);
}

function promptTextOf(sections: readonly DetailSection[], heading: Heading, words: PageWords): OriginView['prompt'] {
  const text = sectionOf(sections, heading)?.text;
  return text === undefined ? undefined : { title: words.heading(heading), text: redact(text) };
}

/** Models and inputs have display names; an input's own name is known to those who read its file. */
function factView({ fact, label, text }: DetailFact, { modelName }: PageWords): OriginFact {
  if (fact === undefined) return { label: fieldLabel(redact(label)), text: redact(text) };
  const name = fact === 'model' ? oneLine(modelName(text)) : text;
  return { label, text: redact(name), ...(name === text ? {} : { detail: redact(text) }) };
}

function actionsOf(origin: Origin, image: OriginView['image']): OriginAction[] {
  const recipe = recipeIn(origin);
  const hasPrompt = recipe && !recipe.promptLeftOut && promptOf(undefined, recipe.inputs) !== '';
  return inOrder({
    openFile: image?.address !== undefined,
    copyPrompt: hasPrompt,
    copyAsText: true,
    renderAgain: recipe !== undefined,
    openInForm: recipe !== undefined,
  });
}

function actionsOfRender(entry: LibraryEntry): OriginAction[] {
  return inOrder({
    openFile: canDo('openResult', entry),
    copyPrompt: promptOf(undefined, entry.inputs) !== '',
    copyAsText: true,
    renderAgain: canDo('renderAgain', entry),
    openInForm: canDo('openInForm', entry),
  });
}

function inOrder(offered: Readonly<Record<OriginAction, boolean | undefined>>): OriginAction[] {
  return originActions.filter((action) => offered[action]);
}

/** Phrases about a file's origin in the editor's language. */
export interface OriginWords extends DetailWords {
  /** Everything known about the file, its source, and what happened to the file since, in whole sentences. */
  readonly introduction: (origin: Origin) => string;
  /** The same for a render whose file isn't there, or isn't its own any longer. */
  readonly withoutFile: (entry: LibraryEntry) => string;
  /** The name of a render without a file; of one that isn't listed any longer, if it's undefined. */
  readonly title: (entry: LibraryEntry | undefined) => string;
  readonly promptLeftOut: string;
}

/**
 * How a file (URI) was made, or without one, a render, as plain text: everything known about our render, else what the
 * file says. Foreign text is indented below its label, so that no line of it can pass for a fact. Contains neither the
 * API key nor its fingerprint, and nothing shaped like a key.
 */
export function originText(
  file: string | undefined,
  origin: Origin,
  entry: LibraryEntry | undefined,
  words: OriginWords,
): string {
  const path = facts(words, [['file', file === undefined ? undefined : words.path(file)]]);
  const sections = sectionsText(originSections(origin, entry, words), words);
  const parts = [factLines(path).join('\n'), introductionOf(file, origin, entry, words), sections];
  return redact(`${parts.filter(Boolean).join('\n\n')}\n`);
}

/** What is known about how a file was made, by section: about our render, else what the file says. */
function originSections(origin: Origin, entry: LibraryEntry | undefined, words: OriginWords): DetailSection[] {
  return entry ? generationSections(entry, words) : metadataSections(origin.fileRecord?.provenance, words);
}

function metadataSections(provenance: Provenance | undefined, words: OriginWords): DetailSection[] {
  if (!provenance) return [];
  const { modelId, inputs, promptLeftOut, service, generationId, costCents, orderedAt, tool } = provenance;
  return filled([
    { facts: facts(words, [['model', oneLine(modelId)]]) },
    foreign('prompt', promptLeftOut ? words.promptLeftOut : promptOf(undefined, inputs)),
    { heading: 'inputs', facts: inputFacts(inputs) },
    { heading: 'money', facts: facts(words, [['charged', inWords(costCents, words.money)]]) },
    { heading: 'times', facts: facts(words, [['ordered', inWords(orderedAt, words.time)]]) },
    {
      heading: 'request',
      facts: facts(words, [
        ['place', inWords(service, oneLine)],
        ['generation', inWords(generationId, oneLine)],
        ['tool', inWords(tool, oneLine)],
      ]),
    },
  ]);
}

/** The largest message, and state, that the host accepts from the page, in characters of JSON: it names a file. */
const requestLimit = 10_000;

const fromOrigin = z.discriminatedUnion('type', [
  /** The page's script has started without any state: initially, after hiding, after moving. */
  z.strictObject({ type: z.literal('ready') }),
  /** One of the buttons. */
  z.strictObject({ type: z.literal('act'), action: z.enum(originActions) }),
  /** A related image, by its place among all that are shown. */
  z.strictObject({ type: z.literal('openRelative'), index: z.int().check(z.nonnegative()) }),
]);
/** From the page to the extension host. A closed set: it can name no price, path, URL, or command. */
export type FromOrigin = z.infer<typeof fromOrigin>;
const readFromOrigin = reader(fromOrigin, requestLimit);

const kept = z.object({ file: z.optional(z.string()), render: z.optional(z.string()) });
/** The state that the page keeps with the editor (`setState`) for when the window reloads: a URI, or an ID. */
export type KeptOrigin = z.infer<typeof kept>;
/** The state that was kept, or undefined if it can't be read. */
export const readKeptOrigin = reader(kept, requestLimit);

/** A conversation's dependencies on the editor and the rest of the extension. */
export interface OriginDeps {
  readonly log: Log;
  readonly strings: OriginStrings;
  /** The locale for numbers. */
  readonly locale: string;
  /** How the file was made, as far as is known now; a sentence if it can't be read. Never rejects. */
  look(): Promise<OriginView | string>;
  /** `isPriced`: its button has a price. Never rejects: failures are reported. */
  act(action: OriginAction, isPriced: boolean): Promise<void>;
  /** Opens a related image, by its place among all of the last look. Never rejects: failures are reported. */
  openRelative(index: number): Promise<void>;
  /** Sends to the webview; lost while that is hidden. */
  post(message: ToOrigin): void;
}

/** The host's side of a page about how something was made. Independent of the editor. */
export class OriginConversation {
  private started = false;
  /** Numbers the looks: only the latest is sent. */
  private looks = 0;
  private readonly acting = new Set<OriginAction>();
  private againCents: number | undefined;

  constructor(private readonly deps: OriginDeps) {}

  /** Handles a message of the webview. Never throws; unknown messages are ignored. */
  receive(data: unknown): void {
    const message = readFromOrigin(data);
    if (message?.type === 'ready') this.begin();
    else if (message?.type === 'openRelative') void this.deps.openRelative(message.index);
    else if (message) void this.act(message.action);
    else this.deps.log.warn('How it was made: ignored an unknown message');
  }

  /** The file or its render may have changed. */
  refresh(): void {
    if (this.started) void this.tell();
  }

  private begin(): void {
    const { strings, locale } = this.deps;
    this.started = true;
    this.deps.post({ type: 'strings', strings, locale });
    void this.tell();
  }

  /** A second press does nothing while the first is being carried out: it may have asked a question. */
  private async act(action: OriginAction): Promise<void> {
    if (this.acting.has(action)) return;
    this.acting.add(action);
    await this.deps.act(action, action === 'renderAgain' && this.againCents !== undefined);
    this.acting.delete(action);
  }

  private async tell(): Promise<void> {
    this.looks += 1;
    const look = this.looks;
    const seen = await this.deps.look();
    if (look !== this.looks) return;
    this.againCents = typeof seen === 'string' ? undefined : seen.againCents;
    this.deps.post(typeof seen === 'string' ? { type: 'failed', reason: seen } : { type: 'origin', origin: seen });
  }
}
