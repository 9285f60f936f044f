import { isGivenImage } from '../base/givenImage';
import { Findings } from './properties';
import { givenBy, isPath, problemOf, type Images } from './givenFiles';
import { placeOf, type Problem, type RenderFile } from './renderFile';
import type { StateOf } from './states';

/** The problems with given images, and the states of all other renders. */
export interface GivenCheck {
  readonly problems: readonly Problem[];
  readonly states: readonly StateOf[];
}

/**
 * The images given as inputs that can't be, for renders whose metadata has an image for the input: so that's known
 * without the model. Reports one problem per place.
 */
export async function givenProblems(file: RenderFile, states: readonly StateOf[], images: Images): Promise<GivenCheck> {
  const found = new Findings();
  const told = new Set<number>();
  const sound: StateOf[] = [];
  for (const one of states) {
    let isSound = true;
    for (const { field, text } of pathsIn(one)) {
      const given = await givenBy(file.path, text, images);
      if (isGivenImage(given)) continue;
      isSound = false;
      const place = file.entries[one.render.entry]?.inputPlaces.get(field) ?? placeOf(file, one.render);
      if (!told.has(place.start)) found.error(place, problemOf(field, text, given));
      told.add(place.start);
    }
    if (isSound) sound.push(one);
  }
  return { problems: found.problems, states: sound };
}

/** The paths that stayed paths where an image was before: nothing can be given there. */
function pathsIn({ state }: StateOf): { readonly field: string; readonly text: string }[] {
  if (state.state !== 'stale') return [];
  return state.changes.flatMap((change) =>
    change.kind === 'input' && isGivenImage(change.from) && isPath(change.to)
      ? [{ field: change.field, text: change.to }]
      : [],
  );
}
