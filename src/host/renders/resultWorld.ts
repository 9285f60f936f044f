import type { Lazy } from '../../base/lazy';
import type { Session } from '../../catalog/session';
import type { Connection } from '../account/connection';
import type { OpenCompare } from '../compare/comparedPicture';
import type { OpenForm } from '../form/openForm';
import type { WhatFits } from '../prices/whatFits';
import type { Renders } from './renders';

/** What a render's commands need. */
export interface ResultWorld {
  readonly renders: Lazy<Renders>;
  readonly session: Session;
  readonly connection: Connection;
  /** The renders that are selected in the view, by id: what a keybinding is about. */
  selection(): readonly string[];
  readonly openForm: OpenForm;
  readonly whatFits: WhatFits;
  readonly openCompare: OpenCompare;
}
