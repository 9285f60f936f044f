import * as vscode from 'vscode';
import { countdownWords, formatCents, spokenCents, timeWords } from '../../base/format';
import type { SessionState } from '../../catalog/session';
import { appendLine, oneLine } from '../../base/plain';

/** Everything that the Status Bar and the account menu show. */
export interface AccountView {
  readonly state: SessionState;
  readonly sandbox: boolean;
  /** Cents below which the balance counts as low. */
  readonly lowBalance: number;
  /** Renders in progress. */
  readonly active: number;
  /** Cents charged today; undefined while unknown. */
  readonly spentTodayCents: number | undefined;
  /** Cents charged for the open folders; undefined while unknown, or with none open. */
  readonly spentProjectCents: number | undefined;
  /**
   * When the key's daily cap was reached today, ms since 1970; undefined when it wasn't, or a render was charged since.
   */
  readonly capReachedAt: number | undefined;
  /** Remaining seconds of the pause that the service asks for; undefined without one. */
  readonly waitSeconds: number | undefined;
}

/** A codicon, a short text, and a screen reader's text for both. */
export interface Face {
  readonly icon: string;
  readonly text: string;
  readonly spoken: string;
}

/** The account in a few characters. */
export function accountFace(view: AccountView): Face {
  const face = waitFace(stateFace(view), view);
  const place = view.sandbox ? sandboxName() : vscode.l10n.t('Model Catalog');
  const active = view.active > 0 ? `, ${activeWords(view)}` : '';
  return { ...face, spoken: `${place}: ${face.spoken}${active}` };
}

function sandboxName(): string {
  return vscode.l10n.t('Model Catalog sandbox');
}

/** The account in full. Contains neither links nor commands. */
export function accountTooltip(view: AccountView): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString().appendMarkdown('**');
  appendLine(tooltip, serviceWords(view)).appendMarkdown('**');
  const { problem } = view.state;
  const lines = [
    balanceWords(view),
    lowWords(view),
    problem === undefined ? undefined : oneLine(problem, 400),
    view.waitSeconds === undefined ? undefined : waitSentence(view.waitSeconds),
    capWords(view),
    spentTodayWords(view),
    spentProjectWords(view),
    view.active > 0 ? activeWords(view) : undefined,
  ];
  for (const line of lines) if (line !== undefined) appendLine(tooltip.appendMarkdown('\n\n'), line);
  return tooltip;
}

/** The service of the account. */
export function serviceWords({ state, sandbox }: AccountView): string {
  if (sandbox) return vscode.l10n.t('Sandbox: play money, no real charges');
  return state.place?.base ?? vscode.l10n.t('No valid service URL');
}

function stateFace(view: AccountView): Face {
  const { state, sandbox } = view;
  const sandboxText = vscode.l10n.t('Sandbox');
  switch (state.status) {
    case 'connected':
      return balanceFace(view);
    case 'starting':
      return sandbox
        ? { icon: 'beaker', text: sandboxName(), spoken: vscode.l10n.t('not started') }
        : { icon: 'sync', text: vscode.l10n.t('Connecting…'), spoken: vscode.l10n.t('connecting') };
    case 'noKey':
      return { icon: 'key', text: vscode.l10n.t('No API Key'), spoken: vscode.l10n.t('no API key') };
    case 'offline':
      return offlineFace(view);
    case 'keyRefused':
      return { icon: 'error', text: vscode.l10n.t('API Key Rejected'), spoken: vscode.l10n.t('API key rejected') };
    case 'unusable':
      return sandbox
        ? { icon: 'error', text: sandboxText, spoken: vscode.l10n.t('couldn’t start') }
        : { icon: 'error', text: vscode.l10n.t('Not Connected'), spoken: vscode.l10n.t('not connected') };
  }
}

/** The seconds are visible only: a screen reader would never stop reading them. */
function waitFace(face: Face, { waitSeconds }: AccountView): Face {
  if (waitSeconds === undefined) return face;
  const text = vscode.l10n.t('{0} · waiting {1}', face.text, countdownWords(waitSeconds));
  const spoken = [face.spoken, vscode.l10n.t('waiting for the service')].filter(Boolean).join(', ');
  return { icon: 'watch', text, spoken };
}

function balanceFace({ state, sandbox, lowBalance }: AccountView): Face {
  const { balance } = state;
  if (!balance)
    return { icon: sandbox ? 'beaker' : 'sync', text: sandbox ? vscode.l10n.t('Sandbox') : '…', spoken: '' };
  const { language } = vscode.env;
  const money = formatCents(balance.cents, language);
  const heard = spokenCents(balance.cents, language);
  const low = balance.cents < lowBalance;
  const text = sandbox ? vscode.l10n.t('Sandbox {0}', money) : money;
  return {
    icon: low ? 'warning' : sandbox ? 'beaker' : 'credit-card',
    text: low ? vscode.l10n.t('{0} · low', text) : text,
    spoken: low ? vscode.l10n.t('balance {0}, low', heard) : vscode.l10n.t('balance {0}', heard),
  };
}

function offlineFace({ sandbox }: AccountView): Face {
  const text = sandbox ? vscode.l10n.t('Sandbox · offline') : vscode.l10n.t('Offline');
  return { icon: 'debug-disconnect', text, spoken: vscode.l10n.t('offline, the service isn’t responding') };
}

/** The balance and its age; undefined while unknown. */
export function balanceWords({ state: { balance } }: AccountView): string | undefined {
  if (!balance) return undefined;
  const { language } = vscode.env;
  return vscode.l10n.t(
    'Balance: {0}, as of {1}',
    formatCents(balance.cents, language),
    timeWords(balance.at, Date.now(), language),
  );
}

/** That the balance is low, and what to do. */
export function lowWords({ state: { balance }, sandbox, lowBalance }: AccountView): string | undefined {
  if (!balance || balance.cents >= lowBalance) return undefined;
  return sandbox
    ? vscode.l10n.t('Your balance is low. Add play money from the account menu.')
    : vscode.l10n.t('Your balance is low. Add funds to your account to keep rendering.');
}

/** That the key has reached its daily cap, as far as we know. */
export function capWords({ capReachedAt }: AccountView): string | undefined {
  if (capReachedAt === undefined) return undefined;
  const when = timeWords(capReachedAt, Date.now(), vscode.env.language);
  return vscode.l10n.t(
    'The API key reached its daily cap at {0}. It resets when the next day starts on the service.',
    when,
  );
}

/** Charged by the service today. */
export function spentTodayWords({ spentTodayCents }: AccountView): string | undefined {
  if (spentTodayCents === undefined) return undefined;
  return vscode.l10n.t('Spent today: {0}', formatCents(spentTodayCents, vscode.env.language));
}

/** Charged by the service for the open folders. */
export function spentProjectWords({ spentProjectCents }: AccountView): string | undefined {
  if (spentProjectCents === undefined) return undefined;
  return vscode.l10n.t('Spent in this workspace: {0}', formatCents(spentProjectCents, vscode.env.language));
}

/** The number of renders in progress. */
export function activeWords({ active }: AccountView): string {
  if (active === 0) return vscode.l10n.t('No renders in progress');
  return active === 1 ? vscode.l10n.t('1 render in progress') : vscode.l10n.t('{0} renders in progress', active);
}

/** That the service asks for a pause, and how long it still lasts. */
export function waitSentence(seconds: number): string {
  return vscode.l10n.t('Rate limited by the service. Resuming in {0}.', countdownWords(seconds));
}
