import * as vscode from 'vscode';
import { type Disposables, Lazy } from '../../base/disposable';
import { extensionId, walkthrough, type CommandId, commands, views } from '../../editor/ids';
import type { Foundation } from '../../foundation';
import { caughtUp, inputStep, separator } from '../../editor/boxes';
import { showProblem } from '../../editor/commands';
import { sentenceOf } from '../../editor/words';
import type { TypedService } from './connectionChecks';
import type { AccountCommand } from './register';
import type { Session } from '../../catalog/session';
import { escapeForIcons } from '../../base/plain';
import { parseAddress } from '../../catalog/address';
import { checkApiKey } from '../../catalog/apiKey';
import { ServiceError } from '../../catalog/errors';
import { UserError } from '../../editor/userError';
import type { Account } from './account';
import {
  type AccountView,
  activeWords,
  balanceWords,
  capWords,
  lowWords,
  serviceWords,
  spentProjectWords,
  spentTodayWords,
} from './accountView';
import { addressSentence, apiKeySentence } from './accountWords';
import { typedAddress } from './model/serviceAddress';
import type { StatusBar } from './statusBar';

/** Cents that a request for play money adds. */
const playCents = 2500;

/** The commands for the account, each with what it does. */
export type AccountCommands = Readonly<Record<AccountCommand, (...given: readonly unknown[]) => unknown>>;

/**
 * What the commands for the account do. In an editor under test, which shows no dialogs, `connect(address, key)` and
 * `setApiKey(key)` take what a user would type and resolve with the problem, if any, and `disconnect` needs no
 * confirmation.
 */
export function accountCommands(own: Disposables, foundation: Foundation): AccountCommands {
  const { context, memory, settings, keys, clients, session, connection, statusBar, renders, log } = foundation;
  const { executeCommand } = vscode.commands;
  const testing = context.extensionMode === vscode.ExtensionMode.Test;
  const account = new Lazy(async () => {
    const { Account } = await import('./account');
    return new Account(connection, settings, keys, clients, memory.globalState, log);
  });
  const checks = new Lazy(async () => {
    const { ConnectionChecks } = await import('./connectionChecks');
    return own.add(new ConnectionChecks(foundation));
  });
  const check = async (typed?: TypedService) => (await checks.get()).run(typed);
  return {
    connect: async (address, key) => {
      const used = await account.get();
      if (testing && typeof address === 'string' && typeof key === 'string')
        return used.connect(address, key).catch(sentenceOf);
      return connectDialog(used, check);
    },
    setApiKey: async (key) => {
      const used = await account.get();
      if (testing && typeof key === 'string') return used.connect(used.address ?? '', key).catch(sentenceOf);
      return keyDialog(used, check);
    },
    disconnect: async () => {
      const used = await account.get();
      tell(await disconnectDialog(used, connection.isSandbox, testing));
    },
    useSandbox: async () => tell(await (await account.get()).useSandbox()),
    addPlayMoney: () => connection.addPlayMoney(playCents),
    accountMenu: async () => showAccountMenu(await account.get(), statusBar, renders, tell),
    refreshBalance: () => refreshBalance(session, connection, tell),
    refreshModels: () => refreshModels(session, connection),
    checkConnection: () => check(),
    copyCheck: async () => (await checks.get()).copy(),
    openSettings: () => executeCommand('workbench.action.openSettings', `@ext:${extensionId}`),
    showLog: () => log.show(),
    getStarted: async () => {
      await openWalkthrough(context);
      // In front of it, one key away from the first image.
      if (connection.isSandbox || session.client) await executeCommand(commands.openModel, { example: true });
    },
    help: () => openHelp(context.extensionUri),
  };
}

/** How often opening the walkthrough is tried at most. */
const mostAttempts = 4;

/**
 * For a while after its Welcome page was first open, the editor doesn't know the walkthroughs of extensions, and shows
 * its own: so it's opened again until the title is ours. A page that showed its own may keep that title.
 */
