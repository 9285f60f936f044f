import * as vscode from 'vscode';
import { systemClock } from '../../base/clock';
import { type Disposable, Disposables } from '../../base/disposable';
import { parseAddress } from '../../catalog/address';
import { type CheckClient, checkConnection, type CheckDeps, isMisread } from '../../catalog/connectionCheck';
import { proxyFor } from '../../catalog/transport';
import { checkScheme, commands, pageLanguage } from '../../editor/ids';
import { UserError } from '../../editor/userError';
import type { Foundation } from '../../foundation';
import { addressSentence, apiKeySentence, checkPage, stepName, storageSentence } from './accountWords';

/** The services that a check needs. */
type CheckServices = Pick<Foundation, 'session' | 'connection' | 'settings' | 'keys' | 'clients'>;

/** A service that was typed and maybe isn't in use. */
export interface TypedService {
  /** Normalized. */
  readonly base: string;
  /** It has passed its check; undefined for the one stored for the URL. Kept nowhere. */
  readonly key: string | undefined;
}

/** Checks the connection step by step, and shows the result as a read-only page. */
export class ConnectionChecks implements Disposable, vscode.TextDocumentContentProvider {
  private readonly own = new Disposables();
  private readonly changed = this.own.add(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChange = this.changed.event;
  private page = '';

  constructor(private readonly services: CheckServices) {
    this.own.add(vscode.workspace.registerTextDocumentContentProvider(checkScheme, this));
  }

  /** Checks the service in use, or a typed one. Shows progress while it runs; a canceled check shows nothing. */
  async run(typed?: TypedService): Promise<void> {
    const progress = {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Checking connection…'),
      cancellable: true,
    };
    const reports = await vscode.window.withProgress(progress, async (shown, token) => {
      const cancel = new AbortController();
      const listening = token.onCancellationRequested(() => cancel.abort());
      try {
        const starts = (step: Parameters<typeof stepName>[0]) => shown.report({ message: stepName(step) });
        const walked = await checkConnection(depsOf(this.services, typed), cancel.signal, starts);
        return cancel.signal.aborted ? undefined : walked;
      } finally {
        listening.dispose();
      }
    });
    if (!reports) return;
    // What was found becomes the state: a key that works again also ends the pause of renders.
    if (!typed || reports.some(({ step, outcome }) => step === 'account' && outcome === 'passed'))
      void this.services.session.refreshBalance();
    await this.show(checkPage(reports, Date.now(), proxyOf(this.services, typed)));
    if (reports.some(isMisread)) void offerReport();
  }

  /** Copies the page to the clipboard. */
  async copy(): Promise<void> {
    await vscode.env.clipboard.writeText(this.page);
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
    // Its URLs may be foreign text: this language doesn't turn them into links.
    const document = await vscode.languages.setTextDocumentLanguage(
      await vscode.workspace.openTextDocument(uri),
      pageLanguage,
    );
    await vscode.window.showTextDocument(document, { preview: true });
  }
}

async function offerReport(): Promise<void> {
  const copy = vscode.l10n.t('Copy Report');
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      'We couldn’t read a response from the service. Send the report to your service administrator; your API key isn’t in it.',
    ),
    copy,
  );
  if (answer === copy) await vscode.commands.executeCommand(commands.copyCheck);
}

function depsOf(services: CheckServices, typed: TypedService | undefined): CheckDeps {
  const { clients } = services;
  const key = typed?.key;
  return {
    clock: systemClock,
    address: () => (typed ? Promise.resolve(typed.base) : addressInUse(services)),
    reach: (base, signal) => clients.reach(base, signal),
    isKeyTyped: key !== undefined,
    client: (base) => (key === undefined ? clientFor(base, services) : clients.make(base, key)),
  };
}

async function addressInUse({ session, connection, settings }: CheckServices): Promise<string> {
  if (!connection.isSandbox) return usable(settings.serviceUrl);
  await connection.ready();
  const { place, problem } = session.state;
  if (!session.client || !place) throw new UserError(problem ?? vscode.l10n.t('The sandbox couldn’t start.'));
  return place.base;
}

/** The client in use if it's for this URL: its responses matter to the whole window. */
async function clientFor(base: string, { session, connection, keys, clients }: CheckServices): Promise<CheckClient> {
  await connection.ready();
  if (session.client?.base === base) {
    session.client.probe();
    return session.client;
  }
  const reading = await keys.read(new URL(base).origin);
  if (reading.outcome === 'none') throw new UserError(apiKeySentence('empty'));
  if (reading.outcome === 'unreadable') throw new UserError(storageSentence(reading.problem));
  return clients.make(base, reading.key);
}

function usable(address: string): string {
  const checked = parseAddress(address);
  if ('problem' in checked) throw new UserError(addressSentence(checked.problem));
  return checked.base;
}

/** The proxy for requests, as it may be shown. */
function proxyOf({ settings, session }: CheckServices, typed: TypedService | undefined): string | undefined {
  const base = typed?.base ?? session.state.place?.base;
  return base ? proxyFor(new URL(base), settings.proxy, process.env)?.name : undefined;
}
