import type { JsonObject } from '../../../base/json';
import { promptOf } from '../../../catalog/fields';
import { below } from '../../../files/sameFile';
import { type LibraryEntry, severalIds } from '../../../renders/library';
import type { OrderedBy } from '../../../renders/record';
import { manyLines } from '../../../base/plain';
import { inputText, tookMs } from '../../rendering/model/actions';

/** A labeled fact on the page. */
export type Fact =
  | 'standing'
  | 'model'
  | 'shown'
  | 'charged'
  | 'refund'
  | 'ordered'
  | 'orderer'
  | 'startedElsewhere'
  | 'firstSent'
  | 'firstSentServiceTime'
  | 'accepted'
  | 'ended'
  | 'took'
  | 'file'
  | 'type'
  | 'size'
  | 'fitted'
  | 'hash'
  | 'folder'
  | 'provenance'
  | 'place'
  | 'key'
  | 'generation'
  | 'several'
  | 'content'
  | 'attempts'
  | 'unanswered'
  | 'tool';

/** A heading of the page. */
export type Heading = 'prompt' | 'inputs' | 'money' | 'times' | 'result' | 'request' | 'answer';

/** Facts in the editor's language. */
export interface DetailWords {
  readonly label: (fact: Fact) => string;
  readonly heading: (heading: Heading) => string;
  /** The state of the render and why, in whole sentences. */
  readonly standing: (entry: LibraryEntry) => string;
  /** Euro cents. */
  readonly money: (cents: number) => string;
  /** ms since 1970. */
  readonly time: (ms: number) => string;
  /** ms. */
  readonly duration: (ms: number) => string;
  readonly bytes: (count: number) => string;
  /** The orderer, if it was ordered here; an agent by its own name for itself. */
  readonly orderer: (by: OrderedBy, agent: string | undefined) => string;
  /** The service's word on a refund; undefined when there is nothing to refund. */
  readonly refund: (entry: LibraryEntry) => string | undefined;
  /** Whether the saved file or its sidecar file records how it was made; undefined for nothing to say. */
  readonly provenance: (entry: LibraryEntry) => string | undefined;
  /** What the image was fitted to, or that it couldn't be; undefined if it was saved as it came. */
  readonly fitted: (entry: LibraryEntry) => string | undefined;
  /** A file's or folder's URI as a readable path. */
  readonly path: (uri: string) => string;
}

type DetailLine = readonly [Fact, string | undefined];

/** A fact in words; neither part has anything hidden. */
export interface DetailFact {
  /** Undefined for an input, whose label is its field's. */
  readonly fact?: Fact;
  readonly label: string;
  readonly text: string;
}

/** A part of what is known about a render: facts, or a text that isn't ours. */
export interface DetailSection {
  /** Undefined for the first one. */
  readonly heading?: Heading;
  readonly facts: readonly DetailFact[];
  readonly text?: string;
}

/** Everything known about a render, by section. Empty ones are omitted. */
export function generationSections(entry: LibraryEntry, words: DetailWords): DetailSection[] {
  return filled([
    {
      facts: facts(words, [
        ['standing', words.standing(entry)],
        ['model', entry.modelId],
      ]),
    },
    foreign('prompt', promptOf(undefined, entry.inputs)),
    { heading: 'inputs', facts: inputFacts(entry.inputs) },
    { heading: 'money', facts: facts(words, moneyOf(entry, words)) },
    { heading: 'times', facts: facts(words, timesOf(entry, words)) },
    { heading: 'result', facts: facts(words, [...resultOf(entry, words), ['provenance', words.provenance(entry)]]) },
    { heading: 'request', facts: facts(words, requestOf(entry)) },
    foreign('answer', entry.record?.textOutput ?? entry.textOutput ?? ''),
  ]);
}

function moneyOf(entry: LibraryEntry, { money, refund }: DetailWords): DetailLine[] {
  const { shownCents, costCents } = entry;
  return [
    ['shown', inWords(shownCents, money)],
    ['charged', inWords(costCents, money)],
    ['refund', refund(entry)],
  ];
}

