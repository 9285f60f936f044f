import { isObject } from '../../../base/json';
import { formatCents } from '../../../base/format';
import { plain, visible, manyLines } from '../../../base/plain';
import { ServiceError } from '../../../catalog/errors';
import type { Field, Model, ModelSummary } from '../../../catalog/fields';
import { BudgetError, SettingError } from '../../../renders/budget';
import type { LibraryEntry } from '../../../renders/library';
import { isUncharged } from '../../../renders/record';
import { Refused } from './agentRenders';
import type { AgentResult } from './agentTools';

/** The state of an agent's render. */
export type AgentStatus =
  | 'pending'
  | 'waitingForApproval'
  | 'rendering'
  | 'saved'
  | 'done'
  | 'paidNotSaved'
  | 'notSent'
  | 'notStarted'
  | 'declined'
  | 'canceled'
  | 'rejected'
  | 'failed'
  | 'refunded'
  | 'unconfirmed'
  | 'notFound';

/** One render as reported to an agent. Euro cents; paths are absolute. */
export interface AgentRender {
  readonly id: string;
  readonly status: AgentStatus;
  /** It was ordered before: this call ordered nothing. */
  readonly joined?: boolean;
  readonly priceCents?: number;
  readonly chargedCents?: number;
  readonly file?: string;
  readonly link?: string;
  /** A text model's response. */
  readonly text?: string;
  /** The prompt after the user changed it. */
  readonly changedPrompt?: string;
  readonly problem?: string;
}

/** Longer responses are cut; the rest is in the file. Characters. */
const mostText = 6000;

/** Amounts for agents, always in English. */
export function euros(cents: number | undefined): string {
  return cents === undefined ? 'unknown' : formatCents(cents, 'en');
}

/**
 * A result as an agent may read it: what a service, a workspace, or another agent says is in it as a user would see
 * it, so that nobody gives an agent orders in characters that can’t be seen.
 */
export function asSeen({ text, structured, images, ...result }: AgentResult): AgentResult {
  const seenIn = (value: unknown): unknown => {
    if (typeof value === 'string') return visible(value);
    if (Array.isArray(value)) return value.map(seenIn);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [visible(name), seenIn(inner)]));
  };
  return {
    ...result,
    text: visible(text),
    structured: structured && (seenIn(structured) as object),
    images: images?.map((image) => ({ ...image, file: visible(image.file) })),
  };
}

/** Nothing was done, phrased so that an agent doesn't retry. */
export function refusal(why: string): AgentResult {
  const text = `Not rendered, nothing charged: ${why}`;
  return { text, structured: { rendered: false, chargedCents: 0, why } };
}

/** The state of renders couldn't be looked up, which says nothing about them. */
export function notChecked(why: string): AgentResult {
  const text = `Not checked: ${why} This doesn’t show whether anything was charged.`;
  return { text, structured: { checked: false, why } };
}

/** The user declined. */
export const saidNo = 'the user declined. Don’t ask again unless the user asks you to.';

/** The user declined whatever agents ask for during the next minute. */
export const saysNoToAll =
  'the user declined twice in a row, so agents are refused for a minute. Don’t ask again unless the user asks you to.';

/** The user stopped agents before this was sent. */
export const agentsStopped =
  'the user revoked the allowance for agents. Don’t render it again unless the user asks you to.';

/** A library entry as reported to an agent. */
export function renderOf(entry: LibraryEntry, fileOf: (uri: string) => string): AgentRender {
  const { id, shownCents, costCents, file, textOutput } = entry;
  const text = textOutput === undefined ? undefined : cut(textOutput);
  const render = { id, status: statusOf(entry), priceCents: shownCents, chargedCents: chargedOf(entry) };
  return { ...render, file: file === undefined ? undefined : fileOf(file), text };

  function chargedOf({ state }: LibraryEntry): number | undefined {
    return state !== undefined && isUncharged(state) ? 0 : costCents;
  }
}

/**
 * A render whose order or wait failed. Until an order is placed, it's proven that nothing was charged; what became of
 * it after that is still to be checked.
 */
export function failedRender(render: AgentRender, problem: string): AgentRender {
  if (!isUndecided(render)) return render;
  return { id: render.id, status: 'notStarted', chargedCents: 0, problem };
}

/** It isn't decided yet whether it's ordered. */
export function isUndecided({ status }: AgentRender): boolean {
  return status === 'pending' || status === 'waitingForApproval';
}

function cut(text: string): string {
  return text.length > mostText ? `${text.slice(0, mostText)}…` : text;
}

