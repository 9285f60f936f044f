import { responseWays, commands as ids } from '../../editor/ids';
import type { Commands } from '../../editor/commands';
import type { Lazy } from '../../base/disposable';
import type { SendSelection } from './sendSelection';

/** Sending the selection to a text model, and the actions on its response. */
export function register(commands: Commands, sendSelection: Lazy<SendSelection>): void {
  commands.register(ids.sendSelection, async () => (await sendSelection.get()).open());
  for (const way of responseWays)
    commands.register(ids[way], async (page) => (await sendSelection.get()).responses.decide(way, page));
}
