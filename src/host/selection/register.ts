import type { Owned } from '../../base/disposable';
import { answerWays, commands as ids } from '../../app/ids';
import type { Services } from '../../services';

/** Sending the selection to a text model, and the actions on its response. */
export function register(_: Owned, { commands, sendSelection }: Services): void {
  commands.register(ids.sendSelection, async () => (await sendSelection.get()).open());
  for (const way of answerWays)
    commands.register(ids[way], async (page) => (await sendSelection.get()).answers.decide(way, page));
}
