import * as vscode from 'vscode';
import { isGivenImage } from '../../base/givenImage';
import type { Json } from '../../base/json';
import { formatCents } from '../../base/format';
import { plain, visible } from '../../base/plain';
import { promptOf } from '../../catalog/fields';
import type { Session } from '../../catalog/session';
import { settingIds, settingSection } from '../../editor/ids';
import { onceRead } from '../../editor/standing';
import { imageInAddress } from '../../files/recordedImages';
import type { Approver, Proposal, Question } from '../../renders/consent';
import { editorChat, sumOf } from '../../renders/record';
import { modelNames } from '../models/model/modelNames';
import { inputText } from './model/actions';

/** The user at the editor: modal dialogs with prices and the balance after them. */
export function askUser(session: Session): Approver {
  return {
    ask: async (question) => {
      if (question.orders.some(({ otherSeeds }) => otherSeeds)) return askForSeeds(question, session);
      const price = sumOf(question.orders);
      const yes = price === undefined ? vscode.l10n.t('Render Anyway') : vscode.l10n.t('Render for {0}', amount(price));
      const allow = question.allowance !== undefined && allowWords(question.allowance);
      const ids = question.orders.map(({ modelId }) => modelId);
      const named = await modelNames(session, ids);
      const detail = [
        detailOf(question, named, price, session.state.balance?.cents),
        ...(question.allowance === undefined ? [] : [allowanceWords(question.allowance)]),
      ].join('\n');
      const sentence = question.words?.question ?? sentenceOf(question, named, price);
      const instead = question.words?.instead;
      const buttons = [yes, allow, instead?.title].filter((title) => typeof title === 'string');
      const answer = await put(question, sentence, detail, buttons);
      if (answer !== undefined && answer === instead?.title) return undefined;
      if (answer !== undefined) session.client?.probe();
      return answer !== undefined && answer === allow ? 'allow' : answer === yes;
    },
    tellRefused: (count, hasRest) => {
      const sentences = [
        // A no to a single render needs no message.
        count > 1 && vscode.l10n.t('You declined {0} renders. They weren’t sent or charged.', count),
        hasRest && vscode.l10n.t('You declined twice in a row. Commands can’t ask you to render for a minute.'),
      ];
      for (const sentence of sentences) if (sentence) void vscode.window.showInformationMessage(sentence);
    },
  };
}

/** Whether to pay again for the same image, or for another. */
async function askForSeeds(question: Question, session: Session): Promise<boolean | 'otherSeeds'> {
  const { by, orders, words } = question;
  const { state, client } = session;
  const price = sumOf(orders);
  const [first] = orders;
  const named = await modelNames(session, first ? [first.modelId] : []);
  const cost =
    price === undefined
      ? vscode.l10n.t('The service doesn’t quote a price for this render.')
      : vscode.l10n.t('Either way, it costs {0}.', amount(price));
  const detail = [
    words?.detail,
    ...raised(orders),
    ...requestWords(question),
    words && first && vscode.l10n.t('Model: {0}', plain(named(first.modelId), 80)),
    [cost, ...balanceWords(price, state.balance?.cents)].join(' '),
    by === 'automation' && requesterWords(),
  ];
  const other = words ? vscode.l10n.t('Render Again') : vscode.l10n.t('Use New Seed');
  const same = vscode.l10n.t('Render Same Image');
  const sentence = words?.question ?? vscode.l10n.t('Same inputs, same image. Use a new seed?');
  const answer = await put(question, sentence, detail.filter(Boolean).join('\n'), [other, same]);
  if (answer !== undefined) client?.probe();
  return answer === other ? 'otherSeeds' : answer === same;
}

/**
 * Shows the question; with a warning sign unless it's an ordinary purchase. Whoever else asks may do so at any moment,
 * even while someone types.
 */
