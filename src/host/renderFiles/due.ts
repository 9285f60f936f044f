import type { StateOf } from '../../renderFiles/states';

/** True for a render whose image is to be made: it is missing, or was made of something else. */
export function isDue({ state }: StateOf): boolean {
  return state.state === 'missing' || state.state === 'stale';
}
