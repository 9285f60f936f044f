import type { ConsentLimits } from '../../../src/renders/consent';
import { Chance } from './chance';
import { faultKinds, seldomKinds, type FaultKind } from './faults';
import type { Policy } from './service';

export const keys = ['ai_live_one', 'ai_live_two', 'ai_live_three'] as const;

/** The account of each API key; the third replaces the first. */
export const accounts: Readonly<Record<(typeof keys)[number], string>> = {
  ai_live_one: 'A',
  ai_live_two: 'B',
  ai_live_three: 'A',
};

/** A user's decision to render, with an account. */
export interface Decision {
  /** Created when the price was shown: the key. */
  readonly intent: string;
  readonly modelId: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly cents: number;
}

/** One call of an agent: the orders of these decisions. */
export interface AgentCall {
  readonly decisions: readonly number[];
  /** It's intentionally made a second time. */
  readonly again: boolean;
  /** How many ms until the agent no longer wants it; undefined for never. */
  readonly waitsMs: number | undefined;
}

/** Something that a user does, or that happens to the machine, at a time of the schedule. */
export type Action = { readonly at: number; readonly window: number } & (
  | { readonly act: 'open' | 'compare' | 'refresh' | 'powerLoss' | 'windowCloses' }
  | { readonly act: 'order'; readonly decision: number }
  | { readonly act: 'send' | 'discard' | 'downloadAgain' | 'saveAs'; readonly which: number }
  | { readonly act: 'agents'; readonly calls: readonly AgentCall[] }
  /** A list of images, open for `opensMs`, then confirmed; the rest of it is canceled `cancelsMs` later, or never. */
  | {
      readonly act: 'list';
      readonly decisions: readonly number[];
      readonly opensMs: number;
      readonly cancelsMs: number | undefined;
    }
  | { readonly act: 'commands'; readonly decisions: readonly number[] }
  | { readonly act: 'connect'; readonly key: number | undefined }
  | { readonly act: 'folder' | 'readOnly' | 'storage'; readonly gone: boolean }
  | { readonly act: 'deleteFolder'; readonly replaced: boolean }
  | { readonly act: 'replaceKey' | 'revokeKey' | 'pricesRise' }
  | { readonly act: 'newerWindow'; readonly which: number }
  | { readonly act: 'sleep' | 'clockSet' | 'clockYears' | 'pause'; readonly ms: number }
);

/** What the renders of a day, and those of the project, may cost, euro cents; undefined for no limit. */
export interface Budgeted {
  readonly perDay: number | undefined;
  readonly perProject: number | undefined;
}

/** Everything that determines a run: the same schedule always runs the same. */
export interface Schedule {
  readonly seed: number;
  readonly kinds: readonly FaultKind[];
  readonly harshness: number;
  readonly policy: Policy;
  readonly balance: number;
  readonly decisions: readonly Decision[];
  readonly actions: readonly Action[];
  /** The user's settings, and what agents may spend. */
  readonly limits: ConsentLimits & Budgeted;
  /** Whether the windows are closed at the end and one is reopened, or stay open. */
  readonly restarts: boolean;
}

const minute = 60_000;
const year = 365 * 24 * 60 * minute;

/** When the last action starts, ms. */
export const longestScheduleMs = 60_000;

