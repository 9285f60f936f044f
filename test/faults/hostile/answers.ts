import type { HostileResponse } from './answer';
import { bodyResponses } from './answers/bodies';
import { dialectResponses } from './answers/dialects';
import { fieldResponses } from './answers/fields';
import { floodResponses, largeResponses } from './answers/floods';
import { framingResponses, partResponses } from './answers/framing';
import { addressResponses, echoResponses, idResponses } from './answers/ids';
import { leadingResponses, redirectResponses } from './answers/redirects';
import { statusResponses } from './answers/statuses';
import { slowResponses, timeResponses } from './answers/time';

/** Every hostile response; `elsewhere` is an origin that must never be contacted. */
export function hostileResponses(elsewhere: string): HostileResponse[] {
  return [
    ...bodyResponses,
    ...dialectResponses,
    ...fieldResponses,
    ...statusResponses,
    ...redirectResponses(elsewhere),
    ...leadingResponses(elsewhere),
    ...framingResponses,
    ...partResponses,
    ...slowResponses,
    ...timeResponses,
    ...floodResponses,
    ...largeResponses,
    ...idResponses,
    ...addressResponses(elsewhere),
    ...echoResponses,
  ];
}