function statusOf({ state, group, record }: LibraryEntry): AgentStatus {
  switch (state) {
    case 'planned':
      return group === 'active' ? 'pending' : 'notSent';
    case 'sent':
    case 'accepted':
    case undefined:
      return 'rendering';
    case 'succeeded':
      return group === 'paidNotSaved' || record?.problem ? 'paidNotSaved' : 'rendering';
    case 'saved':
      return record?.file === undefined ? 'done' : 'saved';
    case 'failed':
    case 'refunded':
      return state;
    case 'refused':
      return 'rejected';
    case 'unknown':
      return 'unconfirmed';
    case 'discarded':
      return 'canceled';
  }
}

const meanings: Readonly<Record<AgentStatus, string>> = {
  pending: 'not sent yet, nothing charged so far. Check its status later, and don’t render it again',
  waitingForApproval: 'waiting for the user’s approval in VS Code; nothing charged yet. Check its status later',
  // Of one that was sent, the response may still be missing.
  rendering: 'in progress; it may be charged already. Check its status later, and don’t render it again',
  saved: 'saved',
  done: 'done',
  paidNotSaved: 'paid, but not saved yet; the user finds it under “Paid, not saved”. Don’t render it again',
  notSent: 'not sent, nothing charged; it waits for the user in the Generations view',
  notStarted: 'not rendered, nothing charged',
  declined: 'the user declined, nothing charged. Don’t ask again unless the user asks you to',
  canceled: 'canceled before it was sent, nothing charged',
  rejected: 'rejected by the service, nothing charged',
  failed: 'failed; the service hasn’t reported a refund yet',
  refunded: 'failed, and the service refunded it',
  unconfirmed: 'no response shows whether it was charged. Don’t render it again: the user has to check it',
  notFound: 'no render of an agent has this ID. That doesn’t show whether anything was charged: check the ID',
};

/** The outcome of renders. `sum`: the charges that the service stated. */
export function rendersResult(renders: readonly AgentRender[], notes: readonly string[] = []): AgentResult {
  const charged = renders.filter(({ joined }) => !joined).reduce((sum, { chargedCents = 0 }) => sum + chargedCents, 0);
  const approved = renders.filter(({ status }) => status !== 'declined').length;
  const count = approved === renders.length ? [] : [`${approved} of ${renders.length} approved.`];
  const text = [...count, ...renders.map(renderWords), `Charged by this call so far: ${euros(charged)}.`, ...notes];
  return { text: text.join('\n'), structured: { renders, chargedCents: charged } };
}

/** The outcome of a call that orders renders. */
export function orderResult(renders: readonly AgentRender[], notes: readonly string[]): AgentResult {
  const [only] = renders;
  if (renders.every(({ status }) => status === 'declined')) return refusal(only?.problem ?? saidNo);
  if (renders.length === 1 && only?.status === 'notStarted') return refusal(only.problem ?? 'it couldn’t be started.');
  return rendersResult(renders, notes);
}

/** The state of earlier renders: this call ordered none of them. */
export function checkResult(renders: readonly AgentRender[]): AgentResult {
  const rows = renders.map((render) => renderWords({ ...render, joined: false }));
  return { text: rows.join('\n'), structured: { renders } };
}

function renderWords(render: AgentRender): string {
  const { id, status, joined, priceCents, chargedCents, file, link, text, changedPrompt, problem } = render;
  const parts = [
    `${id}: ${meanings[status]}`,
    joined && 'rendered before: this call started nothing',
    priceCents !== undefined && `quoted ${euros(priceCents)}`,
    chargedCents !== undefined && `charged ${euros(chargedCents)}`,
    file !== undefined && `file ${plain(file, 1000)}`,
    link !== undefined && `link ${link}`,
    changedPrompt !== undefined && `the user changed the prompt to “${plain(changedPrompt, 1000)}”`,
    problem !== undefined && plain(problem, 500),
  ];
  const line = parts.filter(Boolean).join(' · ');
  return text === undefined ? line : [line, ...manyLines(text).map((part) => `    ${part}`)].join('\n');
}

/** Models for an agent to choose from. The service's texts are quoted, one line each. */
export function modelsResult(models: readonly ModelSummary[], all: number): AgentResult {
  const rows = models.map(
    ({ id, kind, title, description = '' }) =>
      `${plain(id)} · ${kind ?? 'kind unknown'} · ${plain(title, 60)} · ${plain(description, 120)}`,
  );
  const more = all > models.length ? [`${models.length} of ${all}: narrow it down with search.`] : [];
  const listed = models.map(({ id, kind, title }) => ({ id, kind, title: plain(title, 60) }));
  return {
    text: [`Models found: ${all}.`, ...rows, ...more].join('\n'),
    structured: { models: listed, found: all },
  };
}

