import type { HostileAnswer } from './answer';
import { bodyAnswers } from './answers/bodies';
import { dialectAnswers } from './answers/dialects';
import { fieldAnswers } from './answers/fields';
import { floodAnswers, largeAnswers } from './answers/floods';
import { framingAnswers, partAnswers } from './answers/framing';
import { addressAnswers, echoAnswers, idAnswers } from './answers/ids';
import { leadingAnswers, redirectAnswers } from './answers/redirects';
import { statusAnswers } from './answers/statuses';
import { slowAnswers, timeAnswers } from './answers/time';

/** Every hostile response; `elsewhere` is an origin that must never be contacted. */
export function hostileAnswers(elsewhere: string): HostileAnswer[] {
  return [
    ...bodyAnswers,
    ...dialectAnswers,
    ...fieldAnswers,
    ...statusAnswers,
    ...redirectAnswers(elsewhere),
    ...leadingAnswers(elsewhere),
    ...framingAnswers,
    ...partAnswers,
    ...slowAnswers,
    ...timeAnswers,
    ...floodAnswers,
    ...largeAnswers,
    ...idAnswers,
    ...addressAnswers(elsewhere),
    ...echoAnswers,
  ];
}