function put(question: Question, sentence: string, detail: string, buttons: readonly string[]) {
  const { about, by, isExceeded, orders, words } = question;
  const isOrdinary = about !== 'pace' && !isExceeded && sumOf(orders) !== undefined && raised(orders).length === 0;
  const options = { modal: true, detail };
  const show = () =>
    isOrdinary
      ? vscode.window.showInformationMessage(sentence, options, ...buttons)
      : vscode.window.showWarningMessage(sentence, options, ...buttons);
  return by === 'user' ? show() : onceRead(show, words?.instead?.title);
}

/** The button that grants an allowance, in euro cents. */
function allowWords(cents: number): string {
  return vscode.l10n.t('Allow Up to {0}', amount(cents));
}

function allowanceWords(cents: number): string {
  return vscode.l10n.t('“{0}” lets agents spend that much in this window without asking.', allowWords(cents));
}

/**
 * Who asks: an agent as it's recorded, or else a command. Mostly the user ran that, but anybody could have: the words
 * are true of both.
 */
export function requesterWords(agent?: string): string {
  if (agent === undefined) return vscode.l10n.t('If you didn’t ask for this, it was an extension or agent.');
  return agent === editorChat
    ? vscode.l10n.t('Requested by VS Code Chat.')
    : vscode.l10n.t('Requested by an agent that calls itself “{0}”.', plain(agent, 60));
}

/** The display name of a model. */
type Naming = (modelId: string) => string;

function sentenceOf({ about, orders, since }: Question, named: Naming, price: number | undefined): string {
  const [first] = orders;
  if (price === undefined) {
    return orders.length === 1
      ? vscode.l10n.t('The service doesn’t quote a price for this render.')
      : vscode.l10n.t('The service doesn’t quote a price for these {0} renders.', orders.length);
  }
  if (about === 'pace') {
    return vscode.l10n.t(
      'Continue? With this, you’ll have started {0} renders for {1} since you last confirmed.',
      since.renders + orders.length,
      amount(since.cents + price),
    );
  }
  return orders.length === 1
    ? vscode.l10n.t('Render with {0} for {1}?', plain(named(first?.modelId ?? '')), amount(price))
    : vscode.l10n.t('Start {0} renders for {1} in total?', orders.length, amount(price));
}

function detailOf(question: Question, named: Naming, price: number | undefined, balance: number | undefined): string {
  const { about, by, orders, words } = question;
  const ids = [...new Set(orders.map(({ modelId }) => modelId))];
  const models = ids.map((id) => plain(named(id), 80));
  const sentences = [
    words?.detail,
    ...raised(orders),
    ...requestWords(question),
    question.isExceeded && vscode.l10n.t('You’re asked because a render was charged more than its quoted price.'),
    !words && orders.length > 1 && models.length <= mostModels && vscode.l10n.t('Models: {0}', models.join(', ')),
    !words && orders.length > 1 && models.length > mostModels && vscode.l10n.t('Different models: {0}', models.length),
    ...balanceWords(price, balance),
    about === 'pace' &&
      vscode.l10n.t(
        'To change the total at which you’re asked, edit the setting {0}.',
        `${settingSection}.${settingIds.confirmAfterTotal}`,
      ),
    by === 'automation' && requesterWords(),
  ];
  return sentences.filter(Boolean).join('\n');
}

/**
 * What is sent, unless the user asks with a gesture in our own UI, and the agents that ask for it: one may have
 * accepted the list of its orders itself.
 */
function requestWords({ by, orders }: Question): string[] {
  if (by === 'user') return [];
  const agents = new Set(orders.flatMap(({ agent }) => agent ?? []));
  return [...[...agents].map((name) => requesterWords(name)), ...sentWords(orders)];
}

function balanceWords(price: number | undefined, balance: number | undefined): string[] {
  if (price === undefined)
    return [vscode.l10n.t('The service decides what to charge after it renders. You’ll see the amount then.')];
  return balance === undefined ? [] : [vscode.l10n.t('Balance after: {0}', amount(balance - price))];
}

