import type { Clock } from '../base/clock';
import { Yielder } from '../base/concurrency';
import { itemsOf } from '../base/givenImage';
import type { Json, JsonObject } from '../base/json';
import {
  checkField,
  checkImage,
  checkSentInput,
  type Field,
  type FieldIssue,
  type ImageItem,
  isSeedName,
  type Model,
  notAChoice,
  valueOfImages,
} from '../catalog/fields';
import type { Span } from '../documents/scan';
import { type AskedRender, type Entry, type EntryProblem, type EntryProblemCode, type RenderFile } from './renderFile';
import { type Given, givenBy, givenProblemOf, type Images, isAwaited, isPath } from './givenFiles';
import { Findings } from './properties';

/**
 * A model’s fields; `none` if the service has no such model, `noImages` if it makes something else; undefined if that
 * isn’t known.
 */
export type KnownModel = Pick<Model, 'fields'> | 'none' | 'noImages' | undefined;

/** The result of checking a file against its models. */
export interface ModelCheck {
  readonly problems: readonly EntryProblem[];
  /** Renders that the service would reject: don't order them. */
  readonly unsound: ReadonlySet<AskedRender>;
}

/**
 * Checks inputs, and the images that they name, against the fields of their models, taking turns with other work.
 * Models that aren't known are skipped. Reports one problem of a kind per place.
 */
export async function checkModels(
  file: RenderFile,
  modelOf: (modelId: string) => KnownModel,
  images: Images,
  clock: Clock,
): Promise<ModelCheck> {
  const turns = new Yielder(clock);
  const names = new Map<string, ReadonlySet<string>>();
  const found = new Findings();
  const recorded = new Set<string>();
  const unsound = new Set<AskedRender>();
  for (const entry of file.entries)
    for (const render of entry.renders) {
      await turns.next();
      const model = modelOf(render.modelId);
      const known = names.get(render.modelId) ?? namesOf(model);
      names.set(render.modelId, known);
      const misfits = [
        ...problemsOf(entry, render, model, known),
        ...(typeof model === 'object' ? await imageProblems(entry, render, model.fields, images) : []),
      ];
      for (const { place, problem } of misfits) {
        unsound.add(render);
        const id = JSON.stringify([place.start, problem.code, 'field' in problem && problem.field]);
        if (!recorded.has(id)) found.error(place, problem);
        recorded.add(id);
      }
    }
  return { problems: found.problems, unsound };
}

interface Misfit {
  readonly place: Span;
  readonly problem: EntryProblemCode;
}

function namesOf(model: KnownModel): ReadonlySet<string> {
  return new Set(typeof model === 'object' ? model.fields.map(({ name }) => name) : []);
}

function problemsOf(
  entry: Entry,
  { modelId, inputs }: AskedRender,
  model: KnownModel,
  known: ReadonlySet<string>,
): Misfit[] {
  if (model === undefined) return [];
  const ofModel = entry.model ?? entry.span;
  if (model === 'none') return [{ place: ofModel, problem: { code: 'unknownModel', modelId } }];
  if (model === 'noImages') return [{ place: ofModel, problem: { code: 'noImages', modelId } }];
  const unknown = Object.keys(inputs).filter((field) => !known.has(field));
  return [
    ...unknown.map((field): Misfit => ({
      place: placeIn(entry, field),
      problem: { code: 'unknownField', field, modelId, known: [...known] },
    })),
    ...withNamedSeeds(model.fields).flatMap((field): Misfit[] => {
      const issue = issueOf(field, Object.hasOwn(inputs, field.name) ? inputs[field.name] : undefined);
      return issue
        ? [{ place: placeIn(entry, field.name), problem: { code: 'badValue', field: field.name, issue } }]
        : [];
    }),
  ];
}