/** The schedule for a seed. */
export function scheduleOf(seed: number): Schedule {
  const chance = new Chance(seed);
  const share = chance.pick('share', [0, 0.1, 0.2, 0.2, 0.35, 0.7]);
  const hasSeldom = chance.unit('seldom') < 1 / 3;
  const isPossible = (kind: FaultKind) => hasSeldom || !seldomKinds.has(kind);
  const kinds = faultKinds.filter((kind) => isPossible(kind) && chance.unit(`switch ${kind}`) < share);
  const decisions = Array.from({ length: chance.pick('decisions', [1, 1, 2, 2, 3, 4]) }, (_, n) =>
    decisionOf(chance, n, kinds),
  );
  const policy = policyOf(chance);
  const people = peopleIn(chance, decisions.length, kinds);
  const firstOrder = people.find(({ act }) => act === 'order')?.at ?? 0;
  const actions = [...people, ...machineIn(chance, kinds, policy, firstOrder)];
  return {
    ...{ seed, kinds, decisions, policy },
    harshness: chance.pick('harshness', [0.5, 1, 1, 2, 3]),
    balance: kinds.includes('balanceTooLow') ? chance.between('balance', 0, 20) : 10_000,
    actions: actions.sort((a, b) => a.at - b.at),
    limits: {
      ...{ confirmAbove: 50, agentAllowance: chance.pick('allowance', [0, 10, 20, 20, 50]) },
      unattendedBudget: chance.pick('unattended', [0, 20, 50, 50]),
      confirmAfter: { renders: chance.pick('pace', [0, 0, 3]), cents: 0 },
      ...budgetedIn(chance),
    },
    restarts: chance.unit('restarts') < 0.6,
  };
}

function decisionOf(chance: Chance, n: number, kinds: readonly FaultKind[]): Decision {
  const modelId = chance.pick(`model ${n}`, [
    'a/b/picture-model',
    'a/b/picture-model',
    'a/b/text-model',
    'a/b/sound-model',
  ]);
  const size = chance.pick(`size ${n}`, ['small', 'large']);
  const prompt = chance.pick(`prompt ${n}`, ['a red kite', 'a red kite', `a kite numbered ${n}`]);
  const isLarge = kinds.includes('largeInputs') && chance.unit(`much ${n}`) < 0.3;
  const image = isLarge ? 'x'.repeat(chance.pick(`much ${n} bytes`, [70_000, 300_000])) : undefined;
  const inputs = { prompt, size, ...(image !== undefined && { image }) };
  return { intent: chance.uuid(`intent ${n}`), modelId, inputs, cents: size === 'large' ? 9 : 4 };
}

function policyOf(chance: Chance): Policy {
  return {
    order: chance.pick('order', ['keyFirst', 'balanceFirst']),
    retentionMs: chance.pick('retention', [15, 15, 15, 30, 24 * 60]) * minute,
    clockAheadMs: chance.unit('no date') < 0.1 ? undefined : chance.pick('ahead', [0, 0, -3 * minute, 2 * 60 * minute]),
    bareList: chance.unit('bare list') < 0.3,
    listLength: chance.pick('list length', [1, 50, 50]),
    tellingList: chance.unit('telling list') < 0.8,
    noLength: chance.unit('no length') < 0.3,
    keysPer: chance.pick('keys per', ['account', 'apiKey']),
    capIn: chance.pick('cap in', ['detail', 'errors', 'error', 'type', 'message']),
    kindsStated: chance.unit('kinds stated') < 0.7,
    textBeside: chance.pick('text beside', ['', '', 'A red kite above a field.']),
  };
}

function budgetedIn(chance: Chance): Budgeted {
  const isSet = chance.unit('limits') < 0.25;
  const limit = (name: string) => (isSet ? chance.pick(`limit of ${name}`, [undefined, 8, 13, 18]) : undefined);
  return { perDay: limit('a day'), perProject: limit('a project') };
}

