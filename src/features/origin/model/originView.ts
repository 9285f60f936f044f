import * as z from 'zod/mini';
import { type Log, redact } from '../../../base/log';
import { oneLine } from '../../../base/plain';
import { fieldLabel } from '../../../catalog/fieldLabel';
import { promptOf } from '../../../catalog/fields';
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
  said,
  sectionsText,
} from '../../generations/model/generationDetails';
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
 * The page about how a file (URI) was made: everything that `originText` says, each fact once. `picture` is what the
 * page shows of it, if it's an image.
 */
export function originView(
  file: string,
  picture: OriginView['picture'],
  origin: Origin,
  entry: LibraryEntry | undefined,
  words: PageWords,
): OriginView {
  const path = words.path(file);
  const sections = originSections(origin, entry, words);
  const all = sections.flatMap(({ facts }) => facts);
  const isFirst = ({ fact }: DetailFact) => fact !== undefined && firstFacts.includes(fact);
  // The path is below the title.
  const isElsewhere = (fact: DetailFact) => !isFirst(fact) && !(fact.fact === 'file' && fact.text === path);
  const groupOf = (heading: Heading, kept: (fact: DetailFact) => boolean): OriginGroup[] => {
    const facts = (sectionOf(sections, heading)?.facts ?? []).filter(kept).map((fact) => factView(fact, words));
    return facts.length === 0 ? [] : [{ title: words.heading(heading), facts }];
  };
  return {
    file,
    name: oneLine(fileNameOf(file)),
    path: redact(path),
    introduction: redact(words.introduction(origin)),
    standing: standingOf(origin),
    picture,
    prompt: textOf(sections, 'prompt', words),
    answer: textOf(sections, 'answer', words),
    facts: firstFacts.flatMap((name) => all.filter(({ fact }) => fact === name).map((fact) => factView(fact, words))),
    inputs: groupOf('inputs', () => true)[0],
    more: folded.flatMap((heading) => groupOf(heading, isElsewhere)),
    actions: actionsOf(origin, picture),
  };
}

function standingOf({ record, change }: Origin): OriginView['standing'] {
  if (change === 'replaced' || change === 'changed' || (record && change === 'unknown')) return 'doubtful';
  return record ? 'proven' : 'told';
}

function sectionOf(sections: readonly DetailSection[], heading: Heading): DetailSection | undefined {
  return sections.find((section) => section.heading === heading);
}

function textOf(sections: readonly DetailSection[], heading: Heading, words: PageWords): OriginView['prompt'] {
  const text = sectionOf(sections, heading)?.text;
  return text === undefined ? undefined : { title: words.heading(heading), text: redact(text) };
}

/** Models and inputs have display names; an input's own name is known to those who read its file. */
function factView({ fact, label, text }: DetailFact, { modelName }: PageWords): OriginFact {
  if (fact === undefined) return { label: fieldLabel(redact(label)), text: redact(text) };
  const name = fact === 'model' ? oneLine(modelName(text)) : text;
  return { label, text: redact(name), ...(name === text ? {} : { detail: redact(text) }) };
}

function actionsOf(origin: Origin, picture: OriginView['picture']): OriginAction[] {
  const recipe = recipeIn(origin);
  const hasPrompt = recipe && !recipe.promptLeftOut && promptOf(undefined, recipe.inputs) !== '';
  const open = picture?.address === undefined ? [] : (['openFile'] as const);
  if (!recipe) return ['copyAsText', ...open];
  return ['renderAgain', 'openInForm', ...(hasPrompt ? (['copyPrompt'] as const) : []), 'copyAsText', ...open];
}

/** Phrases about a file's origin in the editor's language. */
export interface OriginWords extends DetailWords {
  /** Everything known about the file, its source, and what happened to the file since, in whole sentences. */
  readonly introduction: (origin: Origin) => string;
  readonly promptLeftOut: string;
}

/**
 * How a file (URI) was made, as plain text: everything known about our render, else what the file says. Foreign text is
 * indented below its label, so that no line of it can pass for a fact.
 */
export function originText(file: string, origin: Origin, entry: LibraryEntry | undefined, words: OriginWords): string {
  const head = [...factLines(facts(words, [['file', words.path(file)]])), '', words.introduction(origin)].join('\n');
  const sections = sectionsText(originSections(origin, entry, words), words);
  return redact(`${[head, sections].filter(Boolean).join('\n\n')}\n`);
}

/** What is known about how a file was made, by section: about our render, else what the file says. */
function originSections(origin: Origin, entry: LibraryEntry | undefined, words: OriginWords): DetailSection[] {
  return entry ? generationSections(entry, words) : toldSections(origin.told?.provenance, words);
}

function toldSections(provenance: Provenance | undefined, words: OriginWords): DetailSection[] {
  if (!provenance) return [];
  const { modelId, inputs, promptLeftOut, service, generationId, costCents, orderedAt, tool } = provenance;
  return filled([
    { facts: facts(words, [['model', oneLine(modelId)]]) },
    foreign('prompt', promptLeftOut ? words.promptLeftOut : promptOf(undefined, inputs)),
    { heading: 'inputs', facts: inputFacts(inputs) },
    { heading: 'money', facts: facts(words, [['charged', said(costCents, words.money)]]) },
    { heading: 'times', facts: facts(words, [['ordered', said(orderedAt, words.time)]]) },
    {
      heading: 'request',
      facts: facts(words, [
        ['place', said(service, oneLine)],
        ['generation', said(generationId, oneLine)],
        ['tool', said(tool, oneLine)],
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
]);
/** From the page to the extension host. A closed set: it can name no price, path, URL, or command. */
export type FromOrigin = z.infer<typeof fromOrigin>;
const readFromOrigin = reader(fromOrigin, requestLimit);

const kept = z.object({ file: z.string() });
/** The state that the page keeps with the editor (`setState`) for when the window reloads: the file's URI. */
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
  /** Never rejects: failures are reported. */
  act(action: OriginAction): Promise<void>;
  /** Sends to the webview; lost while that is hidden. */
  post(message: ToOrigin): void;
}

/** The host's side of a page about how a file was made. Independent of the editor. */
export class OriginConversation {
  private started = false;
  /** Numbers the looks: only the latest is sent. */
  private looks = 0;
  private readonly acting = new Set<OriginAction>();

  constructor(private readonly deps: OriginDeps) {}

  /** Handles a message of the webview. Never throws; unknown messages are ignored. */
  receive(data: unknown): void {
    const message = readFromOrigin(data);
    if (message?.type === 'ready') this.begin();
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
    await this.deps.act(action);
    this.acting.delete(action);
  }

  private async tell(): Promise<void> {
    this.looks += 1;
    const look = this.looks;
    const seen = await this.deps.look();
    if (look !== this.looks) return;
    this.deps.post(typeof seen === 'string' ? { type: 'failed', reason: seen } : { type: 'origin', origin: seen });
  }
}