async function openWalkthrough({ extension }: vscode.ExtensionContext): Promise<void> {
  const { contributes } = extension.packageJSON as { contributes: { walkthroughs: readonly { title: string }[] } };
  const [ours] = contributes.walkthroughs;
  const isShown = () =>
    ours !== undefined && vscode.window.tabGroups.activeTabGroup.activeTab?.label.includes(ours.title) === true;
  for (let attempt = 0; attempt < mostAttempts && !isShown(); attempt++) {
    await vscode.commands.executeCommand('workbench.action.openWalkthrough', walkthrough);
    await caughtUp();
  }
}

function tell(problem: string | undefined): void {
  if (problem !== undefined) void showProblem(problem);
}

/** Connects if nothing is connected yet. */
interface Connecting {
  ready(): Promise<void>;
}

/** Resolves with the balance in cents; undefined when unknown: `tell` then gets the problem to show, if any. */
export async function refreshBalance(
  session: Session,
  connection: Connecting,
  tell: (problem: string | undefined) => void,
): Promise<number | undefined> {
  await connection.ready();
  await session.refreshBalance();
  const { status, problem, balance } = session.state;
  if (status === 'connected') return balance?.cents;
  // A rejected key was reported already, with a way to change it.
  if (status !== 'keyRefused') tell(problem);
  return undefined;
}

/** Lets the list of models be read again, and the balance if the service isn't connected. */
export async function refreshModels(session: Session, connection: Connecting): Promise<void> {
  await connection.ready();
  session.refreshModels();
  if (session.state.status !== 'connected') await session.refreshBalance();
}

interface HelpPage extends vscode.QuickPickItem {
  /** Below the extension's folder. */
  readonly path: string;
}

function helpPages(): readonly HelpPage[] {
  return [
    {
      label: vscode.l10n.t('Overview'),
      description: vscode.l10n.t('every feature, with an image'),
      path: 'dist/overview.md',
    },
    { label: vscode.l10n.t('Render files'), path: 'media/help/render-files.md' },
    { label: vscode.l10n.t('Agents'), path: 'media/help/agents.md' },
    { label: vscode.l10n.t('API for extensions'), path: 'media/help/api.md' },
    { label: vscode.l10n.t('Troubleshooting'), path: 'media/help/troubleshooting.md' },
    { label: vscode.l10n.t('Third-party notices'), path: 'dist/THIRD-PARTY-NOTICES.txt' },
  ];
}

/** Shows the help page that the user chooses. */
export async function openHelp(extension: vscode.Uri): Promise<void> {
  const placeHolder = vscode.l10n.t('Select a page. All pages are in English.');
  const page = await vscode.window.showQuickPick(helpPages(), { title: vscode.l10n.t('Help'), placeHolder });
  if (page === undefined) return;
  const file = vscode.Uri.joinPath(extension, page.path);
  await vscode.commands.executeCommand(page.path.endsWith('.md') ? 'markdown.showPreview' : 'vscode.open', file);
}

/** Checks the connection to a service as it was typed, and shows the result. */
type Check = (typed: TypedService) => Promise<void>;

/** Asks for the URL, then the key, or only the key if the URL is known. Back keeps both. True when connected. */
async function connectDialog(account: Account, check: Check, known?: string): Promise<boolean> {
  let address = known ?? account.address ?? '';
  for (let typed = known; ; typed = undefined) {
    typed ??= await askAddress(account, address);
    if (typed === undefined) return false;
    address = typed;
    const done = await askKey({ account, check, address, step: 2 });
    if (done !== 'back') return done;
  }
}

/** Asks for a new key for the URL in use, or the last one. True when it was accepted. */
async function keyDialog(account: Account, check: Check): Promise<boolean> {
  const { address } = account;
  if (address === undefined) return connectDialog(account, check);
  return (await askKey({ account, check, address })) === true;
}

