import type { Lazy } from '../../base/lazy';
import type { FieldProblem } from '../../catalog/errors';
import type { Session } from '../../catalog/session';
import type { LibraryEntry } from '../../renders/library';
import type { Connection } from '../account/connection';
import type { OpenCompare } from '../compare/comparedPicture';
import type { WhatFits } from '../prices/whatFits';
import type { Renders } from './renders';

/** What a render's commands need. */
export interface ResultWorld {
  readonly renders: Lazy<Renders>;
  readonly session: Session;
  readonly connection: Connection;
  /** The renders that are selected in the view, by id: what a keybinding is about. */
  selection(): readonly string[];
  /** Opens the form of a model with these inputs, at the first field that the service refused. */
  openForm(modelId: string, inputs: LibraryEntry['inputs'], refused?: readonly FieldProblem[]): Promise<void>;
  readonly whatFits: WhatFits;
  readonly openCompare: OpenCompare;
}