/** One model with its fields, and the styles of the project that can be used with it. */
export function modelResult(
  { id, kind, title, description = '', fields }: Model,
  styles: readonly string[],
): AgentResult {
  const head = `${plain(id)} · ${kind ?? 'kind unknown'} · ${plain(title, 80)} · ${plain(description, 400)}`;
  const named = styles.map((style) => plain(style, 160));
  const looks = named.length === 0 ? [] : [`Styles of the project: ${named.join(', ')}`];
  return {
    text: [head, 'Inputs:', ...fields.map(fieldWords), ...looks].join('\n'),
    structured: { id, kind, fields: fields.map(fieldFacts), ...(named.length > 0 && { styles: named }) },
  };
}

/** Longer lists of options are cut. */
const mostChoices = 30;

function fieldFacts({ name, statedType, required, choices, minimum, maximum, step, maxLength, ...rest }: Field) {
  const values = choices?.slice(0, mostChoices).map(({ value }) => value);
  return {
    name,
    type: statedType,
    required,
    default: rest.default,
    choices: values,
    minimum,
    maximum,
    step,
    maxLength,
  };
}

function fieldWords(field: Field): string {
  const { choices, ...facts } = fieldFacts(field);
  const said = Object.entries({ ...facts, choices: choices?.join(' | ') })
    .filter(([key, value]) => value !== undefined && key !== 'name')
    .map(([key, value]) => `${key} ${plain(typeof value === 'string' ? value : JSON.stringify(value), 400)}`);
  return `- ${plain(field.name, 80)}: ${said.join(', ')}${field.help === undefined ? '' : `. ${plain(field.help, 200)}`}`;
}

/** Prices of items; `balance` and the agents' allowance in euro cents. */
export function quoteResult(
  prices: readonly { readonly modelId: string; readonly cents: number | undefined }[],
  balance: number | undefined,
  allowance: number | undefined,
): AgentResult {
  const isStated = prices.every(({ cents }) => cents !== undefined);
  const sum = isStated ? prices.reduce((all, { cents = 0 }) => all + cents, 0) : undefined;
  const lines = [
    ...prices.map(({ modelId, cents }, at) => `${at + 1}. ${plain(modelId)}: ${euros(cents)}`),
    `Sum: ${euros(sum)}. Balance: ${euros(balance)}.`,
    allowance === undefined
      ? 'The user will be asked before anything is rendered.'
      : `Agents’ remaining allowance: ${euros(allowance)}. Above it, the user is asked.`,
    'Nothing was rendered or charged.',
  ];
  const cents = prices.map((price) => ({ modelId: price.modelId, priceCents: price.cents }));
  const structured = { items: cents, sumCents: sum, balanceCents: balance, allowanceLeftCents: allowance };
  return { text: lines.join('\n'), structured };
}

/** A missing image that a document names. */
export interface MissingFile {
  readonly file: string;
  readonly prompt?: string;
  readonly documents: readonly string[];
}

/** The missing images. */
export function missingResult(missing: readonly MissingFile[], all: number, isCut: boolean): AgentResult {
  const rows = missing.map(
    ({ file, prompt, documents }) =>
      `${plain(file, 1000)} · ${prompt === undefined ? 'no alt text' : `“${plain(prompt, 200)}”`} · in ${plain(documents[0] ?? '', 1000)}`,
  );
  const more = all > missing.length || isCut ? ['There may be more: name a folder or document as path.'] : [];
  return { text: [`Missing images: ${all}.`, ...rows, ...more].join('\n'), structured: { missing, found: all } };
}

const onlyTheUser = 'Only the user may change that: don’t, and don’t render again unless they ask you to.';

/**
 * Why a tool can't do something, for an agent. Where a user is told what to change, an agent is told not to: limits,
 * keys, and money are the user's. Undefined for anything that's said to a user and an agent alike.
 */
export function agentSentence(error: unknown): string | undefined {
  if (error instanceof Refused) return error.message;
  const cause = error instanceof ServiceError || !(error instanceof Error) ? error : (error.cause ?? error);
  if (cause instanceof BudgetError) return `it would exceed a limit that the user set. ${onlyTheUser}`;
  if (cause instanceof SettingError) return `a limit that the user set isn’t a valid amount. ${onlyTheUser}`;
  if (!(cause instanceof ServiceError)) return undefined;
  switch (cause.kind) {
    case 'keyRefused':
      return `the service rejected the API key. ${onlyTheUser}`;
    case 'balanceTooLow':
      return `the user’s balance is too low for this. ${onlyTheUser}`;
    case 'dailyCap':
      return `the user’s API key has reached its daily cap. ${onlyTheUser}`;
    default:
      return undefined;
  }
}