/** The user's actions. */
function peopleIn(chance: Chance, decisions: number, kinds: readonly FaultKind[]): Action[] {
  const windows = chance.pick('windows', [1, 1, 2, 2, 3]);
  const time = (name: string) => chance.between(`when ${name}`, 200, longestScheduleMs * 0.8);
  const somewhere = (name: string) => chance.between(`where ${name}`, 0, windows - 1);
  const actions: Action[] = Array.from({ length: windows }, (_, window) => ({
    ...{
      at: window === 0 ? 0 : chance.mostlySmall(`open ${window}`, 0, longestScheduleMs / 2),
      window,
      act: 'open' as const,
    },
  }));
  for (let decision = 0; decision < decisions; decision++) {
    const at = chance.mostlySmall(`when order ${decision}`, 100, longestScheduleMs / 2);
    const window = somewhere(`order ${decision}`);
    actions.push({ at, window, act: 'order', decision });
    // A double click, or a click in two windows with the same form.
    const again = chance.unit(`again ${decision}`);
    if (again < 0.15) actions.push({ at, window, act: 'order', decision });
    else if (again < 0.4) {
      const later = at + chance.mostlySmall(`again ${decision} later`, 0, 20_000);
      actions.push({ at: later, window: (window + 1) % windows, act: 'order', decision });
    }
  }
  for (let n = 0; n < chance.between('gestures', 0, 5); n++) {
    const at = time(`gesture ${n}`);
    const window = somewhere(`gesture ${n}`);
    const which = chance.between(`gesture ${n} of`, 0, 3);
    const act = chance.pick(`gesture ${n}`, [
      'send',
      'send',
      'discard',
      'compare',
      'refresh',
      'downloadAgain',
      'saveAs',
    ] as const);
    actions.push(act === 'compare' || act === 'refresh' ? { at, window, act } : { at, window, act, which });
  }
  for (let n = 0; n < chance.pick('agents', [0, 0, 0, 1, 3]); n++) {
    const calls = Array.from({ length: chance.between(`agents ${n} calls`, 1, 4) }, (_, call) => {
      const name = `agents ${n} call ${call}`;
      const waitsMs =
        chance.unit(`${name} waits`) < 0.2 ? chance.mostlySmall(`${name} waits ms`, 1, 60_000) : undefined;
      const again = chance.unit(`${name} again`) < 0.3;
      const one = chance.between(`${name} of`, 0, decisions - 1);
      const all = Array.from({ length: decisions }, (_, decision) => decision);
      return { decisions: chance.unit(`${name} is a list`) < 0.3 ? all : [one], again, waitsMs };
    });
    const at = time(`agents ${n}`);
    actions.push({ at, window: somewhere(`agents ${n}`), act: 'agents', calls });
    // A client that got no response repeats its call, and may reach another window.
    if (chance.unit(`agents ${n} repeat`) < 0.3) {
      const later = at + chance.mostlySmall(`agents ${n} repeat later`, 0, 20_000);
      actions.push({ at: later, window: somewhere(`agents ${n} repeat`), act: 'agents', calls });
    }
  }
  const lists = chance.pick('lists', [0, 0, 0, 0, 1, 2, 2]);
  for (let n = 0; n < lists; n++) {
    const soon = chance.mostlySmall(`when list ${n}`, 0, 10_000);
    actions.push({
      at: n === 0 ? time('list') / 2 : (actions.find(({ act }) => act === 'list')?.at ?? 0) + soon,
      window: somewhere(`list ${n}`),
      act: 'list',
      decisions: Array.from({ length: chance.between(`list ${n} of`, 1, 4) }, (_, at) => at % decisions),
      opensMs: chance.mostlySmall(`list ${n} opens`, 0, 30_000),
      cancelsMs:
        chance.unit(`list ${n} cancels`) < 0.2 ? chance.mostlySmall(`list ${n} cancels ms`, 0, 30_000) : undefined,
    });
  }
  // Commands with arguments, of other extensions or of keyboard shortcuts, often several in a row.
  for (let n = 0; n < (chance.unit('commands') < 0.2 ? chance.between('commands times', 2, 5) : 0); n++) {
    const calls = chance.between(`commands ${n} calls`, 1, 2);
    const ordered = Array.from({ length: calls }, (_, call) =>
      chance.between(`commands ${n} call ${call}`, 0, decisions - 1),
    );
    actions.push({
      ...{ at: time(`commands ${n}`), window: somewhere(`commands ${n}`) },
      ...{ act: 'commands', decisions: ordered },
    });
  }
  if (kinds.includes('accountChanges')) {
    // Often while something is being sent.
    const order = actions.find(({ act }) => act === 'order');
    const at =
      chance.unit('account soon') < 0.6 && order ? order.at + chance.between('account at', 1, 3_000) : time('account');
    const window = order?.window ?? 0;
    const key = chance.unit('other account') < 0.7 ? 1 : undefined;
    actions.push({ at, window, act: 'connect', key });
    actions.push({ at: at + chance.mostlySmall('account back', 100, 30_000), window, act: 'connect', key: 0 });
  }
  const forAWhile = (act: 'folder' | 'readOnly' | 'storage', most: number) => {
    const at = time(act);
    actions.push({ at, window: 0, act, gone: true });
    actions.push({ at: at + chance.between(`${act} back`, 500, most), window: 0, act, gone: false });
  };
  if (kinds.includes('folderGone')) forAWhile('folder', 40_000);
  if (kinds.includes('folderReadOnly')) forAWhile('readOnly', 40_000);
  if (kinds.includes('storageGone')) forAWhile('storage', 20_000);
  for (const kind of ['folderDeleted', 'folderReplaced'] as const) {
    if (kinds.includes(kind))
      actions.push({ at: time(kind), window: 0, act: 'deleteFolder', replaced: kind === 'folderReplaced' });
  }
  if (kinds.includes('keyReplaced')) {
    const at = chance.mostlySmall('key replaced', 300, longestScheduleMs * 0.8);
    actions.push({ at, window: 0, act: 'replaceKey' });
    // The new one is created first, and the old one is revoked soon after, long after, or never.
    if (chance.unit('key revoked') < 0.7)
      actions.push({ at: at + chance.between('key revoked', -200, 20_000), window: 0, act: 'revokeKey' });
  }
  if (kinds.includes('pricesRise')) actions.push({ at: time('prices'), window: 0, act: 'pricesRise' });
  if (kinds.includes('newerWindow')) {
    const which = chance.between('newer window', 0, 3);
    actions.push({ at: time('newer window'), window: 0, act: 'newerWindow', which });
  }
  return actions;
}

