import { redact } from '../../../base/log';
import { promptOf } from '../../../catalog/fields';
import type { Provenance } from '../../../files/provenance';
import type { LibraryEntry } from '../../../renders/library';
import type { Origin } from '../../../renders/origin';
import {
  factLines,
  facts,
  filled,
  foreign,
  generationSections,
  inputFacts,
  said,
  sectionsText,
  type DetailSection,
  type DetailWords,
} from '../../generations/model/generationDetails';
import { oneLine } from '../../../base/plain';

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
export function originSections(origin: Origin, entry: LibraryEntry | undefined, words: OriginWords): DetailSection[] {
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
