import * as vscode from 'vscode';
import { formatCents } from '../base/money';
import type { SessionState } from '../catalog/session';
import { oneLine } from './plain';

/** Everything the status bar and the account menu tell. */
export interface AccountView {
  readonly state: SessionState;
  readonly sandbox: boolean;
  /** Cents below which the balance is low. */
  readonly lowBalance: number;
  /** Renders under way. */
  readonly active: number;
  /** Cents charged today; undefined while it is not known. */
  readonly spentTodayCents: number | undefined;
}

/** An icon of the editor, a short text, and the words a screen reader says for both. */
export interface Face {
  readonly icon: string;
  readonly text: string;
  readonly spoken: string;
}

/** The account in a few characters. */
export function accountFace(view: AccountView): Face {
  const face = stateFace(view);
  const place = view.sandbox ? vscode.l10n.t('Model Catalog sandbox') : vscode.l10n.t('Model Catalog');
  const active = view.active > 0 ? `, ${activeWords(view.active)}` : '';
  return { ...face, spoken: `${place}: ${face.spoken}${active}` };
}

/** The account in full. Holds no link and no command. */
export function accountTooltip(view: AccountView): vscode.MarkdownString {
  const lines = [originWords(view), ...balanceWords(view)];
  if (view.state.problem !== undefined) lines.push(oneLine(view.state.problem));
  if (view.spentTodayCents !== undefined) {
    lines.push(vscode.l10n.t('Spent today: {0}', formatCents(view.spentTodayCents, vscode.env.language)));
  }
  if (view.active > 0) lines.push(activeWords(view.active));
  const [first = '', ...rest] = lines;
  const tooltip = new vscode.MarkdownString().appendMarkdown('**').appendText(first).appendMarkdown('**');
  for (const line of rest) tooltip.appendMarkdown('\n\n').appendText(line);
  return tooltip;
}

/** Where the account is. */
export function originWords({ state, sandbox }: AccountView): string {
  if (sandbox) return vscode.l10n.t('Sandbox: play money, nothing is charged for real');
  return state.place?.base ?? vscode.l10n.t('No usable address');
}

function stateFace(view: AccountView): Face {
  const { state, sandbox } = view;
  const sandboxText = vscode.l10n.t('Sandbox');
  switch (state.status) {
    case 'connected':
      return balanceFace(view);
    case 'starting':
      return sandbox
        ? { icon: 'beaker', text: sandboxText, spoken: vscode.l10n.t('not used yet') }
        : { icon: 'sync', text: vscode.l10n.t('Connecting…'), spoken: vscode.l10n.t('connecting') };
    case 'noKey':
      return { icon: 'key', text: vscode.l10n.t('No API Key'), spoken: vscode.l10n.t('no API key') };
    case 'offline':
      return offlineFace(view);
    case 'keyRefused':
      return { icon: 'error', text: vscode.l10n.t('API Key Refused'), spoken: vscode.l10n.t('API key refused') };
    case 'unusable':
      return sandbox
        ? { icon: 'error', text: sandboxText, spoken: vscode.l10n.t('does not start') }
        : { icon: 'error', text: vscode.l10n.t('Not Connected'), spoken: vscode.l10n.t('not connected') };
  }
}

function balanceFace({ state, sandbox, lowBalance }: AccountView): Face {
  const { balance } = state;
  if (!balance)
    return { icon: sandbox ? 'beaker' : 'sync', text: sandbox ? vscode.l10n.t('Sandbox') : '…', spoken: '' };
  const money = formatCents(balance.cents, vscode.env.language);
  const low = balance.cents < lowBalance;
  const text = sandbox ? vscode.l10n.t('Sandbox {0}', money) : money;
  return {
    icon: low ? 'warning' : sandbox ? 'beaker' : 'credit-card',
    text: low ? vscode.l10n.t('{0} · low', text) : text,
    spoken: low ? vscode.l10n.t('balance {0}, low', money) : vscode.l10n.t('balance {0}', money),
  };
}

function offlineFace({ sandbox }: AccountView): Face {
  const text = sandbox ? vscode.l10n.t('Sandbox · offline') : vscode.l10n.t('Offline');
  return { icon: 'debug-disconnect', text, spoken: vscode.l10n.t('offline, the service does not answer') };
}

function balanceWords({ state, sandbox, lowBalance }: AccountView): string[] {
  const { balance } = state;
  if (!balance) return [];
  const { language } = vscode.env;
  const money = formatCents(balance.cents, language);
  const words = vscode.l10n.t('Balance: {0}, as of {1}', money, timeOf(balance.at));
  if (balance.cents >= lowBalance) return [words];
  const low = sandbox
    ? vscode.l10n.t('The balance is low. The account menu adds play money.')
    : vscode.l10n.t('The balance is low. Add money to the account to go on.');
  return [words, low];
}

function activeWords(count: number): string {
  return count === 1 ? vscode.l10n.t('1 render under way') : vscode.l10n.t('{0} renders under way', count);
}

/** The time of day, with the day when that is not today. */
function timeOf(at: number): string {
  const date = new Date(at);
  const today = date.toDateString() === new Date().toDateString();
  return today ? date.toLocaleTimeString(locale()) : date.toLocaleString(locale());
}

/** The editor also runs in languages Intl does not know, such as its pseudo-locale. */
function locale(): string {
  try {
    return Intl.getCanonicalLocales(vscode.env.language)[0] ?? 'en';
  } catch {
    // Not the name of a language.
    return 'en';
  }
}
