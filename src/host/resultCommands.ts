import type { Lazy } from '../base/lazy';
import type { Session } from '../catalog/session';
import type { LibraryEntry } from '../renders/library';
import type { Commands } from './commands';
import type { Connection } from './connection';
import { abilityIds, commands as ids } from './ids';
import type { Renders } from './renders';

/** What a render's commands need. */
export interface ResultWorld {
  readonly renders: Lazy<Renders>;
  readonly session: Session;
  readonly connection: Connection;
  /** The renders that are selected in the view, by id: what a keybinding is about. */
  selection(): readonly string[];
  /** Opens the form of a model with these inputs. */
  openForm(modelId: string, inputs: LibraryEntry['inputs']): Promise<void>;
}

/** One command per thing that can be done to renders. Each takes a render's item of the view or its id, and all that are selected with it. */
export function registerResultCommands(commands: Commands, world: ResultWorld): void {
  for (const ability of abilityIds)
    commands.register(ids[ability], async (item, items) => {
      const { act } = await import('./resultActions');
      return act(ability, item, items, world);
    });
}
