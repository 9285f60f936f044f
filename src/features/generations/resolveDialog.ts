import * as vscode from 'vscode';
import { formatCents, timeWords } from '../../base/format';
import { plain } from '../../base/plain';
import { onceRead } from '../../editor/standing';
import type { Initiator } from '../../renders/consent';
import type { LibraryEntry } from '../../renders/library';
import { canDo } from '../rendering/model/actions';
import { actionLabel, story, titleOf } from '../rendering/renderWords';

const marks = ['markCharged', 'markNotCharged', 'removeMark'] as const;

/** What the user can say of an unconfirmed render: limits count by it. */
export type Mark = (typeof marks)[number];

/** A choice about unconfirmed renders. */
type Way = 'compareWithService' | Mark;

/**
 * Asks what to do about unconfirmed renders, with all that is known of them, which a list would cut off. Commands can
 * open this dialog, but not choose in it. Undefined when the user cancels, or none is given.
 */
export async function askHowToResolve(
  entries: readonly LibraryEntry[],
  initiator: Initiator,
): Promise<Way | undefined> {
  const [first] = entries;
  if (!first) return undefined;
  const isOne = entries.length === 1;
  const title = isOne
    ? vscode.l10n.t('Resolve “{0}”', plain(titleOf(first), 60))
    : vscode.l10n.t('Resolve {0} Renders', entries.length);
  const facts = [
    ...(isOne ? [] : titlesOf(entries)),
    factsOf(entries),
    isOne ? story(first) : undefined,
    vscode.l10n.t('Checking with the service sends nothing again.'),
  ];
  const possible = marks.filter((mark) => entries.some((entry) => canDo(mark, entry)));
  return ask(title, facts, ['compareWithService', ...possible], initiator);
}

/** Whether the user says so of unconfirmed renders; somebody else asked for it. */
export async function agreesToMark(mark: Mark, entries: readonly LibraryEntry[]): Promise<boolean> {
  const label = actionLabel(mark);
  const question =
    entries.length === 1
      ? vscode.l10n.t('“{0}” for this render?', label)
      : vscode.l10n.t('“{0}” for {1} renders?', label, entries.length);
  return (await ask(question, titlesOf(entries), [mark], undefined)) === mark;
}

async function ask<T extends Way>(
  question: string,
  facts: readonly (string | undefined)[],
  ways: readonly T[],
  initiator: Initiator | undefined,
): Promise<T | undefined> {
  const others = vscode.l10n.t('Requested by a menu, Quick Fix, keyboard shortcut, extension, or agent.');
  const detail = [
    ...facts,
    initiator === 'user' ? undefined : others,
    vscode.l10n.t('A mark changes what your limits count, not what the service charged.'),
  ];
  const options = { modal: true, detail: detail.filter(Boolean).join('\n') };
  const answer = await onceRead(() => vscode.window.showWarningMessage(question, options, ...ways.map(actionLabel)));
  return ways.find((way) => actionLabel(way) === answer);
}

function titlesOf(entries: readonly LibraryEntry[]): string[] {
  const titles = entries.slice(0, 5).map((entry) => plain(titleOf(entry), 80));
  return [...titles, ...(titles.length < entries.length ? ['…'] : [])];
}

/** When they were sent, and at what price. */
function factsOf(entries: readonly LibraryEntry[]): string {
  const times = entries.flatMap(({ startedAt }) => startedAt ?? []);
  const { language } = vscode.env;
  const sent =
    times.length === 0 ? undefined : vscode.l10n.t('Sent: {0}', timeWords(Math.min(...times), Date.now(), language));
  return [sent, vscode.l10n.t('quoted: {0}', quotedOf(entries))].filter(Boolean).join(' · ');
}

function quotedOf(entries: readonly LibraryEntry[]): string {
  if (entries.some(({ shownCents }) => shownCents === undefined)) return vscode.l10n.t('unknown');
  return formatCents(
    entries.reduce((sum, { shownCents = 0 }) => sum + shownCents, 0),
    vscode.env.language,
  );
}