/** Disconnects if the user confirms; `unasked` in a test. Resolves with the problem, if any. */
async function disconnectDialog(account: Account, isSandbox: boolean, unasked: boolean): Promise<string | undefined> {
  const { address } = account;
  if (isSandbox || address === undefined) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('You’re not connected to a service. The sandbox doesn’t need an account.'),
    );
    return undefined;
  }
  return unasked || (await confirmDisconnect(address)) ? account.disconnect() : undefined;
}

/** Says what is removed and what stays; true when the user confirms. */
async function confirmDisconnect(address: string): Promise<boolean> {
  const disconnect = vscode.l10n.t('Disconnect');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('Disconnect from {0}?', address),
    {
      modal: true,
      detail: vscode.l10n.t(
        'This removes the API key from this computer. Your files, render history, and service URL are kept. Renders in progress continue on the service, and their results are downloaded when you reconnect.',
      ),
    },
    disconnect,
  );
  return answer === disconnect;
}

async function askAddress(account: Account, value: string): Promise<string | undefined> {
  const answer = await inputStep({
    title: vscode.l10n.t('Connect to Service'),
    step: 1,
    totalSteps: 2,
    prompt: vscode.l10n.t('URL of the catalog service'),
    placeholder: 'https://models.example.com',
    value,
    check: (text) => {
      const checked = parseAddress(typedAddress(text));
      return 'problem' in checked ? addressSentence(checked.problem) : undefined;
    },
    accept: (text, signal) => account.noResponse(baseOf(typedAddress(text)), signal),
  });
  return typeof answer === 'object' ? typedAddress(answer.text) : undefined;
}

/** The step that asks for a key. */
interface KeyStep {
  readonly account: Account;
  readonly check: Check;
  readonly address: string;
  /** Undefined for the only one. */
  readonly step?: number;
}

async function askKey(keyStep: KeyStep): Promise<boolean | 'back'> {
  const { account, check, address, step } = keyStep;
  const base = baseOf(address);
  const stored = step !== undefined && (await account.hasKey(base));
  const answer = await inputStep({
    title: step === undefined ? vscode.l10n.t('Set API Key') : vscode.l10n.t('Connect to Service'),
    step,
    totalSteps: step,
    prompt: stored
      ? vscode.l10n.t('API key for {0}. Leave empty to use the stored key.', base)
      : vscode.l10n.t('API key for {0}. It’s verified with the service, then saved in VS Code’s secret storage.', base),
    placeholder: 'ai_live_…',
    password: true,
    button: { icon: 'pulse', tooltip: vscode.l10n.t('Check Connection') },
    check: (text) => (stored && text.trim() === '' ? undefined : keyProblem(text)),
    accept: (text, closed) => takeKey({ ...keyStep, text }, closed),
  });
  if (typeof answer !== 'object') return answer ?? false;
  if (answer.by === 'button') await check({ base, key: keyIn(answer.text) });
  return answer.by === 'enter';
}

/** A typed key, or none for the stored one, and the step it was typed in. */
interface TypedKey extends KeyStep {
  readonly text: string;
}

/**
 * Connects with what was typed. If the box closes during the check, the key is used only after another confirmation:
 * the user may have closed it to cancel, and would otherwise render with the wrong service.
 */
async function takeKey(typed: TypedKey, closed?: AbortSignal): Promise<string | undefined> {
  const { account, address, text } = typed;
  const mayTake = () => {
    if (closed?.aborted) void tellHeld(typed);
    return !closed?.aborted;
  };
  const isOpen = () => closed !== undefined && !closed.aborted;
  const trying =
    text.trim() === '' ? account.reconnect(baseOf(address), mayTake) : account.connect(address, text, mayTake);
  const problem = await trying.catch((error: unknown) => (isOpen() ? complaintOf(error) : sentenceOf(error)));
  if (problem !== undefined && !isOpen()) void tellNotTaken(problem, typed);
  if (problem === undefined && !closed?.aborted) void tellConnected(account);
  return problem;
}

