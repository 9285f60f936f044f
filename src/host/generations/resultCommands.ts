import type { Commands } from '../commands';
import { abilityIds, commands as ids } from '../ids';
import type { ResultWorld } from '../renders/resultWorld';

/** One command per thing that can be done to renders. Each takes a render's item of the view or its id, and all that are selected with it. */
export function registerResultCommands(commands: Commands, world: ResultWorld): void {
  for (const ability of abilityIds)
    commands.register(ids[ability], async (item, items) => {
      const { act } = await import('./resultActions');
      return act(ability, item, items, world);
    });
}
