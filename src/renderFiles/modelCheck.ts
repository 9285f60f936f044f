import type { Json } from '../base/json';
import { checkField, type FieldIssue } from '../catalog/fields';
import type { Field, Model } from '../catalog/types';
import type { Span } from '../documents/span';
import { Findings } from './properties';
import type { AskedRender, Entry, Problem, ProblemCode, RenderFile } from './renderFile';

/** What is known of a model: its fields, that there `isn't` one of this name, or nothing yet. */
export type KnownModel = Pick<Model, 'fields'> | 'none' | undefined;

/** What the models say of a file. */
export interface ModelCheck {
  readonly problems: readonly Problem[];
  /** What a service would reject: not to be ordered. */
  readonly unsound: ReadonlySet<AskedRender>;
}

/**
 * Holds what is asked for against the models it is asked of: their fields, and what values those take. Where nothing is
 * known of a model, nothing is said. One problem of a kind for each place.
 */
export function checkModels(file: RenderFile, modelOf: (modelId: string) => KnownModel): ModelCheck {
  const found = new Findings();
  const told = new Set<string>();
  const unsound = new Set<AskedRender>();
  for (const entry of file.entries)
    for (const render of entry.renders)
      for (const { place, problem } of problemsOf(entry, render, modelOf(render.modelId))) {
        unsound.add(render);
        const id = JSON.stringify([place.start, problem.code, 'field' in problem && problem.field]);
        if (!told.has(id)) found.error(place, problem);
        told.add(id);
      }
  return { problems: found.problems, unsound };
}

interface Misfit {
  readonly place: Span;
  readonly problem: ProblemCode;
}

function problemsOf(entry: Entry, { modelId, inputs }: AskedRender, model: KnownModel): Misfit[] {
  if (model === undefined) return [];
  const ofModel = entry.model ?? entry.span;
  if (model === 'none') return [{ place: ofModel, problem: { code: 'unknownModel', modelId } }];
  const known = model.fields.map(({ name }) => name);
  const unknown = Object.keys(inputs).filter((field) => !known.includes(field));
  return [
    ...unknown.map((field): Misfit => ({
      place: placeIn(entry, field),
      problem: { code: 'unknownField', field, modelId, known },
    })),
    ...model.fields.flatMap((field): Misfit[] => {
      const issue = issueOf(field, Object.hasOwn(inputs, field.name) ? inputs[field.name] : undefined);
      return issue
        ? [{ place: placeIn(entry, field.name), problem: { code: 'badValue', field: field.name, issue } }]
        : [];
    }),
  ];
}

function placeIn(entry: Entry, field: string): Span {
  return entry.inputPlaces.get(field) ?? entry.file ?? entry.span;
}

/** Unlike in a form, a number is no text here, and a text no number: it is sent as it stands. */
function issueOf(field: Field, value: Json | undefined): FieldIssue | undefined {
  const { kind, choices = [] } = field;
  if (value === undefined) return checkField(field, '');
  if (kind === 'choice') return choices.some((choice) => choice.value === value) ? undefined : { code: 'notAChoice' };
  if (kind === 'boolean') return typeof value === 'boolean' ? undefined : { code: 'notYesOrNo' };
  if (kind === 'integer' || kind === 'number' || kind === 'seed')
    return typeof value === 'number' ? checkField(field, value) : { code: 'notANumber' };
  return typeof value === 'string' ? checkField(field, value) : undefined;
}