/** What an open box says: it has a button that shows more, unless the key itself is wrong. */
function complaintOf(error: unknown): string {
  const cause = error instanceof UserError ? error.cause : undefined;
  if (!(cause instanceof ServiceError) || cause.kind === 'keyRefused') return sentenceOf(error);
  return [sentenceOf(error), vscode.l10n.t('To see which step fails, select Check Connection above.')].join(' ');
}

/** Says in the Status Bar, next to the new balance, that it worked. */
async function tellConnected(account: Account): Promise<void> {
  const count = await account.countModels().catch(() => undefined);
  vscode.window.setStatusBarMessage(`$(check) ${connectedWords(count)}`, 8000);
}

function connectedWords(models: number | undefined): string {
  if (models === undefined) return vscode.l10n.t('Connected');
  return models === 1 ? vscode.l10n.t('Connected · 1 model') : vscode.l10n.t('Connected · {0} models', models);
}

/** Asks whether to use a key that was accepted after its box had closed. */
async function tellHeld(typed: TypedKey): Promise<void> {
  const use = vscode.l10n.t('Use This Key');
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      'The API key for {0} is valid, but the dialog closed before it was saved. Use it now?',
      baseOf(typed.address),
    ),
    use,
  );
  if (answer === use) await takeKey(typed);
}

/** Reports what is wrong with a key whose box has closed, and opens that box again, without the key. */
function tellNotTaken(problem: string, typed: TypedKey): Promise<void> {
  const { account, check, address, step } = typed;
  const again = () => (step === undefined ? askKey(typed) : connectDialog(account, check, address));
  return showProblem(problem, { title: vscode.l10n.t('Try Again'), run: again });
}

/** The key as it's sent; undefined for the stored one. */
function keyIn(text: string): string | undefined {
  const checked = checkApiKey(text);
  return 'key' in checked ? checked.key : undefined;
}

function keyProblem(text: string): string | undefined {
  const checked = checkApiKey(text);
  return 'problem' in checked ? apiKeySentence(checked.problem) : undefined;
}

/** The previous step has validated the URL. */
function baseOf(address: string): string {
  const checked = parseAddress(address);
  return 'base' in checked ? checked.base : address;
}

interface MenuEntry extends vscode.QuickPickItem {
  readonly run?: () => unknown;
}

/**
 * The state of the account, and what can be done with it. Loads the renders for their figures; shows the rest without
 * them. `tell` shows the problem, if any.
 */
async function showAccountMenu(
  account: Account,
  statusBar: StatusBar,
  renders: Lazy<unknown>,
  tell: (problem: string | undefined) => void,
): Promise<void> {
  const entries = async () => {
    // The Generations view reports why renders can't be loaded.
    await renders.get().catch(() => undefined);
    return entriesOf(statusBar.view, account, tell);
  };
  const title = vscode.l10n.t('Model Catalog Account');
  const placeHolder = serviceWords(statusBar.view);
  const chosen = await vscode.window.showQuickPick(entries(), { title, placeHolder, matchOnDescription: true });
  await chosen?.run?.();
}

function entriesOf(view: AccountView, account: Account, tell: (problem: string | undefined) => void): MenuEntry[] {
  return [
    ...trouble(view),
    separator(vscode.l10n.t('Balance')),
    ...money(view),
    separator(vscode.l10n.t('Account')),
    ...(view.sandbox ? sandboxEntries(account, tell) : serviceEntries(view, account)),
    separator(vscode.l10n.t('More')),
    entry('pulse', vscode.l10n.t('Check Connection'), commands.checkConnection),
    entry('library', vscode.l10n.t('Open Model Form…'), commands.openModel),
    entry('settings-gear', vscode.l10n.t('Open Settings'), commands.openSettings),
    entry('output', vscode.l10n.t('Show Log'), commands.showLog),
    entry('question', vscode.l10n.t('Open Help…'), commands.help),
  ];
}

