import type { Json } from '../base/json';
import type { Field } from '../catalog/fields';
import type { Span } from '../documents/scan';
import { namesIn } from './matrix';
import type { EntryProblem, RenderFile } from './renderFile';

/** A replacement text that fixes a problem. */
export interface Fix extends Span {
  readonly text: string;
  /** The replacement as shown in its title. */
  readonly shown: string;
}

/** The knowledge about models that a fix may need. */
export interface KnownModels {
  /** The fields of a model; none if it isn't known. */
  fields(modelId: string): Promise<readonly Field[]>;
  /** Their IDs; none if they aren't known. */
  ids(): Promise<readonly string[]>;
}

/** The most fixes offered for a problem. */
const mostOffered = 3;

/** The longest gap between a name and its value that the name is searched in. */
const longestGap = 100;

/** Possible replacements for a text with a problem, the most likely first. */
export async function fixesOf(
  problem: EntryProblem,
  text: string,
  file: RenderFile,
  models: KnownModels,
): Promise<readonly Fix[]> {
  const place = { start: problem.start, end: problem.end };
  switch (problem.code) {
    case 'unknownStyle': {
      return offered(closest(problem.name, [...file.styles.keys()], mostOffered), place);
    }
    case 'unknownModel': {
      const names = closest(problem.modelId, nearby(problem.modelId, await models.ids()), mostOffered);
      // The span is inside the quotes.
      return names.map((name) => ({ ...place, text: JSON.stringify(name).slice(1, -1), shown: name }));
    }
    case 'unknownField': {
      const key = keyBefore(text, problem.start, problem.field);
      return key ? offered(closest(problem.field, freeNames(problem, file), mostOffered), key) : [];
    }
    case 'badSource': {
      // In place of a variable, all images would get the same source.
      const isOwn = namesIn(text.slice(place.start, place.end)).length === 0;
      const names = isOwn ? closest(problem.name, problem.known, mostOffered) : [];
      return offered(
        names.map((name) => `[${name}]`),
        place,
      );
    }
    case 'badValue': {
      const stated = text.slice(place.start, place.end);
      const field = await fieldOf(problem, file, models);
      // In place of a variable, all images would get the same value.
      const isOwn = namesIn(stated).length === 0;
      return isOwn && field ? offered(valuesFor(field, stated, problem.issue.code), place) : [];
    }
    default:
      return [];
  }
}

function offered(values: readonly Json[], place: Span): Fix[] {
  return values.map((value) => ({
    ...place,
    text: JSON.stringify(value),
    shown: typeof value === 'string' ? value : JSON.stringify(value),
  }));
}

/** The model's inputs without those that the entries have already: a second value would silently replace the first. */
function freeNames(
  { known, field, start }: EntryProblem & { readonly code: 'unknownField' },
  { entries }: RenderFile,
): readonly string[] {
  const here = entries.filter(({ inputPlaces }) => inputPlaces.get(field)?.start === start);
  return known.filter((name) => !here.some(({ inputPlaces }) => inputPlaces.has(name)));
}

/** Models of the same provider, since comparing all of them would take too long. */
function nearby(modelId: string, ids: readonly string[]): readonly string[] {
  const [provider = ''] = modelId.split('/');
  const same = ids.filter((id) => id.startsWith(`${provider}/`));
  return (same.length > 0 ? same : ids).slice(0, 500);
}

/** The span of a value's name, with its quotes; undefined if comments are in between. */
function keyBefore(text: string, valueStart: number, name: string): Span | undefined {
  const key = JSON.stringify(name);
  const before = text.slice(Math.max(0, valueStart - longestGap - key.length), valueStart).trimEnd();
  const end = before.endsWith(':') ? before.slice(0, -1).trimEnd() : '';
  if (!end.endsWith(key)) return undefined;
  const start = text.lastIndexOf(key, valueStart - 1);
  return { start, end: start + key.length };
}

async function fieldOf(
  { field, start }: EntryProblem & { readonly code: 'badValue' },
  { entries }: RenderFile,
  models: KnownModels,
): Promise<Field | undefined> {
  const entry = entries.find(({ inputPlaces }) => inputPlaces.get(field)?.start === start);
  if (!entry?.model) return undefined;
  return (await models.fields(entry.model.text)).find(({ name }) => name === field);
}

function valuesFor({ choices = [], minimum, maximum, step = 1 }: Field, stated: string, code: string): Json[] {
  if (code === 'tooSmall' && minimum !== undefined) return [minimum];
  if (code === 'tooLarge' && maximum !== undefined) return [maximum];
  if (code === 'notYesOrNo') return [true, false];
  if (code === 'notAnInteger' || code === 'notAStep') {
    const from = minimum ?? 0;
    const nearest = from + Math.round((Number(stated) - from) / step) * step;
    return Number.isFinite(nearest) ? [Number(nearest.toPrecision(12))] : [];
  }
  if (code !== 'notAChoice') return [];
  const names = closest(
    stated.replaceAll('"', ''),
    [...new Set(choices.map(({ value }) => String(value)))],
    mostOffered,
  );
  return names.flatMap((name) => choices.find(({ value }) => String(value) === name)?.value ?? []);
}

/** The words that differ least from one, the closest first, at most `most`. Very long words aren't compared. */
export function closest(word: string, words: readonly string[], most: number): readonly string[] {
  return words
    .map((one) => ({ one, far: distance(word.toLowerCase(), one.toLowerCase()) }))
    .toSorted((a, b) => a.far - b.far)
    .slice(0, most)
    .map(({ one }) => one);
}

const longest = 100;

/** How many characters have to be inserted, removed, or replaced. */
function distance(from: string, to: string): number {
  if (from.length > longest || to.length > longest) return Infinity;
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let taken = 1; taken <= from.length; taken++) {
    const next = [taken];
    for (let at = 1; at <= to.length; at++) {
      const replaced = (row[at - 1] ?? 0) + (to[at - 1] === from[taken - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
