import type { CatalogClient } from '../../catalog/client';
import type { LibraryEntry } from '../../renders/library';
import { connectedClient } from '../account/connectedClient';
import { problemSentence } from '../problemWords';
import { UserError } from '../userError';
import type { Renders } from './renders';
import type { ResultWorld } from './resultWorld';

/** The client of the account the render belongs to. Throws UserError, with the next step, when it is not the one in use. */
export function clientFor(entry: LibraryEntry, renders: Renders, { session }: ResultWorld): CatalogClient {
  const client = connectedClient(session);
  if (entry.record && renders.clientOf(entry.record) !== client)
    throw new UserError(problemSentence({ code: 'otherAccount' }));
  return client;
}
