import * as vscode from 'vscode';
import { isGivenImage } from '../../base/givenImage';
import type { Json } from '../../base/json';
import { formatCents } from '../../base/money';
import { plain, visible } from '../../base/plain';
import { inputText } from './model/inputText';
import { promptOf } from '../../catalog/fields';
import { imageInAddress } from '../../files/recordedImages';
import type { Proposal } from '../../renders/consent';

/** A longer prompt would push the buttons of the question off a small screen. Characters. */
const longestPrompt = 2000;
/** As many as an agent can ask for in one call. */
const mostLines = 20;

/** The agents that ask, for what, and the target: an agent may have accepted the list of its orders itself. */
export function agentWords(orders: readonly Proposal[]): string[] {
  const names = new Set(orders.flatMap(({ agent }) => agent ?? []));
  const who = [...names].map((name) =>
    vscode.l10n.t('Requested by an agent that calls itself “{0}”.', plain(name, 60)),
  );
  return [...who, ...sentWords(orders)];
}

/**
 * What is sent for whom nobody knows: the prompt, the images and URLs among the inputs, and the file; of several, a
 * line each. Characters that can’t be seen or aren’t shown are counted.
 */
export function sentWords(orders: readonly Proposal[]): string[] {
  const [first] = orders;
  if (orders.length > 1 || !first) {
    const left = orders.length - mostLines;
    return [
      ...orders.slice(0, mostLines).map(agentLine),
      ...(left > 0 ? [vscode.l10n.t('More renders: {0}', left)] : []),
    ];
  }
  const prompt = promptOf(undefined, first.inputs);
  return [
    vscode.l10n.t('Prompt: {0}', plain(prompt, longestPrompt)),
    ...unseenWords(prompt, longestPrompt),
    ...imageWords(first),
    vscode.l10n.t('File: {0}', plain(fileOf(first), 200)),
  ];
}

/** An order in one line: its price, its file, and its prompt. */
export function agentLine(order: Proposal): string {
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