/** The changes since the user saw a price. */
function raised(orders: readonly Proposal[]): string[] {
  const risen = orders.filter(({ before }) => before);
  if (risen.length === 0) return [];
  const before = sumOf(risen.map(({ before }) => ({ shownCents: before?.shownCents })));
  const now = sumOf(risen);
  if (before === undefined) return [vscode.l10n.t('The service didn’t quote a price before.')];
  if (now === undefined)
    return [vscode.l10n.t('The price was {0}. The service doesn’t quote one now.', amount(before))];
  return [
    risen.length === 1
      ? vscode.l10n.t('The price rose from {0} to {1}.', amount(before), amount(now))
      : vscode.l10n.t(
          'The total price of {0} renders rose from {1} to {2}.',
          risen.length,
          amount(before),
          amount(now),
        ),
  ];
}

/** More models than these are counted instead of named. */
const mostModels = 5;

function amount(cents: number): string {
  return formatCents(cents, vscode.env.language);
}

/** A longer prompt would push the buttons of the question off a small screen. Characters. */
const longestPrompt = 2000;
/** As many as an agent can ask for in one call. */
export const mostLines = 20;

/**
 * What is sent for whom nobody knows: the prompt, the images and URLs among the inputs, and the file; of several, a
 * line each. Characters that can’t be seen or aren’t shown are counted.
 */
function sentWords(orders: readonly Proposal[]): string[] {
  const [first] = orders;
  if (orders.length > 1 || !first) {
    const left = orders.length - mostLines;
    return [
      ...orders.slice(0, mostLines).map(orderLine),
      ...(left > 0 ? [vscode.l10n.t('More renders: {0}', left)] : []),
    ];
  }
  const prompt = promptOf(undefined, first.inputs);
  return [
    vscode.l10n.t('Prompt: {0}', plain(prompt, longestPrompt)),
    ...unseenWords(prompt, longestPrompt),
    ...imageWords(first),
    ...placeWords(first),
  ];
}

/** The file, or only its folder if the result decides the name; nothing for the folder of the project itself. */
function placeWords(order: Proposal): string[] {
  if (order.target.ending !== undefined) return [vscode.l10n.t('File: {0}', plain(fileOf(order), 200))];
  const { folder } = order.target;
  return folder === '' ? [] : [vscode.l10n.t('Folder: {0}', plain(folder, 200))];
}

/** An order in one line: its price, its file, and its prompt. */
export function orderLine(order: Proposal): string {
  const { shownCents, inputs } = order;
  const price = shownCents === undefined ? [] : [formatCents(shownCents, vscode.env.language)];
  const prompt = promptOf(undefined, inputs);
  const parts = [plain(fileOf(order), 80), plain(prompt, 80), ...unseenWords(prompt, Infinity), ...imageWords(order)];
  return [...price, ...parts].join(' · ');
}

function unseenWords(text: string, shown: number): string[] {
  const seen = visible(text);
  const hidden = Array.from(text).length - Array.from(seen).length;
  const left = seen.length - shown;
  return [
    ...(hidden === 1 ? [vscode.l10n.t('1 character can’t be seen.')] : []),
    ...(hidden > 1 ? [vscode.l10n.t('{0} characters can’t be seen.', hidden)] : []),
    ...(left > 0 ? [vscode.l10n.t('More characters that aren’t shown: {0}', left)] : []),
  ];
}

/** The images among its inputs, and the URLs that the service would read, by the names of their inputs. */
function imageWords({ inputs }: Proposal): string[] {
  const given = Object.entries(inputs).flatMap(([name, value]) => {
    const shown = imagesAndUrls(value).map((one) => plain(one, 200));
    return shown.length > 0 ? [`${plain(name, 60)} (${shown.join(', ')})`] : [];
  });
  return given.length > 0 ? [vscode.l10n.t('Also sent: {0}', given.join(', '))] : [];
}

function imagesAndUrls(value: Json): string[] {
  if (isGivenImage(value)) return [inputText(value)];
  if (typeof value === 'string') {
    const image = imageInAddress(value)?.image;
    return image ? [inputText(image)] : /^https?:/i.test(value) ? [value] : [];
  }
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(imagesAndUrls) : [];
}

function fileOf({ target }: Proposal): string {
  const name = target.ending === undefined ? '…' : `${target.fileName}.${target.ending}`;
  return [target.folder, name].filter(Boolean).join('/');
}
