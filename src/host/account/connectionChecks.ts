import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { Owned, type Disposable } from '../../base/disposable';
import { parseAddress } from '../../catalog/address';
import { isLoopback } from '../../catalog/address';
import { checkConnection, type CheckWorld } from '../../catalog/connectionCheck';
import type { Session } from '../../catalog/session';
import { checkScheme, pageLanguage } from '../ids';
import type { Settings } from '../settings';
import { UserError } from '../userError';
import { addressSentence, apiKeySentence, storageSentence } from './accountWords';
import type { ApiKeys } from './apiKey';
import { checkPage, stepName } from './checkWords';
import type { Clients } from './clients';
import type { Connection } from './connection';

/** What a check is made with. */
export interface CheckParts {
  readonly session: Session;
  readonly connection: Connection;
  readonly settings: Settings;
  readonly keys: ApiKeys;
  readonly clients: Clients;
}

/** Checks the connection step by step, and shows the outcome as a page that can be read and copied, not changed. */
export class ConnectionChecks implements Disposable, vscode.TextDocumentContentProvider {
  private readonly own = new Owned();
  private readonly changed = this.own.add(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.changed.event;
  private page = '';

  constructor(private readonly parts: CheckParts) {
    this.own.add(vscode.workspace.registerTextDocumentContentProvider(checkScheme, this));
  }

  /** Shows progress while it runs; a check that is cancelled shows nothing. */
  async run(): Promise<void> {
    const progress = {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Checking the connection'),
      cancellable: true,
    };
    const reports = await vscode.window.withProgress(progress, async (shown, token) => {
      const cancel = new AbortController();
      const listening = token.onCancellationRequested(() => cancel.abort());
      try {
        const starts = (step: Parameters<typeof stepName>[0]) => shown.report({ message: stepName(step) });
        const walked = await checkConnection(worldOf(this.parts), cancel.signal, starts);
        return cancel.signal.aborted ? undefined : walked;
      } finally {
        listening.dispose();
      }
    });
    if (reports) await this.show(checkPage(reports, Date.now(), proxyOf(this.parts)));
  }

  provideTextDocumentContent(): string {
    return this.page;
  }

  dispose(): void {
    this.own.dispose();
  }

  private async show(page: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: checkScheme, path: vscode.l10n.t('Connection Check') });
    this.page = page;
    this.changed.fire(uri);
    // Its addresses may be words of the service: this language makes no links of them.
    const document = await vscode.languages.setTextDocumentLanguage(
      await vscode.workspace.openTextDocument(uri),
      pageLanguage,
    );
    await vscode.window.showTextDocument(document, { preview: true });
  }
}

function worldOf({ session, connection, settings, keys, clients }: CheckParts): CheckWorld {
  return {
    clock: systemClock,
    address: async () => {
      if (!connection.isSandbox) return usable(settings.baseUrl);
      await connection.start();
      const { place, problem } = session.state;
      if (!session.client || !place) throw new UserError(problem ?? vscode.l10n.t('The sandbox does not start.'));
      return place.base;
    },
    reach: (base, signal) => clients.reach(base, signal),
    client: async (base) => {
      // The one in use, where there is one: what it hears is news for the whole window.
      await connection.start();
      if (session.client?.base === base) return session.client;
      const reading = await keys.read(new URL(base).origin);
      if (reading.outcome === 'none') throw new UserError(apiKeySentence('empty'));
      if (reading.outcome === 'unreadable') throw new UserError(storageSentence(reading.problem));
      return clients.make(base, reading.key);
    },
  };
}

function usable(address: string): string {
  const checked = parseAddress(address);
  if ('problem' in checked) throw new UserError(addressSentence(checked.problem));
  return checked.base;
}

/** The proxy requests go through, by its host alone: its address may hold a password. */
function proxyOf({ settings, session }: CheckParts): string | undefined {
  const base = session.state.place?.base;
  if (!base || isLoopback(base)) return undefined;
  const { httpProxy } = settings.proxy;
  const { HTTPS_PROXY, https_proxy } = process.env;
  const address = httpProxy ?? https_proxy ?? HTTPS_PROXY ?? '';
  return URL.canParse(address) ? new URL(address).host : undefined;
}
