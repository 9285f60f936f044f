import * as vscode from 'vscode';
import { formatCents } from '../../base/money';
import { promptOf } from '../../catalog/fields';
import type { LibraryEntry } from '../../renders/library';
import { severalIds } from '../../renders/severalIds';
import { oneLine, plain } from '../plain';
import { problemSentence } from '../problemWords';

/** What a person calls the render: its prompt, else its model. */
export function titleOf(entry: LibraryEntry): string {
  return oneLine(promptOf(undefined, entry.inputs) || entry.modelId || entry.generationId || '');
}

/** Where a render stands, in a few words. Of money only what the service said. */
export function standing(entry: LibraryEntry): string {
  switch (entry.state) {
    case 'planned':
      return vscode.l10n.t('not sent');
    case 'sent':
      return vscode.l10n.t('waiting for the service');
    case 'accepted':
      return entry.status === undefined || entry.status === 'queued'
        ? vscode.l10n.t('queued')
        : oneLine(entry.status, 40);
    case 'succeeded':
      return entry.problem ? vscode.l10n.t('paid, not saved') : vscode.l10n.t('saving');
    case 'saved':
      return savedWords(entry);
    case 'failed':
      return vscode.l10n.t('failed');
    case 'refunded':
      return vscode.l10n.t('failed, refunded');
    case 'refused':
      return vscode.l10n.t('refused, nothing charged');
    case 'unknown':
      return vscode.l10n.t('unknown');
    case 'discarded':
      return vscode.l10n.t('not sent');
    case undefined:
      return standingElsewhere(entry.status ?? '');
  }
}

function savedWords({ record, file, textOutput }: LibraryEntry): string {
  if (record?.staged) return vscode.l10n.t('ready to compare');
  const isHere = file !== undefined || textOutput !== undefined;
  return isHere ? vscode.l10n.t('saved') : vscode.l10n.t('not kept here');
}

/** Of a render started elsewhere: the service's word, where it has one that we know in ours. */
function standingElsewhere(status: string): string {
  switch (status) {
    case 'queued':
      return vscode.l10n.t('queued');
    case 'succeeded':
      return vscode.l10n.t('not downloaded');
    case 'failed':
      return vscode.l10n.t('failed');
    case 'refunded':
      return vscode.l10n.t('failed, refunded');
    default:
      return oneLine(status, 40);
  }
}

/** The whole story of a render's problem, if it has one: what is so, and what to do next. */
export function story(entry: LibraryEntry): string | undefined {
  return [storyOfState(entry), storyOfSeveral(entry)].filter(Boolean).join(' ') || undefined;
}

function storyOfState(entry: LibraryEntry): string | undefined {
  const said = entry.problem && problemSentence(entry.problem);
  switch (entry.state) {
    case 'planned':
      return join(vscode.l10n.t('Not sent. Send it, or discard it.'), said);
    case 'sent':
      return join(
        vscode.l10n.t('The service has not answered yet; the same request is repeated, and charged only once.'),
        said,
      );
    case 'succeeded':
      return entry.problem && join(vscode.l10n.t('Paid, and not saved yet: the result is kept.'), said);
    case 'failed':
      return join(
        vscode.l10n.t(
          'The render failed. The service refunds failed renders by itself; it has not stated the refund yet.',
        ),
        said,
      );
    case 'refunded':
      return join(vscode.l10n.t('The render failed, and the service refunded it.'), said);
    case 'refused':
      return join(vscode.l10n.t('Nothing was charged.'), said);
    case 'unknown':
      return entry.problem?.code === 'gone'
        ? said
        : join(vscode.l10n.t('We cannot tell whether this render was charged; it will not be sent again.'), said);
    default:
      return said;
  }
}

/** More than one answer to one request is told for good: what the one render comes to says nothing of the other. */
function storyOfSeveral({ record }: LibraryEntry): string | undefined {
  if (!record?.otherIds) return undefined;
  return vscode.l10n.t(
    'The service answered this one request with more than one render: {0}. Each may have been charged. Compare them on your account.',
    plain(severalIds(record) ?? ''),
  );
}

/** A few words beside the standing of a render that the service has more than once, or may have. */
export function severalWords({ record }: LibraryEntry): string | undefined {
  return record === undefined || severalIds(record) === undefined
    ? undefined
    : vscode.l10n.t('more than one at the service');
}

/** That the balance is too low for the price shown, and by how much; both in euro cents. */
export function shortSentence(balanceCents: number, shownCents: number): string {
  const money = (cents: number) => formatCents(cents, vscode.env.language);
  return vscode.l10n.t(
    'Nothing was charged. It costs {0} and the balance is {1}: {2} too little.',
    money(shownCents),
    money(balanceCents),
    money(shownCents - balanceCents),
  );
}

/**
 * What the render costs or cost, in words; tells a charge that differs from the price that was shown. Undefined when nobody said. `money`
 * writes an amount: `spokenCents` for those who hear it.
 */
export function priceOf({ costCents, shownCents, state }: LibraryEntry, money = formatCents): string | undefined {
  const language = vscode.env.language;
  if (costCents === undefined) {
    if (shownCents === undefined || state === 'refused') return undefined;
    const shown = money(shownCents, language);
    // Nobody can tell whether it was charged: the price alone would read as if it had been.
    return state === 'unknown' ? vscode.l10n.t('price shown: {0}', shown) : shown;
  }
  const charged = money(costCents, language);
  if (shownCents === undefined || shownCents === costCents) return charged;
  return vscode.l10n.t('{0} charged (shown: {1})', charged, money(shownCents, language));
}

/** The time since a render was ordered: "12 s", "3 min". */
export function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 90 ? vscode.l10n.t('{0} s', seconds) : vscode.l10n.t('{0} min', Math.floor(seconds / 60));
}

function join(first: string, second: string | undefined): string {
  return second === undefined ? first : `${first} ${second}`;
}