function timesOf(entry: LibraryEntry, { time, duration, orderer }: DetailWords): DetailLine[] {
  const { record, startedAt } = entry;
  // A render adopted from the service's list was sent by someone else: only its beginning is known.
  if (!record || (record.attempt === 0 && record.generationId !== undefined))
    return [['startedElsewhere', inWords(startedAt, time)]];
  return [
    ['ordered', inWords(record.plannedAt, time)],
    ['orderer', inWords(record.by, (by) => orderer(by, record.agent))],
    ['firstSent', inWords(record.firstSentAt, time)],
    ['firstSentServiceTime', inWords(record.firstSentServiceTime, time)],
    ['accepted', inWords(record.acceptedAt, time)],
    ['ended', inWords(record.endedAt, time)],
    ['took', inWords(tookMs(entry), duration)],
  ];
}

function resultOf(entry: LibraryEntry, { path, bytes, fitted }: DetailWords): DetailLine[] {
  const { file, mediaType, record } = entry;
  const { root, folder = '' } = record?.target ?? {};
  const segments = folder.split('/').filter((segment) => segment !== '');
  return [
    ['file', inWords(file, path)],
    ['folder', file === undefined && root !== undefined ? path(below(root, segments)) : undefined],
    ['type', mediaType],
    ['size', inWords(record?.spooled?.bytes, bytes)],
    ['fitted', fitted(entry)],
    ['hash', record?.spooled && `SHA-256 ${record.spooled.sha256}`],
  ];
}

function requestOf({ record, generation, generationId }: LibraryEntry): DetailLine[] {
  return [
    ['place', record?.place],
    ['key', record?.key],
    ['generation', generationId],
    ['several', record && severalIds(record)],
    ['content', record?.contentUrl ?? generation?.contentUrl],
    ['attempts', record && String(record.attempt)],
    ['unanswered', record && record.unanswered > 0 ? String(record.unanswered) : undefined],
  ];
}

/** The value in words, if there is one. */
export function inWords<T>(value: T | undefined, word: (value: T) => string): string | undefined {
  return value === undefined ? undefined : word(value);
}

/** The sections that have anything to say. */
export function filled(sections: readonly DetailSection[]): DetailSection[] {
  return sections.filter(({ facts, text }) => facts.length > 0 || text !== undefined);
}

/** A section with a text that isn't ours. */
export function foreign(heading: Heading, text: string): DetailSection {
  return { heading, facts: [], text: text.trim() === '' ? undefined : visible(text) };
}

/** Facts in words; unknown ones are omitted. */
export function facts(words: DetailWords, lines: readonly DetailLine[]): DetailFact[] {
  return lines.flatMap(([fact, text]) =>
    text === undefined || text === '' ? [] : [{ fact, label: words.label(fact), text: visible(text) }],
  );
}

/** The inputs, by field, except a field called `prompt`, since that has its own section. */
export function inputFacts(inputs: JsonObject): DetailFact[] {
  const isShown = (name: string) => name === 'prompt' && inputs[name] === promptOf(undefined, inputs);
  return Object.entries(inputs)
    .filter(([name]) => !isShown(name))
    .map(([name, value]) => ({
      label: manyLines(name).join(' '),
      text: visible(inputText(value)),
    }));
}

/** The sections as plain text, each with its lines indented below its heading. */
export function sectionsText(sections: readonly DetailSection[], words: DetailWords): string {
  const texts = sections.map(({ heading, facts, text }) => {
    const lines = [...factLines(facts), ...(text?.split('\n') ?? [])];
    if (heading === undefined) return lines.join('\n');
    return [words.heading(heading), ...lines.map((line) => (line === '' ? '' : `    ${line}`))].join('\n');
  });
  return texts.join('\n\n');
}

/** Each fact on its own lines: a short text follows its label, a longer one is below it. */
export function factLines(facts: readonly DetailFact[]): string[] {
  return facts.flatMap(({ label, text }) => {
    const lines = text.split('\n');
    return lines.length === 1 ? [`${label}: ${lines[0]}`] : [`${label}:`, ...lines.map((line) => `    ${line}`)];
  });
}

/** The text without anything hidden. */
function visible(text: string): string {
  return manyLines(text).join('\n');
}
