import * as vscode from 'vscode';
import type { CatalogClient } from '../catalog/client';
import type { LibraryEntry } from '../renders/library';
import type { Renders } from './renders';
import type { ResultWorld } from './resultWorld';
import { UserError } from './userError';
import { problemSentence } from './words';

/** The client of the account the render belongs to. Throws UserError, with the next step, when it is not the one in use. */
export function clientFor(entry: LibraryEntry, renders: Renders, { session }: ResultWorld): CatalogClient {
  const { client, state } = session;
  if (!client || state.status === 'keyRefused') throw new UserError(vscode.l10n.t('Connect an account first.'));
  if (entry.record && renders.clientOf(entry.record) !== client)
    throw new UserError(problemSentence({ code: 'otherAccount' }));
  return client;
}
