import type { Lazy } from '../base/lazy';
import type { Session } from '../catalog/session';
import type { LibraryEntry } from '../renders/library';
import type { Connection } from './connection';
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
