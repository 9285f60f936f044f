import { redact } from '../../base/log';
import { promptOf } from '../../catalog/fields';
import type { Provenance } from '../../files/provenance';
import type { LibraryEntry } from '../../renders/library';
import type { Origin } from '../../renders/origin';
import {
  facts,
  generationDetails,
  inputLines,
  inset,
  said,
  section,
  type DetailWords,
} from '../generations/generationDetails';
import { oneLine } from '../../base/plain';

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
  const head = [...facts(words, [['file', words.path(file)]]), '', words.introduction(origin)].join('\n');
  if (entry) return redact(`${head}\n\n${generationDetails(entry, words)}`);
  return redact(`${[head, ...toldSections(origin.told?.provenance, words)].join('\n\n')}\n`);
}

function toldSections(provenance: Provenance | undefined, words: OriginWords): string[] {
  if (!provenance) return [];
  const { modelId, inputs, promptLeftOut, service, generationId, costCents, orderedAt, tool } = provenance;
  const prompt = promptLeftOut ? [words.promptLeftOut] : inset(promptOf(undefined, inputs));
  const sections = [
    facts(words, [['model', oneLine(modelId)]]),
    section(words, 'prompt', prompt),
    section(words, 'inputs', inputLines(inputs)),
    section(words, 'money', facts(words, [['charged', said(costCents, words.money)]])),
    section(words, 'times', facts(words, [['ordered', said(orderedAt, words.time)]])),
    section(
      words,
      'request',
      facts(words, [
        ['place', said(service, oneLine)],
        ['generation', said(generationId, oneLine)],
        ['tool', said(tool, oneLine)],
      ]),
    ),
  ];
  return sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
}
