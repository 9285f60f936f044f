import * as vscode from 'vscode';
import { formatCents } from '../../base/money';
import type { Session } from '../../catalog/session';
import type { Person, Question } from '../../renders/consent';
import type { Order } from '../../renders/record';
import { settingIds, settingSection } from '../ids';
import { modelNames } from '../models/modelNames';
import { plain } from '../plain';

/** The person at the editor, asked in its own modal dialogs, with prices and the balance after them. */
export function spender(session: Session): Person {
  return {
    ask: async (question) => {
      const price = priceOf(question.orders);
      const yes = price === undefined ? vscode.l10n.t('Render Anyway') : vscode.l10n.t('Render for {0}', amount(price));
      const named = await modelNames(session);
      const detail = detailOf(question, named, price, session.state.balance?.cents);
      const sentence = sentenceOf(question, named, price);
      const answer = await vscode.window.showWarningMessage(sentence, { modal: true, detail }, yes);
      return answer === yes;
    },
    tellRefused: (count) => {
      // One no to one render needs no further word.
      if (count === 1) return;
      const sentence = vscode.l10n.t('Not sent, nothing charged. Renders you said no to: {0}.', count);
      void vscode.window.showInformationMessage(sentence);
    },
  };
}

/** Gives what the person knows a model by. */
type Naming = (modelId: string) => string;

/** Cents of all together; undefined when the service states no price. */
function priceOf(orders: readonly Order[]): number | undefined {
  return orders.reduce<number | undefined>(
    (sum, { shownCents }) => (sum === undefined || shownCents === undefined ? undefined : sum + shownCents),
    0,
  );
}

function sentenceOf({ about, orders, since }: Question, named: Naming, price: number | undefined): string {
  const [first] = orders;
  if (price === undefined) {
    return orders.length === 1
      ? vscode.l10n.t('The service does not state a price for this render.')
      : vscode.l10n.t('The service does not state a price for these {0} renders.', orders.length);
  }
  if (about === 'pace') {
    return vscode.l10n.t(
      'Go on rendering? With this: {0} renders for {1} since you last said yes.',
      since.renders + orders.length,
      amount(since.cents + price),
    );
  }
  return orders.length === 1
    ? vscode.l10n.t('Render with {0} for {1}?', plain(named(first?.modelId ?? '')), amount(price))
    : vscode.l10n.t('Render {0} times for {1} in all?', orders.length, amount(price));
}

function detailOf(
  { about, orders }: Question,
  named: Naming,
  price: number | undefined,
  balance: number | undefined,
): string {
  const ids = [...new Set(orders.map(({ modelId }) => modelId))];
  const models = ids.map((id) => plain(named(id), 80));
  const sentences = [
    about === 'unattended' && vscode.l10n.t('Another extension, a task, a keybinding or an agent asks for this.'),
    orders.length > 1 && models.length <= mostModels && vscode.l10n.t('Models: {0}', models.join(', ')),
    orders.length > 1 && models.length > mostModels && vscode.l10n.t('Different models: {0}', models.length),
    price === undefined && vscode.l10n.t('The service charges what it states afterwards; the amount is shown then.'),
    price !== undefined && balance !== undefined && vscode.l10n.t('Balance after it: {0}', amount(balance - price)),
    about === 'pace' &&
      vscode.l10n.t(
        'The settings {0} and {1} say when this is asked.',
        `${settingSection}.${settingIds.askAfterRenders}`,
        `${settingSection}.${settingIds.askAfterCents}`,
      ),
  ];
  return sentences.filter((sentence) => sentence !== false).join('\n');
}

/** More models than these are counted, not named. */
const mostModels = 5;

function amount(cents: number): string {
  return formatCents(cents, vscode.env.language);
}