/** Why the account can't be used, with the next step. */
function trouble({ state, sandbox }: AccountView): MenuEntry[] {
  const detail = state.problem === undefined ? undefined : escapeForIcons(state.problem, 300);
  switch (state.status) {
    case 'offline':
      return [
        {
          ...entry('debug-disconnect', vscode.l10n.t('Offline: Check Connection'), commands.checkConnection),
          detail,
        },
      ];
    case 'keyRefused':
      return [{ ...entry('error', vscode.l10n.t('API key rejected: Set API Key…'), commands.setApiKey), detail }];
    case 'noKey':
      return [
        {
          ...entry('key', vscode.l10n.t('No API key: Set API Key…'), commands.setApiKey),
          detail: vscode.l10n.t('Create a key in your account settings at the service, under API keys.'),
        },
      ];
    case 'unusable':
      return [
        {
          ...(sandbox
            ? entry('error', vscode.l10n.t('The sandbox couldn’t start: Show Log'), commands.showLog)
            : entry('error', vscode.l10n.t('Not connected: Connect to Service…'), commands.connect)),
          detail,
        },
      ];
    default:
      return [];
  }
}

function money(view: AccountView): MenuEntry[] {
  const low = lowWords(view);
  const cap = capWords(view);
  const refresh = vscode.l10n.t('refresh');
  const balance = balanceWords(view);
  const spent = [spentTodayWords(view), spentProjectWords(view)].filter((words) => words !== undefined);
  return [
    // Without one, the row above leads to what it takes, or it's being asked for.
    ...(balance === undefined
      ? []
      : [{ ...entry(low ? 'warning' : 'refresh', balance, commands.refreshBalance, refresh), detail: low }]),
    ...(cap === undefined ? [] : [inView('warning', cap)]),
    ...spent.map((words) => entry('graph', words, commands.showSpend, vscode.l10n.t('show spending'))),
    inView(view.active > 0 ? 'loading~spin' : 'history', activeWords(view), vscode.l10n.t('show in Generations')),
  ];
}

function sandboxEntries(account: Account, tell: (problem: string | undefined) => void): MenuEntry[] {
  const { address } = account;
  const back = async () => {
    const progress = { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Connecting…') };
    tell(await vscode.window.withProgress(progress, () => account.reconnect(address ?? '')));
  };
  return [
    entry('add', vscode.l10n.t('Add Play Money'), commands.addPlayMoney),
    ...(address === undefined
      ? []
      : [{ ...row('arrow-swap', vscode.l10n.t('Switch Back to Service'), escapeForIcons(address)), run: back }]),
    entry('plug', vscode.l10n.t('Connect to Service…'), commands.connect),
  ];
}

function serviceEntries({ state }: AccountView, account: Account): MenuEntry[] {
  const { address } = account;
  const copy = () => vscode.env.clipboard.writeText(address ?? '');
  return [
    ...(address === undefined
      ? []
      : [{ ...row('copy', vscode.l10n.t('Copy Service URL'), escapeForIcons(address)), run: copy }]),
    entry('plug', vscode.l10n.t('Connect to Another Service…'), commands.connect),
    entry('key', vscode.l10n.t('Set API Key…'), commands.setApiKey),
    ...(state.status === 'noKey'
      ? []
      : [entry('debug-disconnect', vscode.l10n.t('Disconnect from Service'), commands.disconnect)]),
    entry('beaker', vscode.l10n.t('Switch to Sandbox'), commands.useSandbox, vscode.l10n.t('play money')),
  ];
}

/** A fact with its details in the Generations view. */
function inView(icon: string, label: string, description?: string): MenuEntry {
  return { ...row(icon, label, description), run: () => vscode.commands.executeCommand(`${views.generations}.focus`) };
}

function entry(icon: string, label: string, command: CommandId, description?: string): MenuEntry {
  return { ...row(icon, label, description), run: () => vscode.commands.executeCommand(command) };
}

function row(icon: string, label: string, description?: string): MenuEntry {
  return { label, iconPath: new vscode.ThemeIcon(icon), description };
}
