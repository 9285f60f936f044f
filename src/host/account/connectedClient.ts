import * as vscode from 'vscode';
import type { CatalogClient } from '../../catalog/client';
import type { Session } from '../../catalog/session';
import { UserError } from '../userError';

/** The client in use. Throws UserError, with the next step, when there is none or the service refuses its key. */
export function connectedClient({ client, state }: Session): CatalogClient {
  if (client && state.status !== 'keyRefused') return client;
  throw new UserError(state.problem ?? vscode.l10n.t('Connect an account first.'));
}
