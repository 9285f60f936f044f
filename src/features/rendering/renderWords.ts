import * as vscode from 'vscode';
import { formatCents, timeWords } from '../../base/format';
import { promptOf } from '../../catalog/fields';
import { type LibraryEntry, severalIds } from '../../renders/library';
import { oneLine, plain } from '../../base/plain';
import { labelOf } from './model/actions';
import type { ActionId } from '../../editor/ids';
import { isSpooled, isUnplaced } from './model/kept';
import { about, elapsed, problemSentence } from '../../editor/words';

/** The label of an action on a render. */
export function actionLabel(id: ActionId): string {
  const text = labelOf(id);
  return vscode.l10n.t(text);
}

/** The name of a render for people: its prompt, else its model. */
export function titleOf(entry: LibraryEntry): string {
  return oneLine(promptOf(undefined, entry.inputs) || entry.modelId || entry.generationId || '');
}

/** The state of a render in a few words. About money only what the service said. */
export function standing(entry: LibraryEntry): string {
  if (entry.awayAt !== undefined && entry.group === 'active') return vscode.l10n.t('at another service');
  switch (entry.state) {
    case 'planned':
      return entry.group === 'active' ? vscode.l10n.t('waiting to be sent') : vscode.l10n.t('not sent');
    case 'sent':
      return vscode.l10n.t('waiting for response');
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
      return refundedWords(entry);
    case 'refused':
      return vscode.l10n.t('rejected, nothing charged');
    case 'unknown':
      return unknownWords(entry);
    case 'discarded':
      return vscode.l10n.t('not sent');
    case undefined:
      return standingElsewhere(entry);
  }
}

function unknownWords({ record }: LibraryEntry): string {
  if (!record?.settled) return vscode.l10n.t('unconfirmed');
  return record.settled.charged ? vscode.l10n.t('marked as charged') : vscode.l10n.t('marked as not charged');
}

function savedWords({ record, file, textOutput }: LibraryEntry): string {
  if (record?.staged) return vscode.l10n.t('ready to review');
  const isHere = file !== undefined || textOutput !== undefined;
  return isHere ? vscode.l10n.t('saved') : vscode.l10n.t('not on this computer');
}

/** For a render started elsewhere: the service's word, translated if we know it. */
function standingElsewhere(entry: LibraryEntry): string {
  const { status = '' } = entry;
  switch (status) {
    case 'queued':
      return vscode.l10n.t('queued');
    case 'succeeded':
      return vscode.l10n.t('not downloaded');
    case 'failed':
      return vscode.l10n.t('failed');
    case 'refunded':
      return refundedWords(entry);
    default:
      return oneLine(status, 40);
  }
}

/** The price next to it says that it was refunded, where it's known. */
function refundedWords(entry: LibraryEntry): string {
  if (entry.file !== undefined) return vscode.l10n.t('saved, refunded');
  return priceOf(entry) === undefined ? vscode.l10n.t('failed, refunded') : vscode.l10n.t('failed');
}

/** A render's problem in full, if it has one: what happened, and what to do next. */
export function story(entry: LibraryEntry): string | undefined {
  return (
    [storyOfPlace(entry) ?? storyOfState(entry), storyOfSeveral(entry), storyOfMatch(entry), storyOfMark(entry)]
      .filter(Boolean)
      .join(' ') || undefined
  );
}

/** What blocks a render, if anything does, and when it's tried again if that happens by itself. */
export function blockerOf({ problem, record }: LibraryEntry): string | undefined {
  if (!problem) return undefined;
  const sentence = problemSentence(problem);
  if (!record?.retry) return sentence;
  const { nextAt } = record.retry;
  const now = Date.now();
  const when =
    nextAt > now
      ? vscode.l10n.t('Next try: {0}.', timeWords(nextAt, now, vscode.env.language))
      : vscode.l10n.t('It’s tried again automatically.');
  return join(sentence, when);
}

/** A render in progress goes on where it was ordered, or where its service has moved. */
function storyOfPlace({ awayAt, group, generationId }: LibraryEntry): string | undefined {
  if (awayAt === undefined || group !== 'active') return undefined;
  const started = vscode.l10n.t(
    'This render was started at {0}. Connect to that service to continue.',
    plain(awayAt, 80),
  );
  return generationId === undefined
    ? started
    : join(started, vscode.l10n.t('If it has moved, select Check with Service.'));
}