/** The files of images that the service wouldn't get or would reject. */
async function imageProblems(
  entry: Entry,
  render: AskedRender,
  fields: readonly Field[],
  images: Images,
): Promise<Misfit[]> {
  const { inputs } = render;
  const misfits: Misfit[] = [];
  for (const field of fields) {
    const { name } = field;
    const input = field.kind === 'image' && Object.hasOwn(inputs, name) ? inputs[name] : undefined;
    const items: ImageItem[] = [];
    let isWhole = true;
    for (const [index, text] of itemsOf(input).entries()) {
      if (typeof text !== 'string' || text === '') continue;
      const given = isPath(text) ? await givenBy(render, text, images) : text;
      const problem = typeof given === 'string' ? undefined : givenProblem(field, text, given);
      if (problem) {
        isWhole = false;
        if (!isAwaited(render, text)) misfits.push({ place: placeIn(entry, name, index), problem });
      } else if (typeof given === 'string') items.push(given);
      else if ('image' in given) items.push(given.image);
    }
    const issue = isWhole && items.length > 0 ? checkField(field, valueOfImages(items)) : undefined;
    if (issue) misfits.push({ place: placeIn(entry, name), problem: { code: 'badValue', field: name, issue } });
  }
  return misfits;
}

/** The problem with the file of a path, or with the image in it. */
function givenProblem(field: Field, text: string, given: Given): EntryProblemCode | undefined {
  if ('why' in given) return givenProblemOf(field.name, text, given, field.image?.maxBytes);
  const issue = checkImage(field, { ...given.image, facts: given.facts });
  return issue && { code: 'badValue', field: field.name, issue };
}

/** Where an entry's input is stated. `index`: of one value in a list. */
export function placeIn({ inputPlaces, file, span }: Entry, field: string, index = -1): Span {
  const place = inputPlaces.get(field);
  return place?.items?.[index] ?? place ?? file ?? span;
}

/** Unlike in a form, numbers and texts are distinct, since values are sent as they are. */
function issueOf(field: Field, value: Json | undefined): FieldIssue | undefined {
  const { kind, choices = [] } = field;
  if (value === undefined) return checkField(field, '');
  if (kind === 'image') return imageIssueOf(field, value);
  if (kind === 'json') return checkSentInput(field, value);
  if (kind === 'choices') return checkField(field, { json: JSON.stringify(value) });
  if (kind === 'choice') return choices.some((choice) => choice.value === value) ? undefined : notAChoice(field);
  if (kind === 'boolean') return typeof value === 'boolean' ? undefined : { code: 'notYesOrNo' };
  if (kind === 'integer' || kind === 'number' || kind === 'seed')
    return typeof value === 'number' ? checkField(field, value) : { code: 'notANumber' };
  return typeof value === 'string' ? checkField(field, value) : undefined;
}

/** A path is checked with its file, and what else is in a list with them. */
function imageIssueOf(field: Field, value: Json): FieldIssue | undefined {
  const isText = (item: Json) => typeof item === 'string';
  const isOne = field.image?.isList === true || !Array.isArray(value);
  if (!isOne || !itemsOf(value).every(isText)) return { code: 'notAnImage' };
  return itemsOf(value).some((item) => item !== '') ? undefined : checkField(field, '');
}

/**
 * The fields as render files take them: that a number was drawn shows in an image only by its name. So what the model
 * takes as a seed under another name isn't drawn, but is a number like any other.
 */
export function withNamedSeeds(fields: readonly Field[]): readonly Field[] {
  return fields.map((field) =>
    field.kind === 'seed' && !isSeedName(field.name) ? { ...field, kind: 'integer' } : field,
  );
}

/** The inputs of an entry, with the seeds of its image that it leaves open: those were drawn, so any matches. */
export function withOpenSeeds(asked: JsonObject, recorded: JsonObject): JsonObject {
  const open = Object.entries(recorded).filter(([name]) => isSeedName(name) && !Object.hasOwn(asked, name));
  return open.length === 0 ? asked : Object.fromEntries([...Object.entries(asked), ...open]);
}