/** Events of the machine. */
function machineIn(
  chance: Chance,
  kinds: readonly FaultKind[],
  { clockAheadMs }: Policy,
  firstOrder: number,
): Action[] {
  const actions: Action[] = [];
  const times = (kind: FaultKind, most: number) => {
    const count = kinds.includes(kind) ? chance.between(`${kind} times`, 1, most) : 0;
    return Array.from({ length: count }, (_, n) => ({
      name: `${kind} ${n}`,
      at: chance.mostlySmall(`when ${kind} ${n}`, 500, longestScheduleMs),
      window: chance.between(`where ${kind} ${n}`, 0, 2),
    }));
  };
  for (const { at, window } of times('powerLoss', 2)) actions.push({ at, window, act: 'powerLoss' });
  for (const { at, window } of times('windowCloses', 2)) actions.push({ at, window, act: 'windowCloses' });
  for (const { name, at, window } of times('sleep', 3)) {
    const most = chance.pick(`${name} most`, [minute, 40 * minute]);
    actions.push({ at, window, act: 'sleep', ms: chance.between(`${name} ms`, 5_000, most) });
  }
  for (const { name, at, window } of times('clockSet', 2)) {
    const ms = chance.between(`${name} ms`, 1_000, 40 * minute) * chance.pick(`${name} way`, [-1, -1, 1]);
    actions.push({ at, window, act: 'clockSet', ms });
  }
  for (const { name, at, window } of times('clockYears', 1)) {
    const ms = chance.between(`${name} ms`, year / 12, 5 * year) * chance.pick(`${name} way`, [-1, 1]);
    actions.push({ at, window, act: 'clockYears', ms });
  }
  // Only the service can notice such a pause.
  const pauses = clockAheadMs === undefined ? [] : times('pause', 2);
  for (const { name, at: anyTime, window } of pauses) {
    // Often while something is being sent.
    const soon = firstOrder + chance.between(`${name} soon`, 200, 8_000);
    const at = chance.unit(`${name} when`) < 0.7 ? soon : anyTime;
    const most = chance.pick(`${name} most`, [20 * minute, 30 * 60 * minute]);
    actions.push({ at, window, act: 'pause', ms: chance.between(`${name} ms`, 5_000, most) });
  }
  return actions;
}