function storyOfState(entry: LibraryEntry): string | undefined {
  const blocker = blockerOf(entry);
  switch (entry.state) {
    case 'planned':
      return entry.group === 'active'
        ? blocker
        : join(vscode.l10n.t('Not sent. Send it now, or select Don’t Send.'), blocker);
    case 'sent':
      if (entry.problem?.code === 'otherAccount')
        return join(
          vscode.l10n.t('The service hasn’t responded yet, and the request can’t be repeated with this API key.'),
          blocker,
        );
      return join(
        vscode.l10n.t('The service hasn’t responded yet. The same request is repeated, and charged only once.'),
        blocker,
      );
    case 'succeeded':
      if (isUnplaced(entry)) return vscode.l10n.t('Not saved yet.');
      return entry.problem && join(paidWords(entry), blocker);
    case 'failed':
      return join(
        vscode.l10n.t(
          'The render failed. The service refunds failed renders automatically, but hasn’t reported this refund yet.',
        ),
        blocker,
      );
    case 'refunded':
      if (entry.file !== undefined)
        return vscode.l10n.t('The service refunded this render after it succeeded. Its file stays.');
      return join(vscode.l10n.t('The render failed, and the service refunded it.'), blocker);
    case 'refused':
      return join(vscode.l10n.t('Nothing was charged.'), blocker);
    case 'unknown':
      // An id means that the service accepted it once.
      return entry.generationId !== undefined
        ? blocker
        : join(vscode.l10n.t('We can’t tell whether this render was charged. It won’t be sent again.'), blocker);
    case 'saved':
      return entry.record?.spooled?.odd
        ? vscode.l10n.t('The file may be incomplete or damaged. It was saved as the service sent it.')
        : blocker;
    default:
      return blocker;
  }
}

function paidWords(entry: LibraryEntry): string {
  return isSpooled(entry)
    ? vscode.l10n.t('Paid, but not saved yet. The result is kept.')
    : vscode.l10n.t('Paid, but not downloaded yet.');
}

/**
 * The user's own word, and whether the service's has come since: the user's is never presented as the service's.
 */
function storyOfMark({ record, state }: LibraryEntry): string | undefined {
  if (!record?.settled) return undefined;
  const { charged } = record.settled;
  if (state !== 'unknown')
    return charged ? undefined : vscode.l10n.t('You had marked this render as not charged, but the service lists it.');
  return charged
    ? vscode.l10n.t('You marked this render as charged, so its quoted price counts as spent.')
    : vscode.l10n.t(
        'You marked this render as not charged. If the service lists it after all, the service’s information is used.',
      );
}

/** Several responses to one request are always mentioned: the outcome of one render says nothing about the other. */
function storyOfSeveral({ record }: LibraryEntry): string | undefined {
  if (record?.sharedWith)
    return vscode.l10n.t(
      'The service gave this render’s ID to another one too. We can’t tell what was charged for each, so check both in your account.',
    );
  if (!record?.otherIds) return undefined;
  if (severalIds(record) === undefined)
    return record.problem?.code === 'contradicted'
      ? undefined
      : problemSentence({ code: 'contradicted', detail: record.otherIds.join(', ') });
  return vscode.l10n.t(
    'The service returned several renders for one request: {0}. Check in your account which of them were charged.',
    plain(severalIds(record) ?? ''),
  );
}

/** A match is likely, and not the service's word. */
function storyOfMatch({ record }: LibraryEntry): string | undefined {
  if (!record?.matched) return undefined;
  return vscode.l10n.t('Matched with render {0} in the service’s list.', plain(record.generationId ?? ''));
}

/** A few words after the state of a render that the service has, or may have, more than once. */
export function severalWords({ record }: LibraryEntry): string | undefined {
  return record === undefined || severalIds(record) === undefined
    ? undefined
    : vscode.l10n.t('several renders on the service');
}

/** That the balance is below the quoted price, and by how much; both in euro cents. */
export function shortSentence(balanceCents: number, shownCents: number): string {
  const money = (cents: number) => formatCents(cents, vscode.env.language);
  return vscode.l10n.t(
    'Nothing was charged. It costs {0}, but your balance is {1}.',
    money(shownCents),
    money(balanceCents),
  );
}

/** What these renders were charged in all; undefined if any of it is unknown. */
export function totalPriceOf(entries: readonly LibraryEntry[]): string | undefined {
  const isKnown = entries.every(({ costCents }) => costCents !== undefined);
  const charged = entries.reduce((sum, { costCents = 0 }) => sum + costCents, 0);
  return isKnown ? formatCents(charged, vscode.env.language) : undefined;
}

/**
 * The price or charge in words, and both if they differ; a refunded one as that. Undefined when unknown. `money`
 * formats an amount: `spokenCents` for screen readers.
 */
export function priceOf(entry: LibraryEntry, money = formatCents): string | undefined {
  const { costCents, shownCents, state, status } = entry;
  const language = vscode.env.language;
  // How much came back is known only if it's known what was charged.
  if ((state ?? status) === 'refunded')
    return costCents ? vscode.l10n.t('{0} refunded', money(costCents, language)) : undefined;
  if (costCents === undefined) {
    if (shownCents === undefined || state === 'refused') return undefined;
    const shown = money(shownCents, language);
    // It may not have been charged: the price alone would read as if it had.
    return state === 'unknown' ? vscode.l10n.t('quoted: {0}', shown) : shown;
  }
  const charged = money(costCents, language);
  if (shownCents === undefined || shownCents === costCents) return charged;
  return vscode.l10n.t('{0} charged ({1} quoted)', charged, money(shownCents, language));
}

/** The time since a render in progress was ordered, and what such renders usually take, both ms: "3 s, usually 4 s". */
export function progressWords(ms: number, usualMs: number | undefined): string {
  if (usualMs === undefined) return elapsed(ms);
  return vscode.l10n.t('{0}, usually {1}', elapsed(ms), about(usualMs));
}

function join(first: string, second: string | undefined): string {
  return second === undefined ? first : `${first} ${second}`;
}
