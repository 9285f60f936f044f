import type { Owned } from '../../base/disposable';
import { answerWays, commands as ids } from '../../app/ids';
import type { Services } from '../../services';

/** What is selected, sent to a text model, and what becomes of its answer. */
export function register(_: Owned, { commands, sendSelection }: Services): void {
  commands.register(ids.sendSelection, async () => (await sendSelection.get()).open());
  for (const way of answerWays)
    commands.register(ids[way], async (page) => (await sendSelection.get()).answers.decide(way, page));
}
