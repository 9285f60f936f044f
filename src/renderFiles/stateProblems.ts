import { isGivenImage } from '../base/givenImage';
import type { Span } from '../documents/span';
import { givenBy, isPath, problemOf, type Images } from './givenFiles';
import { Findings } from './properties';
import { placeOf, type Problem, type ProblemCode, type RenderFile } from './renderFile';
import { isMisfit, type StateOf } from './states';
import { fitAt } from './targets';

/** The problems that only images show, and the states of all other renders. */
export interface StateCheck {
  readonly problems: readonly Problem[];
  readonly states: readonly StateOf[];
}

/** A problem, and its place if that isn't the entry's own. */
interface Finding {
  readonly place?: Span;
  readonly problem: ProblemCode;
}

/**
 * What can't be made of renders as far as their images show, so that's known without the models. Reports one problem of
 * a kind per place.
 */
export async function stateProblems(file: RenderFile, states: readonly StateOf[], images: Images): Promise<StateCheck> {
  const found = new Findings();
  const told = new Set<string>();
  const sound: StateOf[] = [];
  for (const one of states) {
    const problems = [...(await givenProblems(file, one, images)), ...fitProblems(one)];
    for (const { place = placeOf(file, one.render), problem } of problems) {
      const id = `${place.start} ${problem.code}`;
      if (!told.has(id)) found.error(place, problem);
      told.add(id);
    }
    if (problems.length === 0) sound.push(one);
  }
  return { problems: found.problems, states: sound };
}

/** The images given as inputs that can't be, where the metadata has an image for the input. */
async function givenProblems(file: RenderFile, { render, state }: StateOf, images: Images): Promise<Finding[]> {
  const problems: Finding[] = [];
  for (const change of state.state === 'stale' ? state.changes : []) {
    // It stayed a path where an image was before.
    if (change.kind !== 'input' || !isGivenImage(change.from) || !isPath(change.to)) continue;
    const { field, to } = change;
    const given = await givenBy(file.path, to, images);
    const place = file.entries[render.entry]?.inputPlaces.get(field);
    if (!isGivenImage(given)) problems.push({ place, problem: problemOf(field, to, given) });
  }
  return problems;
}

/** A render would make another image like the one that can't be fitted. */
function fitProblems(one: StateOf): Finding[] {
  const { render, state } = one;
  if (!isMisfit(one) || !('file' in state) || !render.fit || fitAt(state.file, render.fit)) return [];
  return [{ problem: { code: 'formatNotFitted', file: state.file } }];
}
