import * as vscode from 'vscode';
import type { CatalogClient } from '../../catalog/client';
import type { Session } from '../../catalog/session';
import { type AccountInUse, type Connected, mayRead, type RenderRecord } from '../../renders/record';
import type { LibraryEntry } from '../../renders/library';
import { problemSentence } from '../../editor/words';
import { UserError } from '../../editor/userError';

/** The client in use. Throws UserError, with the next step, when there is none or its key is rejected. */
export function connectedClient({ client, state }: Session): CatalogClient {
  if (client && state.status !== 'keyRefused') return client;
  throw new UserError(state.problem ?? vscode.l10n.t('Connect to a service first.'));
}

/** The client in use if its key can read the render. Throws UserError, with the next step, otherwise. */
export function clientFor(
  entry: LibraryEntry,
  renders: { readonly connection: AccountInUse },
  session: Session,
): CatalogClient {
  return clientThat(mayRead, entry, renders, session);
}

/** The client in use if `may` allows it for the render. Throws UserError, with the next step, otherwise. */
export function clientThat(
  may: (record: RenderRecord, connected: Connected) => boolean,
  { record }: LibraryEntry,
  { connection }: { readonly connection: AccountInUse },
  session: Session,
): CatalogClient {
  const client = connectedClient(session);
  const connected = connection();
  if (record && !(connected && may(record, connected))) throw new UserError(problemSentence({ code: 'otherAccount' }));
  return client;
}
